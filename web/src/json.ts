// Reading JSON that came from elsewhere: every field is asked for by its type.

export class SceneError extends Error {}

export type Json = Readonly<Record<string, unknown>>;

export function object(value: unknown, where: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new SceneError(`${where}: expected an object`);
  }
  return value as Json;
}

export function list(o: Json, key: string): readonly unknown[] {
  const value = o[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new SceneError(`${key}: expected a list`);
  return value;
}

export function text(o: Json, key: string, otherwise = ""): string {
  const value = o[key];
  return typeof value === "string" ? value : otherwise;
}

export function number(o: Json, key: string, otherwise: number): number {
  const value = o[key];
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

export function maybe(o: Json, key: string): number | undefined {
  const value = o[key];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export const flag = (o: Json, key: string): boolean => o[key] === true;

// A list of finite numbers, `count` of them when given.
export function numbers(o: Json, key: string, count?: number): number[] {
  const value = list(o, key);
  if (count !== undefined && value.length !== count) {
    throw new SceneError(`${key}: expected ${count} numbers, got ${value.length}`);
  }
  return value.map((v) => {
    if (typeof v !== "number" || !Number.isFinite(v)) throw new SceneError(`${key}: expected numbers`);
    return v;
  });
}

export function index(o: Json, key: string, below: number): number {
  const value = number(o, key, -1);
  if (!Number.isInteger(value) || value < -1 || value >= below) {
    throw new SceneError(`${key}: no body ${value} among ${below}`);
  }
  return value;
}
