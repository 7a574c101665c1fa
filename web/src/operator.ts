// Operating the run: the same buttons for a live run (commands to the server) and for a replay.
import type { Connection } from "./connection";
import type { Player } from "./player";
import type { Vec3 } from "./pose";

export const SPEEDS: readonly number[] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

export interface Operator {
  readonly canOperate: boolean; // inputs, parameters and pulling; not in a replay or when read-only
  running: boolean;
  speed: number; // 0: as fast as it goes
  readonly: boolean;
  run(): void;
  pause(): void;
  step(by: number): void;
  reset(): void;
  setSpeed(value: number): void;
  input(name: string, value: number): void;
  parameter(name: string, value: number): void;
  pull(body: number, point: Vec3, to: Vec3): void;
  release(): void;
}

// The next speed of the ladder, up or down.
export function nextSpeed(speed: number, up: boolean): number {
  if (speed === 0) return up ? 0 : SPEEDS[SPEEDS.length - 1];
  const faster = SPEEDS.find((s) => s > speed * 1.001);
  const slower = [...SPEEDS].reverse().find((s) => s < speed * 0.999);
  return up ? faster ?? 0 : slower ?? SPEEDS[0];
}

export class LiveOperator implements Operator {
  running = false;
  speed = 1;

  constructor(private readonly connection: Connection, private readonly player: Player, public readonly: boolean) {}

  get canOperate(): boolean {
    return !this.readonly;
  }

  run(): void {
    this.player.goLive();
    this.connection.send({ type: "run" });
  }

  pause(): void {
    this.connection.send({ type: "pause" });
  }

  // Back is a look into the history; forward from there comes to the present first.
  step(by: number): void {
    if (by < 0 || !this.player.following) this.player.nudge(by);
    else this.connection.send({ type: "step", count: by });
  }

  reset(): void {
    this.player.goLive();
    this.connection.send({ type: "reset" });
  }

  setSpeed(value: number): void {
    this.connection.send({ type: "speed", value });
  }

  input(name: string, value: number): void {
    this.connection.send({ type: "input", name, value });
  }

  parameter(name: string, value: number): void {
    this.connection.send({ type: "parameter", name, value });
  }

  pull(body: number, point: Vec3, to: Vec3): void {
    this.connection.send({ type: "pull", body, point, to });
  }

  release(): void {
    this.connection.send({ type: "release" });
  }
}

export class ReplayOperator implements Operator {
  readonly canOperate = false;
  readonly = false;

  constructor(private readonly player: Player) {}

  get running(): boolean {
    return this.player.playing;
  }

  get speed(): number {
    return this.player.speed;
  }

  run(): void {
    if (this.player.cursor >= this.player.end) this.player.seek(this.player.start);
    this.player.playing = true;
  }

  pause(): void {
    this.player.playing = false;
  }

  step(by: number): void {
    this.player.nudge(by);
  }

  reset(): void {
    this.player.seek(this.player.start);
  }

  setSpeed(value: number): void {
    this.player.speed = value > 0 ? value : 100;
  }

  input(): void {}
  parameter(): void {}
  pull(): void {}
  release(): void {}
}
