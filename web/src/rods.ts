// Round bars between points, all in one instanced mesh: links, pistons, shafts of arrows.
import { Color, CylinderGeometry, InstancedMesh, type BufferGeometry, type Material } from "three";
import { frameAbout } from "./coil";
import type { Vec3 } from "./pose";

// A cylinder of radius 1 from z = 0 to z = 1. open: without its ends.
export function rodGeometry(sides: number, open = false): BufferGeometry {
  return new CylinderGeometry(1, 1, 1, sides, 1, open).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

// Like it, but a cone with its tip at z = 1.
export function coneGeometry(sides: number): BufferGeometry {
  return new CylinderGeometry(0, 1, 1, sides).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

// Column-major matrix of a rod from a to b: radius across, length along. Without length: all zero.
export function rodMatrix(a: Readonly<Vec3>, b: Readonly<Vec3>, radius: number, out: Float32Array, at: number): void {
  const d: Vec3 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const length = Math.hypot(...d);
  if (!(length > 0) || !Number.isFinite(length)) {
    out.fill(0, at, at + 16);
    return;
  }
  const [u, v] = frameAbout([d[0] / length, d[1] / length, d[2] / length]);
  for (let k = 0; k < 3; k++) {
    out[at + k] = radius * u[k];
    out[at + 4 + k] = radius * v[k];
    out[at + 8 + k] = d[k];
    out[at + 12 + k] = a[k];
  }
  out[at + 3] = out[at + 7] = out[at + 11] = 0;
  out[at + 15] = 1;
}

// An instanced mesh whose instances are written anew each frame, growing when it must.
export class RodSet {
  mesh: InstancedMesh;
  private used = 0;
  private readonly tint = new Color();

  constructor(private readonly geometry: BufferGeometry, private readonly material: Material, capacity: number,
    private readonly parent: { add(o: InstancedMesh): unknown; remove(o: InstancedMesh): unknown }) {
    this.mesh = this.make(Math.max(1, capacity));
  }

  private make(capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, capacity);
    mesh.frustumCulled = false;
    mesh.count = 0;
    mesh.setColorAt(0, this.tint);
    this.parent.add(mesh);
    return mesh;
  }

  begin(): void {
    this.used = 0;
  }

  private grow(): void {
    const old = this.mesh;
    this.parent.remove(old);
    this.mesh = this.make(2 * old.instanceMatrix.count);
    this.mesh.castShadow = old.castShadow;
    this.mesh.receiveShadow = old.receiveShadow;
    this.mesh.renderOrder = old.renderOrder;
    this.mesh.instanceMatrix.array.set(old.instanceMatrix.array);
    const [from, to] = [old.instanceColor, this.mesh.instanceColor];
    if (from && to) to.array.set(from.array);
    old.dispose();
  }

  // Adds a rod; returns its number in this frame.
  add(a: Readonly<Vec3>, b: Readonly<Vec3>, radius: number, color: number): number {
    if (this.used === this.mesh.instanceMatrix.count) this.grow();
    const i = this.used++;
    rodMatrix(a, b, radius, this.mesh.instanceMatrix.array as Float32Array, 16 * i);
    this.mesh.setColorAt(i, this.tint.setHex(color));
    return i;
  }

  end(): void {
    this.mesh.count = this.used;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }

  dispose(): void {
    this.mesh.dispose();
    this.geometry.dispose();
  }
}
