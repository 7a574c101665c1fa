// Run, pause, step, speed, and the line of time with its events.
import { button, el, setIcon, setText } from "./dom";
import { Flag, type Frame } from "./frame";
import { nextSpeed, type Operator } from "./operator";
import type { Player } from "./player";
import { clock, figure, withUnit } from "./units";

const STEPS = 2000;

export class Transport {
  readonly object: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly live: HTMLButtonElement;
  private readonly slower: HTMLButtonElement;
  private readonly faster: HTMLButtonElement;
  private readonly speed = el("span", { class: "speed", title: "Simulated seconds per second" });
  private readonly time = el("span", { class: "clock" });
  private readonly slider = el("input", { type: "range", class: "timeline", label: "Time" });
  private readonly marks = el("div", { class: "marks" });
  private readonly timing = el("span", { class: "timing" });
  private marked = "";

  constructor(private readonly operator: Operator, private readonly player: Player) {
    this.play = button("play", "Run or pause (space)", () => this.toggle(), { class: "main", id: "run" });
    this.live = el("button", { type: "button", class: "live", text: "Live", title: "Back to the present (End)", on: { click: () => player.goLive() } });
    this.slower = button("minus", "Slower (\u2212)", () => operator.setSpeed(nextSpeed(operator.speed, false)));
    this.faster = button("plus", "Faster (+)", () => operator.setSpeed(nextSpeed(operator.speed, true)));
    Object.assign(this.slider, { min: "0", max: String(STEPS), value: "0", step: "1" });
    this.slider.addEventListener("input", () => this.scrub());
    this.live.hidden = !player.live;
    this.object = el("div", { class: "transport" },
      el("div", { class: "group" },
        button("reset", "Back to the start (R)", () => operator.reset(), { id: "reset" }),
        button("back", "One frame back (,)", () => operator.step(-1), { id: "back" }),
        this.play,
        button("step", "One step (.)", () => operator.step(1), { id: "step" })),
      el("div", { class: "group speeds" }, this.slower, this.speed, this.faster),
      el("div", { class: "line" }, this.time, el("div", { class: "rail" }, this.slider, this.marks), this.live),
      this.timing);
  }

  toggle(): void {
    if (this.operator.running) this.operator.pause();
    else this.operator.run();
  }

  private scrub(): void {
    const { start, end } = this.player;
    this.player.seek(start + ((end - start) * Number(this.slider.value)) / STEPS);
  }

  update(time: number, frame: Frame | undefined): void {
    const { player, operator } = this;
    setIcon(this.play, operator.running ? "pause" : "play");
    setText(this.speed, operator.speed === 0 ? "max" : `${figure(operator.speed, 3)}\u00d7`);
    setText(this.time, `${clock(time)}\u202fs`);
    const span = player.end - player.start;
    if (document.activeElement !== this.slider || player.following || operator.running) {
      this.slider.value = String(span > 0 ? Math.round((STEPS * (time - player.start)) / span) : 0);
    }
    this.live.classList.toggle("on", player.following);
    if (frame) this.showTiming(frame);
  }

  // The longest step of late, and how many took longer than they advance the time.
  private showTiming(f: Frame): void {
    const { live } = this.player;
    if (!live) {
      setText(this.timing, "");
      return;
    }
    const late = f.overruns > 0 ? ` \u00b7 ${f.overruns} late` : "";
    const pace = this.operator.running && f.speed > 0 ? ` \u00b7 ${figure(f.speed, 2)}\u00d7` : "";
    const state = f.flags & Flag.failed ? "step failed" : f.flags & Flag.ended ? "end reached" : `step ${withUnit(f.stepTime, "s", 2)}${late}${pace}`;
    setText(this.timing, state);
    this.timing.title = `Step of ${withUnit(f.stepLength, "s")}: longest of late ${withUnit(f.stepTime, "s")} of CPU time; ${f.steps} steps, ${f.overruns} took longer than they advance the time`;
    this.timing.classList.toggle("late", (f.flags & (Flag.late | Flag.failed)) !== 0);
  }

  // Ticks of events on the line of time.
  mark(events: readonly { time: number; text: string }[]): void {
    const { start, end } = this.player;
    const span = end - start;
    const inside = span > 0 ? events.filter((e) => e.time >= start && e.time <= end) : [];
    const key = `${start.toFixed(2)} ${end.toFixed(2)} ${inside.length}`;
    if (key === this.marked) return;
    this.marked = key;
    this.marks.replaceChildren(...inside.slice(-200).map((e) => {
      const tick = el("span", { class: "tick", title: `${clock(e.time)}: ${e.text}` });
      tick.style.left = `${(100 * (e.time - start)) / span}%`;
      return tick;
    }));
  }
}
