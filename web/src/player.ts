// What is shown when: the newest frame of a live run, or a time that was chosen, in a live run's
// history as in a replay. Frames are kept for looking back, outputs for plots.
import type { Frame } from "./frame";
import { blendPoses } from "./pose";
import { History, SeriesRing } from "./ring";
import type { Scene } from "./scene";

const LIVE_BYTES = 96e6;
const LIVE_NUMBERS = 4e6; // of outputs kept for plots
const LIVE_ROWS = 40000;

// Columns of the series beside the outputs, which follow.
export const Column = { time: 0, kinetic: 1, potential: 2, work: 3, unexplained: 4, stepTime: 5, outputs: 6 } as const;

export interface Shown {
  frame: Frame; // at or before the time
  poses: Float32Array;
  time: number;
}

export class Player {
  readonly history: History<Frame>;
  readonly series: SeriesRing;
  playing = false; // a replay
  speed = 1;
  following = true; // a live run is shown as it comes
  cursor = 0; // time that is shown otherwise
  version = 0; // counts what is new to show
  resets = 0;
  onReset: () => void = () => undefined;
  private readonly blended: Float32Array;

  constructor(readonly scene: Scene, frames?: readonly Frame[]) {
    const width = Column.outputs + scene.outputs.length;
    this.blended = new Float32Array(7 * scene.bodies.length);
    this.history = new History(frames ? Infinity : LIVE_BYTES);
    const rows = frames ? frames.length : Math.min(LIVE_ROWS, Math.max(600, LIVE_NUMBERS / width));
    this.series = new SeriesRing(width, rows);
    for (const frame of frames ?? []) this.keep(frame);
    if (frames) {
      this.following = false;
      this.cursor = this.start;
    }
  }

  get live(): boolean {
    return this.scene.mode === "live";
  }

  get start(): number {
    return this.history.length > 0 ? this.history.at(0).time : this.scene.start;
  }

  get end(): number {
    return this.history.last()?.time ?? this.scene.start;
  }

  private keep(frame: Frame): void {
    this.history.push(frame);
    this.series.push(
      [frame.time, frame.kinetic, frame.potential, frame.work, frame.unexplained, frame.stepTime], frame.outputs);
  }

  // A frame of a live run. One that is earlier than the last: it was reset. At the same time: it
  // takes the place of the last in what is shown, and adds nothing to plots.
  receive(frame: Frame): void {
    const last = this.history.last();
    if (last && frame.time < last.time) {
      this.series.clear();
      this.history.clear();
      this.following = true;
      this.resets++;
      this.onReset();
    }
    if (last && frame.time === last.time && this.history.length > 0) this.history.replaceLast(frame);
    else this.keep(frame);
    this.version++;
  }

  seek(time: number): void {
    this.following = false;
    this.cursor = Math.min(this.end, Math.max(this.start, time));
    this.version++;
  }

  goLive(): void {
    this.following = this.live;
    this.version++;
  }

  // Time passes: a replay goes on, and stops at its end.
  advance(seconds: number): void {
    if (!this.playing || this.live) return;
    this.cursor += seconds * this.speed;
    this.version++;
    if (this.cursor >= this.end) {
      this.cursor = this.end;
      this.playing = false;
    }
  }

  // One frame back or forth.
  nudge(by: number): void {
    if (this.history.length === 0) return;
    const now = this.following ? this.history.length - 1 : this.history.indexAt(this.cursor + 1e-12);
    const next = Math.min(this.history.length - 1, Math.max(0, now + by));
    this.playing = false;
    this.seek(this.history.at(next).time);
    if (this.live && next === this.history.length - 1) this.goLive();
  }

  shown(): Shown | undefined {
    const last = this.history.last();
    if (!last) return undefined;
    if (this.following) return { frame: last, poses: last.poses, time: last.time };
    return sample(this.history, this.cursor, this.blended);
  }
}

// Frame and poses of a history at a time; between frames poses are blended into `out`.
export function sample(history: History<Frame>, time: number, out: Float32Array): Shown {
  const i = history.indexAt(time);
  const frame = history.at(i);
  const next = i + 1 < history.length ? history.at(i + 1) : undefined;
  const gap = next ? next.time - frame.time : 0;
  if (!next || gap <= 0 || time <= frame.time) return { frame, poses: frame.poses, time: Math.max(time, frame.time) };
  blendPoses(frame.poses, next.poses, (time - frame.time) / gap, out);
  return { frame, poses: out, time };
}
