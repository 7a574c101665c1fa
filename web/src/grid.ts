// A plane without end: a large quad with lines that thin out into the background.
import {
  Color, DoubleSide, Group, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, ShadowMaterial, Vector3,
} from "three";
import type { Palette } from "./theme";

const VERTEX = `
varying vec2 place;
void main() {
  place = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// Lines at every cell and stronger ones at every tenth, as wide as a pixel; all fade with distance
// from the middle, and fine lines where they would be too close.
const FRAGMENT = `
uniform vec3 line;
uniform vec3 fill;
uniform float fillAlpha;
uniform float cell;
uniform float range;
uniform vec2 middle;
varying vec2 place;
float lines(float size) {
  vec2 p = place / size;
  vec2 w = fwidth(p);
  vec2 d = abs(fract(p - 0.5) - 0.5) / max(w, vec2(1e-6));
  float dense = 1.0 - smoothstep(0.15, 0.5, max(w.x, w.y));
  return (1.0 - min(min(d.x, d.y), 1.0)) * dense;
}
void main() {
  float far = length(place - middle) / range;
  float fade = 1.0 - smoothstep(0.25, 1.0, far);
  float l = max(0.45 * lines(cell), 0.9 * lines(10.0 * cell));
  float a = max(fillAlpha, l) * fade;
  if (a < 0.004) discard;
  gl_FragColor = vec4(mix(fill, line, l), a);
  #include <colorspace_fragment>
}`;

export class Grid {
  readonly object = new Group();
  private readonly lines: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly shadow: Mesh<PlaneGeometry, ShadowMaterial>;

  // normal: of the plane; solid: a ground that is filled
  constructor(origin: Vector3, normal: Vector3, reach: number, private readonly solid: boolean) {
    const cell = 10 ** Math.round(Math.log10(reach / 8));
    const size = 400 * reach;
    const geometry = new PlaneGeometry(size, size);
    const uniforms = {
      line: { value: new Color() }, fill: { value: new Color() }, fillAlpha: { value: solid ? 0.85 : 0 },
      cell: { value: cell }, range: { value: 14 * reach }, middle: { value: { x: 0, y: 0 } },
    };
    this.lines = new Mesh(geometry, new ShaderMaterial({
      uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, side: DoubleSide,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    }));
    this.shadow = new Mesh(geometry, new ShadowMaterial({ depthWrite: false }));
    this.shadow.receiveShadow = true;
    this.lines.renderOrder = -2;
    this.shadow.renderOrder = -1;
    this.object.add(this.lines, this.shadow);
    this.object.position.copy(origin);
    this.object.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal));
  }

  paint(palette: Palette): void {
    const { uniforms } = this.lines.material;
    (uniforms["line"].value as Color).setHex(palette.grid);
    (uniforms["fill"].value as Color).setHex(palette.ground);
    this.shadow.material.opacity = this.solid ? palette.shadow : palette.shadow * 0.8;
  }

  // The lines are clear around the place that is looked at, as far as the view goes.
  follow(target: Vector3, distance: number): void {
    this.object.updateMatrixWorld();
    const local = this.object.worldToLocal(target.clone());
    const { uniforms } = this.lines.material;
    uniforms["middle"].value = { x: local.x, y: local.y };
    uniforms["range"].value = 5 * distance;
  }
}
