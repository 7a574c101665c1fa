// Short words to the user: what was refused, that the connection is lost.
import { button, el } from "./dom";

export class Notices {
  readonly object = el("div", { class: "notices", role: "status" });
  private banner: HTMLElement | undefined;

  // Goes by itself; an error stays longer.
  say(text: string, kind: "info" | "error" = "info"): void {
    const note = el("div", { class: `notice ${kind}` }, el("span", { text }));
    const close = (): void => note.remove();
    note.append(button("close", "Close", close));
    this.object.append(note);
    while (this.object.children.length > 4) this.object.firstChild?.remove();
    setTimeout(close, kind === "error" ? 9000 : 4000);
  }

  // One that stays until it is taken back.
  hold(text: string | undefined, action?: { label: string; press: () => void }): void {
    this.banner?.remove();
    this.banner = undefined;
    if (text === undefined) return;
    this.banner = el("div", { class: "notice banner", id: "banner" }, el("span", { text }));
    if (action) this.banner.append(el("button", { type: "button", text: action.label, on: { click: action.press } }));
    this.object.prepend(this.banner);
  }
}
