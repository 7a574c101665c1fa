// A run's values at the times of another, linearly between its own; NaN outside of them.
export function resample(times: ArrayLike<number>, values: ArrayLike<number>, at: ArrayLike<number>): Float64Array {
  const out = new Float64Array(at.length).fill(NaN);
  let i = 0;
  for (let k = 0; k < at.length; k++) {
    const t = at[k];
    if (times.length === 0 || t < times[0] || t > times[times.length - 1]) continue;
    while (i + 1 < times.length && times[i + 1] < t) i++;
    while (i > 0 && times[i] > t) i--;
    const j = Math.min(i + 1, times.length - 1);
    const gap = times[j] - times[i];
    out[k] = gap > 0 ? values[i] + ((t - times[i]) / gap) * (values[j] - values[i]) : values[j];
  }
  return out;
}

// The same values without what has no value: both columns.
export function finitePairs(x: ArrayLike<number>, y: ArrayLike<number>): [number[], number[]] {
  const a: number[] = [], b: number[] = [];
  for (let i = 0; i < x.length; i++) {
    if (Number.isFinite(x[i]) && Number.isFinite(y[i])) {
      a.push(x[i]);
      b.push(y[i]);
    }
  }
  return [a, b];
}

// Smallest and largest with some room, never of no width.
export function range(columns: readonly ArrayLike<number>[]): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const column of columns) {
    for (let i = 0; i < column.length; i++) {
      if (column[i] < low) low = column[i];
      if (column[i] > high) high = column[i];
    }
  }
  if (!(low <= high)) return [0, 1];
  const pad = high > low ? 0.06 * (high - low) : Math.max(1e-6, 0.05 * Math.abs(high));
  return [low - pad, high + pad];
}
