// Numbers for reading: enough digits, prefixes for SI units, degrees for angles where wanted.

const PREFIXES: readonly [number, string][] = [
  [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "\u00b5"], [1e-9, "n"],
];

// Four digits, no exponent where it can be done without.
export function figure(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "\u2013";
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : "\u2212\u221e";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 10 ** (digits + 2) || size < 1e-4) return minus(trimExponent(value.toExponential(digits - 1)));
  return minus(trim(value.toPrecision(digits).includes("e") ? value.toFixed(0) : value.toPrecision(digits)));
}

const minus = (text: string): string => text.replace(/^-/, "\u2212");
const trim = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
const trimExponent = (text: string): string => {
  const [mantissa, exponent] = text.split("e");
  return `${trim(mantissa)}e${exponent.replace("+", "")}`;
};

// With a prefix: 0.00123 s is 1.23 ms. Units that have none of their own: plain figures.
export function withUnit(value: number, unit: string, digits = 3): string {
  if (!Number.isFinite(value)) return figure(value);
  if (unit === "") return figure(value, digits);
  const size = Math.abs(value);
  const least = 1 - 0.5 * 10 ** -digits; // it is rounded up to 1
  const [scale, prefix] =
    size === 0 ? [1, ""] : PREFIXES.find(([s]) => size >= s * least) ?? PREFIXES[PREFIXES.length - 1];
  if (size > 0 && size < 1e-9) return `${figure(value, digits)}\u202f${unit}`;
  return `${figure(value / scale, digits)}\u202f${prefix}${unit}`;
}

export interface Scaled {
  factor: number;
  unit: string;
}

// Angles as a reader wants them: rad, rad/s, rad/s^2 in degrees.
export function shown(unit: string, degrees: boolean): Scaled {
  if (degrees && /^rad(\/|$)/.test(unit)) return { factor: 180 / Math.PI, unit: unit.replace("rad", "\u00b0") };
  return { factor: 1, unit };
}

// 1, 2 or 5 times a power of ten, not smaller than the value.
export function niceCeil(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((s) => s * power >= value * (1 - 1e-12)) ?? 10;
  return step * power;
}

// Seconds as 0.000 s or 1:02.500.
export function clock(time: number): string {
  if (!Number.isFinite(time)) return "\u2013";
  const sign = time < 0 ? "\u2212" : "";
  const ms = Math.round(Math.abs(time) * 1000);
  const minutes = Math.floor(ms / 60000);
  const rest = ((ms % 60000) / 1000).toFixed(3);
  return minutes > 0 ? `${sign}${minutes}:${rest.padStart(6, "0")}` : `${sign}${rest}`;
}

// What a person typed: decimal comma, minus sign and blanks are fine. undefined: not a number.
export function parseNumber(text: string): number | undefined {
  const clean = text.trim().replace("\u2212", "-").replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(clean)) return undefined;
  const value = Number(clean);
  return Number.isFinite(value) ? value : undefined;
}

// A range for a slider whose ends nobody gave: around the value, with zero in it.
export function sliderRange(value: number, min?: number, max?: number): [number, number] {
  const span = Math.abs(value) > 0 ? 2 * niceCeil(Math.abs(value)) : 1;
  let low = min ?? (value > 0 ? 0 : -span);
  let high = max ?? (value < 0 ? 0 : span);
  if (low > value) low = value;
  if (high < value) high = value;
  return high > low ? [low, high] : [low, low + 1];
}
