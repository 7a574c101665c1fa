// Panels beside the picture: tabs on the left, sections on the right; below it on small screens.
import { el } from "./dom";

export function tabs(label: string, pages: readonly { title: string; page: HTMLElement }[]): HTMLElement {
  const bar = el("div", { class: "tabs", role: "tablist", label });
  const box = el("div", { class: "pages" });
  const buttons = pages.map(({ title, page }) => {
    const b = el("button", { type: "button", role: "tab", text: title });
    b.addEventListener("click", () => show(page));
    bar.append(b);
    box.append(page);
    return b;
  });
  const show = (wanted: HTMLElement): void => pages.forEach(({ page }, i) => {
    page.hidden = page !== wanted;
    buttons[i].setAttribute("aria-selected", String(page === wanted));
  });
  show(pages[0].page);
  return el("div", { class: "tabbed" }, bar, box);
}

// A part with a heading that folds it.
export function section(title: string, content: HTMLElement, name: string): HTMLElement {
  const s = el("details", { class: `section ${name}` }, el("summary", { text: title }), content);
  s.open = true;
  return s;
}
