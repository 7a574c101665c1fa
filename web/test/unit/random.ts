// Numbers at random that are the same every time, unless SARRUS_TEST_SEED is another.
export function random(seed = Number(process.env["SARRUS_TEST_SEED"] ?? 1)): () => number {
  let s = (seed * 2654435761) >>> 0 || 1;
  return () => {
    s ^= s << 13;
    s >>>= 0;
    s ^= s >>> 17;
    s ^= s << 5;
    s >>>= 0;
    return s / 2 ** 32;
  };
}
