// What a plot shows: columns of the runs' series over time or over another output.
import { Column } from "./player";
import { resample } from "./resample";
import type { SeriesRing } from "./ring";
import type { Scene } from "./scene";
import { shown } from "./units";

export interface PlotConfig {
  x: number; // output; -1: time
  ys: number[]; // outputs
}

const MOST = 3000; // points of a curve

export interface PlotData {
  x: Float64Array;
  ys: Float64Array[];
  ghosts: Float64Array[]; // of each other run all ys
}

// Rows of the last `window` seconds before `until` (0: all).
function rows(series: SeriesRing, window: number): [number, number] {
  const end = series.length;
  if (window <= 0 || end === 0) return [0, end];
  const last = series.at(end - 1, Column.time);
  return [series.lowerBound(Column.time, last - window), end];
}

function scaled(values: Float64Array, factor: number): Float64Array {
  if (factor !== 1) for (let i = 0; i < values.length; i++) values[i] *= factor;
  return values;
}

export function plotData(series: SeriesRing, others: readonly SeriesRing[], config: PlotConfig, scene: Scene,
  degrees: boolean, window: number): PlotData {
  const [from, to] = rows(series, window);
  const factor = (output: number): number => shown(scene.outputs[output].unit, degrees).factor;
  const take = (s: SeriesRing, output: number, a: number, b: number): Float64Array =>
    scaled(s.column(Column.outputs + output, a, b, MOST), factor(output));
  const time = series.column(Column.time, from, to, MOST);
  const ghosts = config.x >= 0 ? [] : others.flatMap((other) => {
    const own = other.column(Column.time, 0, other.length, MOST);
    return config.ys.map((y) => resample(own, take(other, y, 0, other.length), time));
  });
  return {
    x: config.x >= 0 ? take(series, config.x, from, to) : time,
    ys: config.ys.map((y) => take(series, y, from, to)), ghosts,
  };
}

// Plots to begin with: outputs of one unit together, a few of them.
export function firstPlots(scene: Scene, most: number): PlotConfig[] {
  const groups = new Map<string, number[]>();
  scene.outputs.forEach((o, i) => {
    if (/energy|work|balance|\.q[wxyz]$/i.test(o.name)) return;
    const group = groups.get(o.unit) ?? [];
    if (group.length < (o.unit === "" ? 1 : 3)) group.push(i);
    groups.set(o.unit, group);
  });
  return [...groups.values()].slice(0, most).map((ys) => ({ x: -1, ys }));
}
