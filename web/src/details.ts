// What is known of the thing that is selected: kind, place, speed of a body is left to outputs.
import { el, setText } from "./dom";
import type { Look } from "./look";
import { rotate, transform, type Vec3 } from "./pose";
import type { Scene } from "./scene";
import { linkEnds } from "./links";
import { figure, withUnit } from "./units";

const place = (p: readonly number[]): string => p.map((v) => figure(Math.abs(v) < 1e-4 ? 0 : v, 3)).join(", ");

function parent(scene: Scene, body: number): string {
  return body < 0 ? "ground" : scene.bodies[body].name;
}

// The rows of the selection: name and value.
export function detailRows(scene: Scene, look: Look, poses: Float32Array): [string, string][] {
  const s = look.selection;
  if (!s) return [];
  if (s.kind === "body") {
    const b = scene.bodies[s.index];
    const at = 7 * s.index;
    const z: Vec3 = rotate(poses, at, [0, 0, 1], [0, 0, 0]);
    return [
      ["Body", b.name], ["On", parent(scene, b.parent)], ["Mass", withUnit(b.mass * 1000, "g")],
      ["Origin [m]", place([...poses.subarray(at, at + 3)])], ["Centre of mass [m]", place(transform(poses, at, b.com, [0, 0, 0]))],
      ["z axis", place(z)],
    ];
  }
  if (s.kind === "joint") {
    const j = scene.joints[s.index];
    return [["Joint", j.name], ["Kind", j.kind], ["Between", `${parent(scene, j.a)}, ${parent(scene, j.b)}`]];
  }
  const l = scene.links[s.index];
  const [a, b] = linkEnds(l, poses);
  const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  return [["Link", l.name], ["Kind", l.kind], ["Between", `${parent(scene, l.a.body)}, ${parent(scene, l.b.body)}`], ["Length", withUnit(length, "m", 4)]];
}

export class Details {
  readonly object = el("dl", { class: "details" });
  private cells: HTMLElement[] = [];
  private key = "";

  constructor(private readonly scene: Scene, private readonly look: Look) {}

  update(poses: Float32Array): void {
    const rows = detailRows(this.scene, this.look, poses);
    const key = rows.map((r) => r[0]).join("|");
    this.object.hidden = rows.length === 0;
    if (key !== this.key) {
      this.key = key;
      this.cells = rows.map(() => el("dd"));
      this.object.replaceChildren(...rows.flatMap((r, i) => [el("dt", { text: r[0] }), this.cells[i]]));
    }
    rows.forEach((r, i) => setText(this.cells[i], r[1]));
  }
}
