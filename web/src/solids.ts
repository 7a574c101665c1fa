// Shapes on bodies and on the ground, drawn as instances: one draw call for all that share a
// geometry.
import {
  Color, Group, InstancedMesh, LineBasicMaterial, Matrix4, MeshLambertMaterial, type BufferGeometry, type Intersection,
  type Raycaster,
} from "three";
import { InstancedEdges } from "./edges";
import { detailFor, edgesOf, makeGeometry, roundness, sharedGeometry } from "./geometry";
import { categoryOf, colorOf, type Look } from "./look";
import { multiplyAffine, poseMatrix } from "./pose";
import type { Scene, Shape } from "./scene";
import { isOn, type Frame } from "./frame";

export interface SolidItem {
  body: number;
  shape: Shape;
  key: string;
  local: Float64Array; // pose and scale in the body's frame
}

interface Batch {
  mesh: InstancedMesh;
  edges?: InstancedEdges;
  items: SolidItem[];
  there: Uint8Array; // of each item: whether it was there when it was placed last
  placed: boolean;
  round: number; // largest radius of its items [m]; 0: nothing is round
  detail: number;
}

// Pixels for a metre at a place; 0: it is behind the eye.
export type PixelsAt = (x: number, y: number, z: number) => number;

const FLAT = new Set(["plane", "grid"]); // drawn by terrain.ts

function makeItem(body: number, shape: Shape): SolidItem {
  const { key, scale } = sharedGeometry(shape);
  const local = new Float64Array(16);
  poseMatrix(shape.pose, 0, local);
  for (let i = 0; i < 12; i++) local[i] *= scale[i >> 2];
  return { body, shape, key, local };
}

