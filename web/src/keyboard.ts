// Keys, and the list of them that is shown by `?`.
import { button, el } from "./dom";

export interface Key {
  keys: readonly string[]; // as KeyboardEvent.key gives them
  shown: string;
  text: string;
  press: (event: KeyboardEvent) => void;
}

export interface KeyGroup {
  title: string;
  keys: readonly Key[];
}

const MOUSE: readonly [string, string][] = [
  ["drag", "turn the view"], ["right or shift + drag", "shift it"], ["wheel, two fingers", "zoom"],
  ["click", "select"], ["double click", "look at a body, or at all"], ["ctrl + drag", "pull at a body"],
];

export class Keyboard {
  readonly help: HTMLDialogElement;
  private readonly ended = new AbortController();
  private readonly keys = new Map<string, Key>();

  constructor(groups: readonly KeyGroup[]) {
    for (const group of groups) for (const key of group.keys) for (const name of key.keys) this.keys.set(name, key);
    this.help = this.makeHelp(groups);
    window.addEventListener("keydown", (e) => this.down(e), { signal: this.ended.signal });
  }

  dispose(): void {
    this.ended.abort();
  }

  private down(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const target = e.target;
    if (target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox") return;
    if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return;
    // arrows on a slider are the slider's; a button that has the focus is pressed by space
    if (target instanceof HTMLInputElement && e.key.startsWith("Arrow")) return;
    if (target instanceof HTMLButtonElement && (e.key === "Enter" || e.key === " ") && target.id !== "run") return;
    const key = this.keys.get(e.key.length === 1 ? e.key.toLowerCase() : e.key);
    if (!key) return;
    e.preventDefault();
    key.press(e);
  }

  private makeHelp(groups: readonly KeyGroup[]): HTMLDialogElement {
    const row = (shown: string, text: string): HTMLElement[] => [
      el("dt", {}, ...shown.split(" ").map((k) => el("kbd", { text: k }))), el("dd", { text }),
    ];
    const mouse = el("section", {}, el("h3", { text: "Mouse and fingers" }),
      el("dl", {}, ...MOUSE.flatMap(([shown, text]) => [el("dt", { text: shown }), el("dd", { text })])));
    const dialog = el("dialog", { class: "help", label: "Keys" },
      el("header", {}, el("h2", { text: "Keys" }), button("close", "Close", () => dialog.close())),
      el("div", { class: "columns" }, mouse, ...groups.map((g) =>
        el("section", {}, el("h3", { text: g.title }), el("dl", {}, ...g.keys.flatMap((k) => row(k.shown, k.text)))))));
    dialog.addEventListener("click", (e) => {
      if (e.target === dialog) dialog.close();
    });
    return dialog;
  }

  toggleHelp(): void {
    if (this.help.open) this.help.close();
    else this.help.showModal();
  }
}
