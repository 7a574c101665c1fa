// The energy audit as a gauge: what there is, what came in, and what nobody can explain.
import { el, setText } from "./dom";
import type { Frame } from "./frame";
import { withUnit } from "./units";

const FINEST = -12; // of the gauge, powers of ten
const GOOD = 1e-4;
const FAIR = 1e-2;

// How much of the energy that moved is unexplained. Moved: kinetic energy, and what changed
// otherwise. What the sum of energies rounds in so many steps is not unexplained: a heap at rest
// moves less than that.
export class EnergyScale {
  private largest = 0;
  private first: number | undefined;

  ratio(f: Pick<Frame, "kinetic" | "potential" | "work" | "unexplained" | "steps">): number {
    if (!Number.isFinite(f.unexplained)) return NaN; // not known
    this.first ??= f.potential;
    const moved = Math.max(Math.abs(f.kinetic), Math.abs(f.potential - this.first), Math.abs(f.work));
    if (Number.isFinite(moved)) this.largest = Math.max(this.largest, moved);
    const rounded = Number.EPSILON * Math.abs(f.potential) * Math.max(1, f.steps);
    return this.largest > 0 ? Math.max(0, Math.abs(f.unexplained) - rounded) / this.largest : 0;
  }

  reset(): void {
    this.largest = 0;
    this.first = undefined;
  }
}

export class EnergyGauge {
  readonly object: HTMLElement;
  private readonly scale = new EnergyScale();
  private readonly needle = el("div", { class: "needle" });
  private readonly verdict = el("span", { class: "verdict" });
  private readonly values = ["kinetic", "potential", "work", "unexplained"].map(() => el("span", { class: "value" }));
  private resets = 0;

  // replay: of a file that may hold no audit; then what is unexplained is zero throughout
  constructor(private readonly replay: boolean) {
    const names = ["Kinetic", "Potential", "Work", "Unexplained"];
    this.object = el("div", { class: "energy" },
      el("div", { class: "gauge", title: "Unexplained energy, of all that moved so far" }, el("div", { class: "scale" }), this.needle),
      this.verdict,
      el("dl", {}, ...names.flatMap((n, i) => [el("dt", { text: n }), el("dd", {}, this.values[i])])));
  }

  update(frame: Frame, resets: number): void {
    if (resets !== this.resets) this.scale.reset();
    this.resets = resets;
    const ratio = this.scale.ratio(frame);
    const values = [frame.kinetic, frame.potential, frame.work, frame.unexplained];
    values.forEach((v, i) => setText(this.values[i], withUnit(v, "J", 4)));
    const known = Number.isFinite(ratio) && !(this.replay && ratio === 0);
    const place = known && ratio > 0 ? Math.min(1, Math.max(0, 1 - Math.log10(ratio) / FINEST)) : 0;
    this.needle.style.left = `${(100 * place).toFixed(1)}%`;
    this.object.dataset["state"] = !known ? "unknown" : ratio < GOOD ? "good" : ratio < FAIR ? "fair" : "bad";
    setText(this.verdict, known ? (ratio === 0 ? "all explained" : `${ratio.toExponential(0)} unexplained`) : "no audit at this time");
  }
}
