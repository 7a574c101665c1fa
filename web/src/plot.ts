// One plot: curves with zoom and cursor. A click goes to that time.
import uPlot from "uplot";
import { button, el } from "./dom";
import { OutputPicker } from "./outputpicker";
import { plotData, type PlotConfig, type PlotData } from "./plotdata";
import { finitePairs, range } from "./resample";
import type { SeriesRing } from "./ring";
import type { Scene } from "./scene";
import type { Palette } from "./theme";
import { figure, shown } from "./units";

const HEIGHT = 168;
const FONT = "11px system-ui, sans-serif";

export interface PlotContext {
  scene: Scene;
  series: SeriesRing;
  others: readonly SeriesRing[];
  palette: Palette;
  degrees: boolean;
  window: number; // s; 0: all
  time: number; // that is shown
  seek: (time: number) => void;
}

// Curves over another output: x does not rise, so that uPlot's own paths do not fit.
function curve(u: uPlot, index: number): null {
  const data = u.data[index] as unknown as [number[], number[]];
  const series = u.series[index];
  const { ctx } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  ctx.clip();
  ctx.beginPath();
  data[0].forEach((x, i) => ctx.lineTo(u.valToPos(x, "x", true), u.valToPos(data[1][i], "y", true)));
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.strokeStyle = typeof series.stroke === "function" ? String(series.stroke(u, index)) : "";
  ctx.stroke();
  const last = data[0].length - 1;
  if (last >= 0) {
    ctx.beginPath();
    ctx.arc(u.valToPos(data[0][last], "x", true), u.valToPos(data[1][last], "y", true), 3 * devicePixelRatio, 0, 7);
    ctx.fillStyle = ctx.strokeStyle;
    ctx.fill();
  }
  ctx.restore();
  return null;
}

export class Plot {
  readonly object = el("div", { class: "plot" });
  private readonly title = el("div", { class: "legend" });
  private readonly place = el("div", { class: "canvas" });
  private readonly picker: OutputPicker;
  private chart: uPlot | undefined;
  private values: HTMLElement[] = [];
  private zoomed = false;
  private latest: PlotData | undefined;
  private downAt = 0;

  constructor(readonly config: PlotConfig, private readonly context: () => PlotContext, close: () => void) {
    this.picker = new OutputPicker(context().scene, config, () => this.rebuild());
    const tools = el("div", { class: "tools" },
      button("plus", "Choose outputs and the axis across", () => this.picker.toggle()),
      button("fit", "Show all (double click in the plot)", () => this.unzoom()),
      button("close", "Close this plot", close));
    this.object.append(el("div", { class: "head" }, this.title, tools), this.picker.object, this.place);
    if (config.ys.length === 0) this.picker.toggle();
  }

  unzoom(): void {
    this.zoomed = false;
    this.update();
  }

  private name(output: number): string {
    const { scene, degrees } = this.context();
    const { name, unit } = scene.outputs[output];
    const u = shown(unit, degrees).unit;
    return u ? `${name} [${u}]` : name;
  }

  private buildLegend(): void {
    const { palette, scene } = this.context();
    this.values = this.config.ys.map(() => el("span", { class: "value" }));
    this.title.replaceChildren(...this.config.ys.map((y, i) => {
      const mark = el("span", { class: "swatch" });
      mark.style.background = palette.plots[i % palette.plots.length];
      return el("span", { class: "item", title: this.name(y) }, mark, el("span", { class: "text", text: this.name(y) }), this.values[i]);
    }));
    if (this.config.x >= 0) this.title.append(el("span", { class: "over", text: `over ${scene.outputs[this.config.x].name}` }));
    if (this.config.ys.length === 0) this.title.append(el("span", { class: "over", text: "Choose outputs" }));
  }

  // Curves, colours or axes are others now.
  rebuild(): void {
    this.chart?.destroy();
    this.chart = undefined;
    this.zoomed = false;
    this.buildLegend();
    this.object.classList.toggle("bare", this.config.ys.length === 0);
    if (this.config.ys.length === 0) return;
    const width = this.place.clientWidth || 300;
    this.chart = new uPlot(this.options(width), this.data(), this.place);
    this.chart.over.addEventListener("pointerdown", (e) => (this.downAt = e.clientX));
    this.chart.over.addEventListener("click", (e) => this.click(e));
    this.chart.over.addEventListener("dblclick", () => this.unzoom());
    this.update();
  }

  private click(e: MouseEvent): void {
    if (!this.chart || this.config.x >= 0 || Math.abs(e.clientX - this.downAt) > 4 || e.detail > 1) return;
    this.context().seek(this.chart.posToVal(e.offsetX, "x"));
  }

