// What happened when: commands, events, trouble. A click goes to that time.
import { el } from "./dom";
import type { LogEntry } from "./messages";
import { clock } from "./units";

const MOST = 400;

export class Log {
  readonly object = el("div", { class: "log", role: "log" });
  readonly entries: LogEntry[] = [];

  constructor(private readonly seek: (time: number) => void) {
    this.object.append(el("p", { class: "empty", text: "Nothing yet." }));
  }

  add(entry: LogEntry): void {
    if (this.entries.length === 0) this.object.replaceChildren();
    this.entries.push(entry);
    const line = el("button", { type: "button", class: "entry", title: "Go to this time" },
      el("span", { class: "time", text: clock(entry.time) }), el("span", { class: "text", text: entry.text }));
    line.addEventListener("click", () => this.seek(entry.time));
    const atEnd = this.object.scrollTop + this.object.clientHeight >= this.object.scrollHeight - 4;
    this.object.append(line);
    if (this.entries.length > MOST) {
      this.entries.shift();
      this.object.firstChild?.remove();
    }
    if (atEnd) this.object.scrollTop = this.object.scrollHeight;
  }

  fill(entries: readonly LogEntry[]): void {
    this.entries.length = 0;
    this.object.replaceChildren();
    for (const entry of entries) this.add(entry);
    if (entries.length === 0) this.object.append(el("p", { class: "empty", text: "Nothing yet." }));
  }

  // The next entry after a time, or the last before it.
  neighbour(time: number, forward: boolean): LogEntry | undefined {
    const sorted = [...this.entries].sort((a, b) => a.time - b.time);
    return forward ? sorted.find((e) => e.time > time + 1e-9) : sorted.reverse().find((e) => e.time < time - 1e-9);
  }
}
