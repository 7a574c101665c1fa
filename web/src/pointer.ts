// Mouse, pen and fingers on the picture: turn, shift, zoom, select, pull.
import type { Pull } from "./pull";
import type { World } from "./world";

const STILL = 5; // pixels that a click may move

interface Finger {
  x: number;
  y: number;
}

export class Pointer {
  pulling = false; // the tool: every drag on a body pulls
  private readonly fingers = new Map<number, Finger>();
  private start: Finger = { x: 0, y: 0 };
  private moved = false;
  private mode: "turn" | "pan" | "pull" = "turn";

  constructor(private readonly canvas: HTMLCanvasElement, private readonly world: World, private readonly pull: Pull) {
    canvas.addEventListener("pointerdown", (e) => this.down(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    for (const name of ["pointerup", "pointercancel"] as const) canvas.addEventListener(name, (e) => this.up(e));
    canvas.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    canvas.addEventListener("dblclick", (e) => this.focus(e));
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  }

  private down(e: PointerEvent): void {
    this.canvas.setPointerCapture(e.pointerId);
    this.canvas.focus({ preventScroll: true });
    this.fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (this.fingers.size > 1) {
      if (this.mode === "pull") this.pull.end();
      this.mode = "pan";
      this.moved = true;
      return;
    }
    this.start = { x: e.clientX, y: e.clientY };
    this.moved = false;
    this.mode = e.button === 0 && !e.shiftKey ? "turn" : "pan";
    if (e.button === 0 && (this.pulling || e.ctrlKey || e.metaKey) && this.pull.begin(e.clientX, e.clientY)) {
      this.mode = "pull";
      this.canvas.classList.add("pulling");
    }
  }

  private move(e: PointerEvent): void {
    const finger = this.fingers.get(e.pointerId);
    if (!finger) return;
    const dx = e.clientX - finger.x, dy = e.clientY - finger.y;
    if (Math.hypot(e.clientX - this.start.x, e.clientY - this.start.y) > STILL) this.moved = true;
    if (this.fingers.size === 2) this.pinch(e);
    else if (this.mode === "pull") this.pull.move(e.clientX, e.clientY);
    else if (this.moved && this.mode === "turn") this.turn(dx, dy);
    else if (this.moved) this.shift(dx, dy);
    finger.x = e.clientX;
    finger.y = e.clientY;
  }

  private turn(dx: number, dy: number): void {
    this.world.camera.turn(dx * 0.006, dy * 0.006);
  }

  private shift(dx: number, dy: number): void {
    this.world.camera.pan(dx, dy);
  }

  // Two fingers: their middle shifts, their distance zooms.
  private pinch(e: PointerEvent): void {
    const other = [...this.fingers].find(([id]) => id !== e.pointerId)?.[1];
    const own = this.fingers.get(e.pointerId);
    if (!other || !own) return;
    const before = Math.hypot(own.x - other.x, own.y - other.y);
    const after = Math.hypot(e.clientX - other.x, e.clientY - other.y);
    this.world.camera.pan((e.clientX - own.x) / 2, (e.clientY - own.y) / 2);
    if (before > 0 && after > 0) this.world.camera.zoom(before / after);
  }

  private up(e: PointerEvent): void {
    if (!this.fingers.delete(e.pointerId)) return;
    if (this.mode === "pull") this.pull.end();
    this.canvas.classList.remove("pulling");
    if (!this.moved && e.type === "pointerup" && e.button === 0 && this.mode !== "pull") {
      this.world.look.select(this.world.pick(e.clientX, e.clientY)?.selection);
    }
    if (this.fingers.size === 0) this.mode = "turn";
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const lines = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 * e.deltaY : e.deltaY;
    const factor = Math.exp(Math.min(120, Math.max(-120, lines)) * 0.0016);
    this.world.camera.zoom(factor, (2 * (e.clientX - left)) / width - 1, 1 - (2 * (e.clientY - top)) / height);
  }

  private focus(e: MouseEvent): void {
    const picked = this.world.pick(e.clientX, e.clientY);
    this.world.fit(picked && picked.body >= 0 ? picked.body : undefined);
  }
}
