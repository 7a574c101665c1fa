// The tree of bodies, with joints and links below the body they hold or act on.
import { button, el, setIcon } from "./dom";
import { figure } from "./units";
import type { Look, Selection } from "./look";
import type { Scene } from "./scene";

interface Row {
  name: string;
  note: string;
  depth: number;
  selection: NonNullable<Selection>;
  element: HTMLElement;
  eye?: HTMLElement;
  pale?: HTMLElement;
}

const MOST = 4000; // rows; more would only make the page slow

export class Tree {
  readonly object = el("div", { class: "tree" });
  readonly search = el("input", { type: "search", class: "search", label: "Find a body, joint or link" });
  private readonly list = el("div", { class: "rows", role: "tree" });
  private readonly rows: Row[] = [];

  constructor(private readonly scene: Scene, private readonly look: Look, private readonly onPick: (s: NonNullable<Selection>) => void) {
    this.search.placeholder = "Find\u2026";
    this.search.addEventListener("input", () => this.filter());
    this.object.append(this.search, this.list);
    this.build();
    look.onChange(() => this.mark());
    this.mark();
  }

  // Coupled simulators one below the other, each with its bodies, joints and links.
  private build(): void {
    const { parts } = this.scene;
    if (parts.length === 0) this.buildPart(undefined);
    parts.forEach((part, k) => {
      this.partHeading(part.name, k);
      this.buildPart(k);
    });
  }

  private partHeading(name: string, part: number): void {
    const own = this.scene.bodies.flatMap((b, i) => (b.part === part ? [i] : []));
    const eye = button("eye", `Hide all of ${name}`, () => {
      const hide = !own.every((i) => this.look.hidden.has(i));
      for (const i of own) {
        if (hide) this.look.hidden.add(i);
        else this.look.hidden.delete(i);
      }
      this.look.changed();
    });
    this.look.onChange(() => setIcon(eye, own.every((i) => this.look.hidden.has(i)) ? "hidden" : "eye"));
    this.list.append(el("div", { class: "heading part", data: { part: name } }, el("span", { text: name }), eye));
  }

  // What is the simulator's own is named without it.
  private own(name: string, part: number | undefined): string {
    return part === undefined ? name : name.slice(this.scene.parts[part].name.length + 1);
  }

  private buildPart(part: number | undefined): void {
    const { bodies, joints, links } = this.scene;
    const children = new Map<number, number[]>();
    bodies.forEach((b, i) => children.set(b.parent, [...(children.get(b.parent) ?? []), i]));
    // depth first, without recursion: a chain may be long
    const roots = (children.get(-1) ?? []).filter((b) => bodies[b].part === part);
    const stack = roots.map((b) => ({ body: b, depth: 0 })).reverse();
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { body, depth } = next;
      this.addBody(body, depth, part);
      for (const child of [...(children.get(body) ?? [])].reverse()) stack.push({ body: child, depth: depth + 1 });
    }
    const loops = joints.flatMap((j, i) => (j.loop && j.part === part ? [i] : []));
    if (loops.length > 0) this.heading("Loop joints");
    for (const i of loops) this.add(this.own(joints[i].name, part), joints[i].kind, 0, { kind: "joint", index: i });
    const shown = links.flatMap((l, i) => (l.part !== part || l.role === "body" || l.kind === "bar" ? [] : [i]));
    if (shown.length > 0) this.heading("Springs, dampers, rods");
    for (const i of shown) this.add(this.own(links[i].name, part), links[i].kind, 0, { kind: "link", index: i });
  }

  private addBody(body: number, depth: number, part: number | undefined): void {
    const { bodies, joints } = this.scene;
    const b = bodies[body];
    this.add(this.own(b.name, part), b.mass > 0 ? `${figure(b.mass, 3)}\u202fkg` : "", depth, { kind: "body", index: body });
    joints.forEach((j, i) => {
      if (j.b === body && !j.loop && j.kind !== "fixed" && j.kind !== "free") this.add(this.own(j.name, part), j.kind, depth + 1, { kind: "joint", index: i });
    });
  }

  private heading(text: string): void {
    this.list.append(el("div", { class: "heading", text }));
  }

  private add(name: string, note: string, depth: number, selection: NonNullable<Selection>): void {
    if (this.rows.length >= MOST) return;
    const label = el("button", { type: "button", class: "name", title: `${selection.kind} ${name}` },
      el("span", { class: `mark ${selection.kind}` }), el("span", { class: "text", text: name }), el("span", { class: "note", text: note }));
    label.addEventListener("click", () => this.onPick(selection));
    const element = el("div", { class: "row", role: "treeitem" }, label);
    element.style.setProperty("--depth", String(Math.min(depth, 10)));
    const row: Row = { name, note, depth, selection, element };
    if (selection.kind === "body") {
      row.pale = button("pale", `Translucent: ${name}`, () => this.look.toggle("pale", selection.index));
      row.eye = button("eye", `Hide ${name}`, () => this.look.toggle("hidden", selection.index));
      element.append(row.pale, row.eye);
    }
    this.rows.push(row);
    this.list.append(element);
  }

  private filter(): void {
    const wanted = this.search.value.trim().toLowerCase();
    for (const row of this.rows) {
      row.element.hidden = wanted !== "" && !`${row.name} ${row.note}`.toLowerCase().includes(wanted);
    }
    for (const h of this.list.querySelectorAll<HTMLElement>(".heading")) h.hidden = wanted !== "";
  }

  private mark(): void {
    const { look } = this;
    for (const row of this.rows) {
      const { kind, index } = row.selection;
      const chosen = look.isSelected(kind, index);
      if (chosen && !row.element.classList.contains("selected")) row.element.scrollIntoView({ block: "nearest" });
      row.element.classList.toggle("selected", chosen);
      if (kind !== "body" || !row.eye || !row.pale) continue;
      const color = look.palette.bodies[index % look.palette.bodies.length];
      row.element.style.setProperty("--body", `#${color.toString(16).padStart(6, "0")}`);
      row.element.classList.toggle("hidden-body", look.hidden.has(index));
      setIcon(row.eye, look.hidden.has(index) ? "hidden" : "eye");
      row.eye.classList.toggle("on", look.hidden.has(index));
      row.pale.classList.toggle("on", look.pale.has(index));
    }
  }
}