export class Solids {
  readonly object = new Group();
  private readonly items: SolidItem[];
  private readonly geometries = new Map<string, BufferGeometry>();
  private readonly edges = new Map<string, BufferGeometry | undefined>();
  private readonly solid = new MeshLambertMaterial();
  private readonly pale = new MeshLambertMaterial({ transparent: true, opacity: 0.28, depthWrite: false });
  private readonly lines = new LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.38 });
  private batches: Batch[] = [];

  // ghost: another run, all in one translucent colour
  constructor(private readonly scene: Scene, private readonly ghost?: number) {
    this.items = [
      ...scene.bodies.flatMap((b, i) => b.shapes.map((s) => makeItem(i, s))),
      ...(ghost === undefined ? scene.ground.filter((s) => !FLAT.has(s.kind)).map((s) => makeItem(-1, s)) : []),
    ];
    if (ghost !== undefined) this.pale.opacity = 0.22;
  }

  private geometry(item: SolidItem, detail: number): BufferGeometry {
    const key = `${item.key} ${detail}`;
    let g = this.geometries.get(key);
    if (!g) this.geometries.set(key, (g = makeGeometry(item.shape, detail)));
    return g;
  }

  private edgeGeometry(item: SolidItem, detail: number): BufferGeometry | undefined {
    const key = `${item.key} ${detail}`;
    if (!this.edges.has(key)) this.edges.set(key, edgesOf(item.key, this.geometry(item, detail)));
    return this.edges.get(key);
  }

  private isPale(item: SolidItem, look: Look): boolean {
    return this.ghost !== undefined || item.shape.pale || look.pale.has(item.body);
  }

  private isShown(item: SolidItem, look: Look): boolean {
    return look.shows(categoryOf(item.shape.role)) && !look.hidden.has(item.body);
  }

  private color(item: SolidItem, look: Look): number {
    if (this.ghost !== undefined) return this.ghost;
    const { selection, palette } = look;
    const joint = selection?.kind === "joint" ? this.scene.joints[selection.index] : undefined;
    const chosen = item.shape.role === "joint"
      ? joint !== undefined && joint.name === item.shape.name
      : item.body >= 0 && look.isSelected("body", item.body);
    return chosen ? palette.selected : colorOf(item.shape.role, item.body, palette);
  }

  // Sorts the items anew after something was hidden, shown, selected, or the theme changed.
  arrange(look: Look): void {
    const groups = new Map<string, SolidItem[]>();
    for (const item of this.items) {
      if (!this.isShown(item, look)) continue;
      const key = `${this.isPale(item, look) ? "pale" : "solid"} ${item.key}`;
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
    for (const batch of this.batches) batch.mesh.dispose();
    this.object.clear();
    this.batches = [...groups].map(([key, items]) => this.makeBatch(key, items, look));
  }

  private makeBatch(key: string, items: SolidItem[], look: Look): Batch {
    const pale = key.startsWith("pale");
    const mesh = new InstancedMesh(this.geometry(items[0], 0), pale ? this.pale : this.solid, items.length);
    mesh.frustumCulled = false;
    mesh.castShadow = !pale && look.shows("shadows");
    mesh.receiveShadow = !pale;
    mesh.renderOrder = pale ? 2 : 0;
    const color = new Color();
    items.forEach((item, i) => mesh.setColorAt(i, color.setHex(this.color(item, look))));
    this.object.add(mesh);
    const lines = look.shows("edges") && this.ghost === undefined ? this.edgeGeometry(items[0], 0) : undefined;
    const edges = lines && new InstancedEdges(lines, this.lines, mesh);
    if (edges) this.object.add(edges);
    return {
      mesh, items, there: new Uint8Array(items.length), placed: false, detail: 0,
      round: items.reduce((most, item) => Math.max(most, roundness(item.shape)), 0), ...(edges ? { edges } : {}),
    };
  }

  // matrices: of the bodies, 16 numbers each, and those of the ground behind them; moved: bodies
  // whose matrix is another one than at the last call. Only what changed goes to the graphics card.
  update(matrices: Float64Array, frame: Frame, moved: Uint8Array): void {
    for (const batch of this.batches) {
      let first = batch.items.length, last = -1;
      batch.items.forEach((item, i) => {
        const there = isOn(frame, item.shape.bit) ? 1 : 0;
        if (batch.placed && there === batch.there[i] && !(item.body >= 0 && moved[item.body])) return;
        this.place(batch, i, there === 1, matrices);
        first = Math.min(first, i);
        last = i;
      });
      batch.placed = true;
      if (last < first) continue;
      const { instanceMatrix } = batch.mesh;
      instanceMatrix.addUpdateRange(16 * first, 16 * (last - first + 1));
      instanceMatrix.needsUpdate = true;
    }
  }

  private place({ mesh, items, there }: Batch, i: number, on: boolean, matrices: Float64Array): void {
    const { body, local } = items[i], out = mesh.instanceMatrix.array;
    there[i] = on ? 1 : 0;
    if (!on) out.fill(0, 16 * i, 16 * i + 16);
    else multiplyAffine(matrices, body < 0 ? matrices.length - 16 : 16 * body, local, 0, out, 16 * i);
  }

  // Level of detail: round shapes as coarse as the nearest of their kind allows, with outlines
  // within `error` pixels.
  refine(pixelsAt: PixelsAt, error: number, edges: boolean): void {
    for (const batch of this.batches) {
      if (batch.edges) batch.edges.visible = edges;
      if (batch.round === 0) continue;
      let most = 0;
      const m = batch.mesh.instanceMatrix.array;
      batch.items.forEach((item, i) => {
        most = Math.max(most, roundness(item.shape) * pixelsAt(m[16 * i + 12], m[16 * i + 13], m[16 * i + 14]));
      });
      const detail = detailFor(most, error);
      if (detail === batch.detail) continue;
      batch.detail = detail;
      batch.mesh.geometry = this.geometry(batch.items[0], detail);
      const lines = batch.edges && this.edgeGeometry(batch.items[0], detail);
      if (batch.edges && lines) batch.edges.geometry = lines;
    }
  }

  // The nearest item that a ray meets.
  pick(ray: Raycaster): { item: SolidItem; hit: Intersection } | undefined {
    let best: { item: SolidItem; hit: Intersection } | undefined;
    for (const { mesh, items } of this.batches) {
      mesh.boundingSphere = null; // it moved
      for (const hit of ray.intersectObject(mesh, false)) {
        if (hit.instanceId === undefined || (best && best.hit.distance <= hit.distance)) continue;
        best = { item: items[hit.instanceId], hit };
      }
    }
    return best;
  }

  // Corners of the boxes around all shapes that are shown, for fitting the view.
  eachCorner(visit: (x: number, y: number, z: number) => void, only?: number): void {
    const m = new Matrix4();
    for (const { mesh, items } of this.batches) {
      const g = mesh.geometry;
      if (!g.boundingBox) g.computeBoundingBox();
      const box = g.boundingBox;
      if (!box) continue;
      items.forEach((item, i) => {
        if (item.shape.role === "ground" || (only !== undefined && item.body !== only)) return;
        mesh.getMatrixAt(i, m);
        for (let c = 0; c < 8; c++) {
          const x = c & 1 ? box.max.x : box.min.x, y = c & 2 ? box.max.y : box.min.y, z = c & 4 ? box.max.z : box.min.z;
          const a = m.elements;
          visit(a[0] * x + a[4] * y + a[8] * z + a[12], a[1] * x + a[5] * y + a[9] * z + a[13],
            a[2] * x + a[6] * y + a[10] * z + a[14]);
        }
      });
    }
  }

  dispose(): void {
    for (const batch of this.batches) batch.mesh.dispose();
    for (const g of [...this.geometries.values(), ...this.edges.values()]) g?.dispose();
    for (const m of [this.solid, this.pale, this.lines]) m.dispose();
  }
}
