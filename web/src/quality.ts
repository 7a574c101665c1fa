// How much of a picture this machine can take (adaptive quality): frames that are slow for a while
// take a rung of a ladder away, frames that are quick for longer give one back. Where that was in
// vain the next try waits twice as long, so that the picture does not change to and fro.

export interface Rung {
  ratio: number; // pixels of the picture for one of the page, at most
  shadows: boolean;
  edges: boolean;
  error: number; // pixels that the outline of a round shape may be off
}

// In the order of what they save where there is no graphics processor: shadows cost as much as all
// bodies, the number of pixels counts for everything.
export const LADDER: readonly Rung[] = [
  { ratio: 2, shadows: true, edges: true, error: 0.25 },
  { ratio: 1, shadows: true, edges: true, error: 0.5 },
  { ratio: 1, shadows: false, edges: true, error: 0.5 },
  { ratio: 0.75, shadows: false, edges: false, error: 1 },
  { ratio: 0.5, shadows: false, edges: false, error: 1 },
];
export const WITHOUT_SHADOWS = 2; // the rung to begin with where pictures are slow

const SLOW = 1000 / 28; // ms between frames
const QUICK = 1000 / 50;
const DOWN = 1500; // ms of slow frames before a step down
const UP = 6000; // ms of quick ones before a step up
const MOST = 300000;

export class Quality {
  private slow = 0;
  private quick = 0;
  private wait = UP;
  private sinceUp = Infinity; // ms

  constructor(public level = 0) {}

  get rung(): Rung {
    return LADDER[this.level];
  }

  // gap: ms since the last frame when that was drawn too, 0 otherwise. Tells whether the level is
  // another one.
  frame(gap: number): boolean {
    this.sinceUp += gap;
    this.slow = Math.max(0, this.slow + (gap > SLOW ? Math.min(gap, 500) : -2 * gap));
    this.quick = gap > QUICK ? Math.max(0, this.quick - 10 * gap) : this.quick + gap;
    if (this.slow > DOWN && this.level + 1 < LADDER.length) return this.step(1);
    if (this.quick > this.wait && this.level > 0) return this.step(-1);
    return false;
  }

  private step(by: 1 | -1): boolean {
    if (by === 1 && this.sinceUp < 2 * UP) this.wait = Math.min(MOST, 2 * this.wait);
    this.sinceUp = by === 1 ? Infinity : 0;
    this.slow = this.quick = 0;
    this.level += by;
    return true;
  }
}

// Does the browser draw by its processor alone? Asked of a context of its own, since smoothing
// (multisampling, which costs twice the time there) is chosen where a context is made.
export function drawsInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const names = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && names ? String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
