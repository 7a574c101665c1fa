// Elements without a framework: made once, text by textContent only.

type Child = Node | string | undefined;

export interface Props {
  class?: string;
  title?: string;
  text?: string;
  id?: string;
  type?: string;
  role?: string;
  label?: string; // for readers of the screen
  on?: Partial<Record<string, (event: Event) => void>>;
  data?: Record<string, string>;
}

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  if (props.class) e.className = props.class;
  if (props.title) e.title = props.title;
  if (props.text !== undefined) e.textContent = props.text;
  if (props.id) e.id = props.id;
  if (props.type) e.setAttribute("type", props.type);
  if (props.role) e.setAttribute("role", props.role);
  if (props.label) e.setAttribute("aria-label", props.label);
  for (const [key, value] of Object.entries(props.data ?? {})) e.dataset[key] = value;
  for (const [name, listener] of Object.entries(props.on ?? {})) if (listener) e.addEventListener(name, listener);
  for (const child of children) if (child !== undefined) e.append(child);
  return e;
}

const ICONS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.6v14H7zM13.4 5H17v14h-3.6z",
  step: "M5 5v14l9-7zM16 5h3v14h-3z",
  back: "M19 5v14l-9-7zM5 5h3v14H5z",
  reset: "M12 5V2L7.5 6 12 10V7a5.5 5.5 0 1 1-5.5 5.5h-2A7.5 7.5 0 1 0 12 5z",
  minus: "M5 11h14v2H5z",
  plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  fit: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4zM9 9h6v6H9z",
  follow: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm0 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM11 2h2v3h-2zM11 19h2v3h-2zM2 11h3v2H2zM19 11h3v2h-3z",
  cube: "M12 2.5 20.5 7v10L12 21.5 3.5 17V7zm0 2.2L6.8 7.4 12 10.2l5.2-2.8zM5.5 9v6.8l5.5 2.9v-6.8zm13 0L13 11.9v6.8l5.5-2.9z",
  theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z",
  help: "M11 17h2v2h-2zM12 4a5 5 0 0 0-5 5h2a3 3 0 1 1 4.6 2.5C12 12.500 11 13.400 11 15h2c0-1 .6-1.400 1.700-2.200A5 5 0 0 0 12 4z",
  eye: "M12 6C7 6 3.300 9.500 2 12c1.300 2.500 5 6 10 6s8.700-3.500 10-6c-1.300-2.500-5-6-10-6zm0 2.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7z",
  hidden: "M3.500 2.500 21.500 20.500l-1.400 1.400-3.700-3.700A11 11 0 0 1 12 19C7 19 3.300 15.500 2 13a14 14 0 0 1 3.600-4.300L2.100 3.900zM12 7c5 0 8.700 3.500 10 6a14 14 0 0 1-2.700 3.400l-3.800-3.800A3.500 3.500 0 0 0 12 9.500L9.700 7.300A11 11 0 0 1 12 7z",
  pale: "M4 4h10v2H6v8H4zM10 10h10v10H10zm2 2v6h6v-6z",
  close: "M6.400 5 12 10.600 17.600 5 19 6.400 13.400 12l5.600 5.600-1.400 1.400L12 13.400 6.400 19 5 17.600 10.600 12 5 6.400z",
  hand: "M9 3.500a1.500 1.500 0 0 1 3 0V11h1V5.500a1.500 1.500 0 0 1 3 0V12h1V8a1.500 1.500 0 0 1 3 0v7c0 4-2.500 6.500-6.500 6.500-3.500 0-5-1.500-6.500-4L3.600 13a1.500 1.500 0 0 1 2.500-1.600L8 14V5.500z",
  tree: "M4 4h7v5H8v3h4v-2h8v6h-8v-2H8v4h4v-1.500h8V22h-8v-2H6V9H4z",
  chart: "M4 3h2v15h15v2H4zM8 15l4-6 3 3 4.500-7 1.700 1L15.500 15l-3.200-3.200L9.700 16z",
  fast: "M4 5v14l8-7zM12 5v14l8-7z",
} as const;

export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export function button(name: IconName, title: string, press: () => void, props: Props = {}): HTMLButtonElement {
  return el("button", { type: "button", title, label: title, ...props, class: `icon ${props.class ?? ""}`,
    on: { click: () => press() } }, icon(name));
}

// Another picture for a button.
export function setIcon(b: HTMLElement, name: IconName): void {
  if (b.dataset["icon"] === name) return;
  b.dataset["icon"] = name;
  b.replaceChildren(icon(name));
}

// Text that is set only when it is another one: the browser lays out less.
export function setText(e: Element, text: string): void {
  if (e.textContent !== text) e.textContent = text;
}
