// The ground: planes, roads and height fields of the model, or a grid below the mechanism.
import {
  BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshLambertMaterial,
  Quaternion, Vector3,
} from "three";
import { Grid } from "./grid";
import type { Look } from "./look";
import type { Scene, Shape } from "./scene";

// z[ix + nx iy] at x[ix], y[iy].
export function gridGeometry(s: Pick<Shape, "x" | "y" | "z">): BufferGeometry {
  const nx = s.x.length, ny = s.y.length;
  const position = new Float32Array(3 * nx * ny);
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) position.set([s.x[i], s.y[j], s.z[i + nx * j]], 3 * (i + nx * j));
  }
  const index = new Uint32Array(6 * (nx - 1) * (ny - 1));
  let at = 0;
  for (let j = 0; j + 1 < ny; j++) {
    for (let i = 0; i + 1 < nx; i++) {
      const a = i + nx * j;
      index.set([a, a + 1, a + nx + 1, a, a + nx + 1, a + nx], at);
      at += 6;
    }
  }
  const g = new BufferGeometry();
  g.setAttribute("position", new BufferAttribute(position, 3));
  g.setIndex(new BufferAttribute(index, 1));
  g.computeVertexNormals();
  return g;
}

const LINES = 60; // across the longer side

// Lines along the grid, every nth, so that unevenness can be seen.
export function gridLines(s: Pick<Shape, "x" | "y" | "z">): Float32Array {
  const nx = s.x.length, ny = s.y.length;
  const stride = Math.max(1, Math.round(Math.max(nx, ny) / LINES));
  const out: number[] = [];
  const at = (i: number, j: number): void => void out.push(s.x[i], s.y[j], s.z[i + nx * j]);
  for (let j = 0; j < ny; j += stride) {
    for (let i = 0; i + 1 < nx; i++) {
      at(i, j);
      at(i + 1, j);
    }
  }
  for (let i = 0; i < nx; i += stride) {
    for (let j = 0; j + 1 < ny; j++) {
      at(i, j);
      at(i, j + 1);
    }
  }
  return new Float32Array(out);
}

export class Terrain {
  readonly object = new Group();
  private readonly grids: Grid[] = [];
  private readonly floor: Grid | undefined; // not of the model
  private readonly material = new MeshLambertMaterial({
    side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
  });
  private readonly lines = new LineBasicMaterial({ transparent: true, opacity: 0.55 });

  constructor(scene: Scene, floorAt: Vector3, floorNormal: Vector3) {
    for (const shape of scene.ground) {
      if (shape.kind === "plane") this.addPlane(shape, scene.reach);
      else if (shape.kind === "grid") this.addHeights(shape);
    }
    if (this.object.children.length === 0) {
      this.floor = new Grid(floorAt, floorNormal, scene.reach, false);
      this.grids.push(this.floor);
      this.object.add(this.floor.object);
    }
  }

  private addPlane(shape: Shape, reach: number): void {
    const [x, y, z, w, i, j, k] = shape.pose;
    const normal = new Vector3(0, 0, 1).applyQuaternion(new Quaternion(i, j, k, w));
    const grid = new Grid(new Vector3(x, y, z), normal, reach, true);
    this.grids.push(grid);
    this.object.add(grid.object);
  }

  private addHeights(shape: Shape): void {
    const mesh = new Mesh(gridGeometry(shape), this.material);
    const [x, y, z, w, i, j, k] = shape.pose;
    mesh.position.set(x, y, z);
    mesh.quaternion.set(i, j, k, w);
    mesh.receiveShadow = true;
    const lines = new BufferGeometry();
    lines.setAttribute("position", new BufferAttribute(gridLines(shape), 3));
    mesh.add(new LineSegments(lines, this.lines));
    this.object.add(mesh);
  }

  arrange(look: Look): void {
    this.object.visible = look.shows("ground");
    if (this.floor) this.floor.object.visible = look.shows("grid");
    for (const grid of this.grids) grid.paint(look.palette);
    this.material.color.setHex(look.palette.terrain);
    this.lines.color.setHex(look.palette.grid);
  }

  follow(target: Vector3, distance: number): void {
    for (const grid of this.grids) grid.follow(target, distance);
  }
}
