// Which outputs a plot shows, and over what.
import { el } from "./dom";
import type { PlotConfig } from "./plotdata";
import type { Scene } from "./scene";

export class OutputPicker {
  readonly object = el("div", { class: "picker" });
  private readonly list = el("div", { class: "choices" });
  private readonly search = el("input", { type: "search", class: "search", label: "Find an output" });

  constructor(private readonly scene: Scene, private readonly config: PlotConfig, private readonly changed: () => void) {
    this.object.hidden = true;
    this.search.placeholder = "Find an output\u2026";
    this.search.addEventListener("input", () => this.filter());
    this.object.append(el("label", { class: "across" }, el("span", { text: "Across" }), this.across()), this.search, this.list);
  }

  private across(): HTMLSelectElement {
    const select = el("select", { label: "Axis across" });
    const option = (value: number, text: string): HTMLOptionElement => {
      const o = el("option", { text });
      o.value = String(value);
      return o;
    };
    select.append(option(-1, "time"), ...this.scene.outputs.map((o, i) => option(i, o.name)));
    select.value = String(this.config.x);
    select.addEventListener("change", () => {
      this.config.x = Number(select.value);
      this.changed();
    });
    return select;
  }

  private fill(): void {
    this.list.replaceChildren(...this.scene.outputs.map((o, i) => {
      const box = el("input", { type: "checkbox" });
      box.checked = this.config.ys.includes(i);
      box.addEventListener("change", () => {
        if (box.checked) this.config.ys.push(i);
        else this.config.ys = this.config.ys.filter((y) => y !== i);
        this.changed();
      });
      return el("label", { class: "check", data: { name: o.name } }, box, el("span", { text: o.name }), el("span", { class: "note", text: o.unit }));
    }));
  }

  private filter(): void {
    const wanted = this.search.value.trim().toLowerCase();
    for (const row of this.list.querySelectorAll<HTMLElement>("label")) {
      row.hidden = !(row.dataset["name"] ?? "").toLowerCase().includes(wanted);
    }
  }

  toggle(): void {
    this.object.hidden = !this.object.hidden;
    if (this.object.hidden) return;
    if (this.list.children.length === 0) this.fill();
    this.search.focus({ preventScroll: true });
  }
}
