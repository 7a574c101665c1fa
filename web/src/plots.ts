// All plots, one below the other, with one window of time.
import { button, el } from "./dom";
import { Plot, type PlotContext } from "./plot";
import { firstPlots, type PlotConfig } from "./plotdata";

const WINDOWS: readonly [string, number][] = [["all", 0], ["2 s", 2], ["5 s", 5], ["10 s", 10], ["30 s", 30], ["60 s", 60]];
const PAUSE = 60; // ms between updates

export class Plots {
  readonly object = el("div", { class: "plots" });
  window = 0;
  private readonly plots: Plot[] = [];
  private readonly list = el("div", { class: "list" });
  private updated = -Infinity;
  private stale = true;

  constructor(private readonly context: () => PlotContext) {
    const { scene } = context();
    const select = el("select", { label: "Window of time", title: "Window of time" });
    for (const [text, value] of WINDOWS) {
      const o = el("option", { text });
      o.value = String(value);
      select.append(o);
    }
    this.window = scene.mode === "live" ? 10 : 0;
    select.value = String(this.window);
    select.addEventListener("change", () => {
      this.window = Number(select.value);
      for (const plot of this.plots) plot.unzoom();
    });
    const tools = el("div", { class: "bar" }, el("label", {}, el("span", { text: "Last" }), select),
      button("plus", "One more plot", () => this.add({ x: -1, ys: [] }), { class: "add-plot" }));
    this.object.append(tools, this.list);
    if (scene.outputs.length === 0) {
      this.list.append(el("p", { class: "empty", text: "The model has no outputs." }));
    }
    new ResizeObserver(() => this.resize()).observe(this.list);
  }

  // Needs to be in the page: plots take their width from it.
  begin(): void {
    for (const config of firstPlots(this.context().scene, 2)) this.add(config);
  }

  add(config: PlotConfig): void {
    const plot = new Plot(config, this.context, () => {
      this.plots.splice(this.plots.indexOf(plot), 1);
      plot.dispose();
    });
    this.plots.push(plot);
    this.list.append(plot.object);
    plot.rebuild();
  }

  rebuild(): void {
    for (const plot of this.plots) plot.rebuild();
  }

  private resize(): void {
    for (const plot of this.plots) plot.resize();
  }

  update(now: number, changed: boolean): void {
    this.stale ||= changed;
    if (!this.stale || now - this.updated < PAUSE || this.object.offsetParent === null) return;
    this.stale = false;
    this.updated = now;
    for (const plot of this.plots) plot.update();
  }
}
