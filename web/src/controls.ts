// Sliders and fields for inputs and parameters. Inputs are sent while a slider moves, parameters
// when it is let go: the model is made anew with them.
import { el } from "./dom";
import type { Operator } from "./operator";
import type { Knob, Scene } from "./scene";
import { figure, parseNumber, sliderRange } from "./units";

const STEPS = 400; // of a slider
const PAUSE = 40; // ms between values that are sent
const ECHO = 600; // ms in which the server's older values do not move what a hand holds

class KnobRow {
  readonly object: HTMLElement;
  private readonly slider = el("input", { type: "range" });
  private readonly field = el("input", { type: "text", class: "number" });
  private low = 0;
  private high = 1;
  private touched = -Infinity;
  private sentAt = -Infinity;
  private timer = 0;

  constructor(readonly knob: Knob, private value: number, private readonly whileMoving: boolean,
    private readonly send: (name: string, value: number) => void) {
    this.slider.min = "0";
    this.slider.max = String(STEPS);
    this.slider.setAttribute("aria-label", knob.name);
    this.field.setAttribute("aria-label", `${knob.name}, value`);
    this.field.inputMode = "decimal";
    this.object = el("div", { class: "knob", data: { name: knob.name } },
      el("span", { class: "label", text: knob.name, title: knob.name }), this.field,
      el("span", { class: "unit", text: knob.unit }), this.slider);
    this.slider.addEventListener("input", () => this.slide(this.whileMoving));
    this.slider.addEventListener("change", () => this.slide(true));
    this.slider.addEventListener("dblclick", () => this.set(knob.value, true));
    this.slider.title = `Double click: back to ${figure(knob.value)}`;
    this.field.addEventListener("change", () => this.type());
    this.field.addEventListener("keydown", (e) => this.key(e));
    this.show(value);
    this.object.hidden = knob.driven === true;
  }

  private slide(send: boolean): void {
    const value = this.low + ((this.high - this.low) * Number(this.slider.value)) / STEPS;
    const digits = Number(value.toPrecision(4));
    this.set(digits, send);
  }

  private type(): void {
    const value = parseNumber(this.field.value);
    this.field.classList.toggle("wrong", value === undefined);
    if (value !== undefined) this.set(this.clamp(value), true);
  }

  private clamp(value: number): number {
    return Math.min(this.knob.max ?? Infinity, Math.max(this.knob.min ?? -Infinity, value));
  }

  // Up and down change the last digits that matter; escape brings the value back.
  private key(e: KeyboardEvent): void {
    if (e.key === "Escape") {
      this.show(this.value);
      this.field.blur();
    }
    if (e.key !== "ArrowUp" && e.key !== "ArrowDown") return;
    e.preventDefault();
    const size = Math.max(Math.abs(this.value), (this.high - this.low) / 100) * (e.shiftKey ? 0.1 : 0.01);
    const step = 10 ** Math.floor(Math.log10(size)) || 0.01;
    const next = this.value + (e.key === "ArrowUp" ? step : -step);
    this.set(this.clamp(Number(next.toPrecision(10))), true);
  }

  private set(value: number, send: boolean): void {
    this.value = value;
    this.touched = performance.now();
    this.show(value);
    if (send) this.sendSoon();
  }

  private sendSoon(): void {
    clearTimeout(this.timer);
    const wait = PAUSE - (performance.now() - this.sentAt);
    if (wait > 0) {
      this.timer = window.setTimeout(() => this.sendSoon(), wait);
      return;
    }
    this.sentAt = performance.now();
    this.send(this.knob.name, this.value);
  }

  private show(value: number): void {
    if (value < this.low || value > this.high || this.high - this.low === 1) {
      [this.low, this.high] = sliderRange(value, this.knob.min, this.knob.max);
    }
    this.slider.value = String(Math.round((STEPS * (value - this.low)) / (this.high - this.low)));
    this.field.value = String(Number(value.toPrecision(5)));
    this.field.classList.remove("wrong");
  }

  // What the server says; not while a hand is on it.
  receive(value: number): void {
    if (!Number.isFinite(value) || performance.now() - this.touched < ECHO || document.activeElement === this.field) return;
    if (value === this.value) return;
    this.value = value;
    this.show(value);
  }

  enable(on: boolean): void {
    this.slider.disabled = this.field.disabled = !on;
  }
}

export class Controls {
  readonly object = el("div", { class: "controls" });
  private readonly inputs: KnobRow[];
  private readonly parameters: KnobRow[];

  constructor(scene: Scene, private readonly operator: Operator) {
    this.inputs = scene.inputs.map((k) => new KnobRow(k, k.value, true, (n, v) => operator.input(n, v)));
    this.parameters = scene.parameters.map((k) => new KnobRow(k, k.value, false, (n, v) => operator.parameter(n, v)));
    if (this.inputs.length > 0) this.group("Inputs", this.inputs);
    if (this.parameters.length > 0) this.group("Parameters", this.parameters);
    if (![...this.inputs, ...this.parameters].some((row) => !row.knob.driven)) {
      this.object.append(el("p", { class: "empty", text: scene.mode === "replay" ? "A replay has nothing to set." : "The model has no inputs and no parameters." }));
    }
    this.update();
  }

  private group(title: string, rows: KnobRow[]): void {
    const section = el("section", {}, el("h3", { text: title }));
    if (rows.filter((row) => !row.knob.driven).length > 8) section.append(this.filter(rows));
    for (const row of rows) section.append(row.object);
    section.hidden = rows.every((row) => row.knob.driven);
    this.object.append(section);
  }

  private filter(rows: KnobRow[]): HTMLElement {
    const search = el("input", { type: "search", class: "search", label: "Find a value" });
    search.placeholder = "Find\u2026";
    search.addEventListener("input", () => {
      const wanted = search.value.trim().toLowerCase();
      for (const row of rows) row.object.hidden = row.knob.driven === true || !row.knob.name.toLowerCase().includes(wanted);
    });
    return search;
  }

  receive(inputs: readonly number[], parameters: readonly number[]): void {
    this.inputs.forEach((row, i) => row.receive(inputs[i] ?? NaN));
    this.parameters.forEach((row, i) => row.receive(parameters[i] ?? NaN));
  }

  update(): void {
    for (const row of [...this.inputs, ...this.parameters]) row.enable(this.operator.canOperate);
  }
}