  private options(width: number): uPlot.Options {
    const { palette, others } = this.context();
    const xy = this.config.x >= 0;
    const axis: uPlot.Axis = {
      stroke: palette.axis, font: FONT, grid: { stroke: palette.rule, width: 1 }, ticks: { stroke: palette.rule, width: 1, size: 4 },
      values: (_u, splits) => splits.map((v) => figure(v, 5)),
    };
    const stroke = (i: number): (() => string) => () => palette.plots[i % palette.plots.length];
    const own = this.config.ys.map((_, i): uPlot.Series => ({
      stroke: stroke(i), width: 1.5, points: { show: false }, ...(xy ? { paths: curve as unknown as uPlot.Series.PathBuilder } : {}),
    }));
    const ghosts = xy ? [] : others.flatMap(() => this.config.ys.map((_, i): uPlot.Series => ({
      stroke: stroke(i), width: 1, dash: [5, 4], alpha: 0.7, points: { show: false },
    })));
    return {
      width, height: HEIGHT, mode: xy ? 2 : 1, pxAlign: false, legend: { show: false }, padding: [8, 10, 0, 0],
      cursor: { drag: { x: true, y: xy, uni: 10 }, points: { show: !xy }, ...(xy ? {} : { sync: { key: "time" } }) },
      scales: { x: { time: false, auto: false, range: (_u, a, b) => [a, b] }, y: { auto: false, range: (_u, a, b) => [a, b] } },
      axes: [{ ...axis, size: 26 }, { ...axis, size: 52 }],
      series: [xy ? (null as unknown as uPlot.Series) : {}, ...own, ...ghosts],
      hooks: { setSelect: [(u) => this.select(u)], draw: [(u) => this.drawTime(u)], setCursor: [(u) => this.showValues(u)] },
    };
  }

  private data(): uPlot.AlignedData {
    const c = this.context();
    const d = plotData(c.series, c.others, this.config, c.scene, c.degrees, c.window);
    this.latest = d;
    if (this.config.x < 0) return [d.x, ...d.ys, ...d.ghosts];
    return [null, ...d.ys.map((y) => finitePairs(d.x, y))] as unknown as uPlot.AlignedData;
  }

  private select(u: uPlot): void {
    const { left, width, top, height } = u.select;
    if (width < 4) return;
    this.zoomed = true;
    u.batch(() => {
      u.setScale("x", { min: u.posToVal(left, "x"), max: u.posToVal(left + width, "x") });
      if (this.config.x >= 0) u.setScale("y", { min: u.posToVal(top + height, "y"), max: u.posToVal(top, "y") });
    });
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (this.config.x < 0) this.fitHeight(u);
  }

  // The y axis fits what is within the x axis.
  private fitHeight(u: uPlot): void {
    if (!this.latest) return;
    const { x, ys, ghosts } = this.latest;
    const low = u.scales["x"].min ?? -Infinity, high = u.scales["x"].max ?? Infinity;
    let from = 0, to = x.length;
    while (from < to && x[from] < low) from++;
    while (to > from && x[to - 1] > high) to--;
    const [min, max] = range([...ys, ...ghosts].map((y) => y.subarray(from, to)));
    u.setScale("y", { min, max });
  }

  update(): void {
    const u = this.chart;
    if (!u) return;
    u.batch(() => {
      u.setData(this.data(), false);
      if (!this.zoomed) this.fitAll(u);
      else if (this.config.x < 0) this.fitHeight(u);
      else u.redraw(true, false);
    });
    this.showValues(u);
  }

  private fitAll(u: uPlot): void {
    const d = this.latest;
    if (!d) return;
    if (this.config.x >= 0) {
      const [a, b] = range([d.x]);
      const [min, max] = range(d.ys);
      u.setScale("x", { min: a, max: b });
      u.setScale("y", { min, max });
      return;
    }
    const { window } = this.context();
    const last = d.x.length > 0 ? d.x[d.x.length - 1] : 1, first = d.x.length > 0 ? d.x[0] : 0;
    const min = window > 0 && last - first > 0.9 * window ? last - window : first;
    u.setScale("x", { min, max: last > min ? last : min + 1e-3 });
    const [low, high] = range([...d.ys, ...d.ghosts]);
    u.setScale("y", { min: low, max: high });
  }

  // A line at the time that the picture shows.
  private drawTime(u: uPlot): void {
    if (this.config.x >= 0) return;
    const { time, palette } = this.context();
    const x = u.valToPos(time, "x", true);
    if (!(x >= u.bbox.left && x <= u.bbox.left + u.bbox.width)) return;
    u.ctx.save();
    u.ctx.strokeStyle = palette.axis;
    u.ctx.lineWidth = devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  // Values under the cursor, or at the time that is shown.
  private showValues(u: uPlot): void {
    const d = this.latest;
    if (!d || this.config.x >= 0) return;
    const under = u.cursor.idx;
    let i = under ?? -1;
    if (i < 0) {
      i = d.x.length - 1;
      const { time } = this.context();
      while (i > 0 && d.x[i] > time + 1e-9) i--;
    }
    this.values.forEach((e, k) => (e.textContent = i >= 0 ? figure(d.ys[k]?.[i] ?? NaN) : ""));
  }

  resize(): void {
    const width = this.place.clientWidth;
    if (this.chart && width > 0 && width !== this.chart.width) this.chart.setSize({ width, height: HEIGHT });
  }

  dispose(): void {
    this.chart?.destroy();
    this.object.remove();
  }
}
