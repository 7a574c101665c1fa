// What is shown and how: hidden and translucent bodies, kinds of things switched off, the
// selection.
import type { Role } from "./scene";
import type { Palette } from "./theme";

export type Selection =
  | { kind: "body"; index: number }
  | { kind: "joint"; index: number }
  | { kind: "link"; index: number }
  | undefined;

export const CATEGORIES = [
  "bodies", "joints", "links", "ground", "forces", "traces", "axes", "grid", "shadows", "edges", "ghosts",
] as const;
export type Category = (typeof CATEGORIES)[number];

export class Look {
  readonly hidden = new Set<number>(); // bodies
  readonly pale = new Set<number>();
  readonly off = new Set<Category>(["axes"]);
  selection: Selection;
  forceScale = 1;
  version = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(public palette: Palette) {}

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  changed(): void {
    this.version++;
    for (const listener of this.listeners) listener();
  }

  shows(category: Category): boolean {
    return !this.off.has(category);
  }

  toggle(set: "hidden" | "pale", body: number): void {
    if (!this[set].delete(body)) this[set].add(body);
    this.changed();
  }

  toggleCategory(category: Category): void {
    if (!this.off.delete(category)) this.off.add(category);
    this.changed();
  }

  select(selection: Selection): void {
    this.selection = selection;
    this.changed();
  }

  showAll(): void {
    this.hidden.clear();
    this.pale.clear();
    this.changed();
  }

  isSelected(kind: "body" | "joint" | "link", index: number): boolean {
    return this.selection?.kind === kind && this.selection.index === index;
  }
}

export function categoryOf(role: Role): Category {
  switch (role) {
    case "joint": case "support": return "joints";
    case "spring": case "damper": case "link": return "links";
    case "ground": return "ground";
    default: return "bodies";
  }
}

export function colorOf(role: Role, body: number, palette: Palette): number {
  switch (role) {
    case "body": return body < 0 ? palette.support : palette.bodies[body % palette.bodies.length];
    default: return palette[role];
  }
}
