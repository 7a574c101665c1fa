// What kinds of things are shown, and how long arrows are.
import { el, setText } from "./dom";
import { CATEGORIES, type Category, type Look } from "./look";
import { withUnit } from "./units";
import type { Arrows } from "./arrows";

const NAMES: Record<Category, string> = {
  bodies: "Bodies", joints: "Joints", links: "Springs, dampers, rods", ground: "Ground and roads",
  forces: "Forces and moments", traces: "Traces of points", axes: "Joint axes", grid: "Grid",
  shadows: "Shadows", edges: "Edges", ghosts: "Ghosts of other runs",
};

export class Display {
  readonly object = el("div", { class: "display" });
  private readonly boxes = new Map<Category, HTMLInputElement>();
  private readonly scaleText = el("span", { class: "value" });

  constructor(private readonly look: Look, ghosts: boolean) {
    for (const category of CATEGORIES) {
      if (category === "ghosts" && !ghosts) continue;
      const box = el("input", { type: "checkbox" });
      box.addEventListener("change", () => look.toggleCategory(category));
      this.boxes.set(category, box);
      this.object.append(el("label", { class: "check" }, box, el("span", { text: NAMES[category] })));
    }
    this.object.append(this.forceScale());
    look.onChange(() => this.mark());
    this.mark();
  }

  private forceScale(): HTMLElement {
    const slider = el("input", { type: "range", label: "Length of arrows" });
    Object.assign(slider, { min: "-2", max: "2", step: "0.1", value: "0" });
    slider.addEventListener("input", () => {
      this.look.forceScale = 2 ** Number(slider.value);
      this.look.changed();
    });
    return el("label", { class: "scale" }, el("span", { text: "Length of arrows" }), slider, this.scaleText);
  }

  private mark(): void {
    for (const [category, box] of this.boxes) box.checked = this.look.shows(category);
  }

  update(arrows: Arrows): void {
    setText(this.scaleText, arrows.count > 0 ? `longest \u2264 ${withUnit(arrows.forcePerLength, "N", 2)}` : "no forces now");
  }
}
