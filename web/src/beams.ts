// Flexible beams: a round tube along a smooth curve through their nodes.
import { BufferAttribute, BufferGeometry, CatmullRomCurve3, DoubleSide, Group, Mesh, MeshLambertMaterial, Vector3 } from "three";
import { frameAbout } from "./coil";
import type { Look } from "./look";
import type { Numbers, Vec3 } from "./pose";
import type { Scene } from "./scene";

const SIDES = 8;
const PER_SPAN = 6;

interface Beam {
  bodies: number[];
  curve: CatmullRomCurve3;
  mesh: Mesh<BufferGeometry, MeshLambertMaterial>;
  rings: number; // the first and the last close the ends
  radius: number;
}

function tubeGeometry(rings: number): BufferGeometry {
  const g = new BufferGeometry();
  for (const name of ["position", "normal"]) {
    g.setAttribute(name, new BufferAttribute(new Float32Array(3 * rings * SIDES), 3));
  }
  const index: number[] = [];
  for (let i = 0; i + 1 < rings; i++) {
    for (let j = 0; j < SIDES; j++) {
      const a = i * SIDES + j, b = i * SIDES + ((j + 1) % SIDES);
      index.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
    }
  }
  g.setIndex(index);
  return g;
}

export class Beams {
  readonly object = new Group();
  private readonly beams: Beam[];

  constructor(private readonly scene: Scene, private readonly ghost?: number) {
    this.beams = scene.beams.filter((b) => b.bodies.length > 1).map((b) => {
      const rings = (b.bodies.length - 1) * PER_SPAN + 3;
      const style = ghost === undefined ? {} : { transparent: true, opacity: 0.25, depthWrite: false };
      const mesh = new Mesh(tubeGeometry(rings), new MeshLambertMaterial({ side: DoubleSide, ...style }));
      mesh.frustumCulled = false;
      this.object.add(mesh);
      return { bodies: b.bodies, curve: new CatmullRomCurve3(b.bodies.map(() => new Vector3())), mesh, rings, radius: this.radius(b.bodies) };
    });
  }

  // As thick as the bars that it stands for.
  private radius(bodies: readonly number[]): number {
    const bar = this.scene.links.find((l) => l.kind === "bar" && bodies.includes(l.a.body) && bodies.includes(l.b.body));
    return bar && bar.radius > 0 ? bar.radius : this.scene.unit;
  }

  arrange(look: Look): void {
    this.object.visible = look.shows("bodies");
    for (const beam of this.beams) {
      const chosen = beam.bodies.some((b) => look.isSelected("body", b));
      const { bodies, selected } = look.palette;
      beam.mesh.material.color.setHex(this.ghost ?? (chosen ? selected : bodies[beam.bodies[0] % bodies.length]));
      beam.mesh.castShadow = this.ghost === undefined && look.shows("shadows");
      beam.mesh.visible = !beam.bodies.some((b) => look.hidden.has(b));
    }
  }

  update(poses: Numbers): void {
    for (const beam of this.beams) {
      beam.bodies.forEach((b, i) => {
        if (b >= 0) beam.curve.points[i].set(poses[7 * b], poses[7 * b + 1], poses[7 * b + 2]);
      });
      this.write(beam);
    }
  }

  private write({ curve, mesh, rings, radius }: Beam): void {
    const { position, normal } = mesh.geometry.attributes;
    const p = new Vector3(), t = new Vector3();
    for (let i = 0; i < rings; i++) {
      const s = Math.min(1, Math.max(0, (i - 1) / (rings - 3)));
      const r = i === 0 || i === rings - 1 ? 0 : radius;
      curve.getPoint(s, p);
      curve.getTangent(s, t);
      const n: Vec3 = t.lengthSq() > 0 ? [t.x, t.y, t.z] : [0, 0, 1];
      const [u, v] = frameAbout(n);
      for (let j = 0; j < SIDES; j++) {
        const c = Math.cos((2 * Math.PI * j) / SIDES), s = Math.sin((2 * Math.PI * j) / SIDES);
        const d = [0, 1, 2].map((k) => c * u[k] + s * v[k]);
        normal.setXYZ(i * SIDES + j, d[0], d[1], d[2]);
        position.setXYZ(i * SIDES + j, p.x + r * d[0], p.y + r * d[1], p.z + r * d[2]);
      }
    }
    position.needsUpdate = normal.needsUpdate = true;
  }

  dispose(): void {
    for (const { mesh } of this.beams) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }
}
