// Dark and light: the page's colours are in style.css, those of the mechanism here.

export type ThemeName = "dark" | "light";

export interface Palette {
  background: number;
  grid: number;
  ground: number;
  terrain: number; // roads and height fields
  bodies: readonly number[];
  joint: number;
  support: number;
  wheel: number;
  spring: number;
  damper: number;
  link: number;
  selected: number;
  contact: number;
  applied: number;
  pull: number;
  torque: number;
  shadow: number;
  sky: number;
  earth: number;
  plots: readonly string[];
  axis: string;
  rule: string;
}

export const PALETTES: Record<ThemeName, Palette> = {
  dark: {
    background: 0x15181d, grid: 0x3a424e, ground: 0x262b32, terrain: 0x46505c,
    bodies: [0x6f9bc4, 0xc99a63, 0x7fb08a, 0xb388b5, 0xc4b56f, 0x6cb3b5, 0xc57f86, 0x9299c6],
    joint: 0xa9b1bc, support: 0x7b8593, wheel: 0x454b55, spring: 0xd9b25f, damper: 0x8d99a8, link: 0x9aa6b4,
    selected: 0xffc857, contact: 0xff7a59, applied: 0x5cc8ff, pull: 0xf5e663, torque: 0xc792ea,
    shadow: 0.5, sky: 0xdfe8f2, earth: 0x4a4d52,
    plots: ["#6cb6ff", "#f0a35e", "#7bd88f", "#d597e8", "#e8d36a", "#63d5d3", "#f2828d", "#a8b0f0"],
    axis: "#9aa4b1", rule: "#2c323b",
  },
  light: {
    background: 0xeef0f3, grid: 0x9fa8b3, ground: 0xdfe2e6, terrain: 0xc3cad2,
    bodies: [0x4a7fb0, 0xb9803c, 0x4f8f5f, 0x8f5f93, 0xa0903c, 0x3f8f92, 0xb0565f, 0x666ea8],
    joint: 0x535c68, support: 0x8d96a3, wheel: 0x3b4048, spring: 0xa8761a, damper: 0x66707d, link: 0x6b7684,
    selected: 0xf09a00, contact: 0xd1401f, applied: 0x0a7fc2, pull: 0xb08900, torque: 0x7d3fb0,
    shadow: 0.22, sky: 0xffffff, earth: 0xb6b2aa,
    plots: ["#1f6fb2", "#c46a12", "#2f8a45", "#8a3fa0", "#8f7a0c", "#0f8583", "#b8323f", "#4f58b0"],
    axis: "#4c5663", rule: "#d9dde2",
  },
};

const KEY = "sarrus.theme";

// What was chosen before, or what the system wants. A page from disk may have no store.
export function startTheme(): ThemeName {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept === "dark" || kept === "light") return kept;
  } catch {
    // no store: fine
  }
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

export function applyTheme(name: ThemeName, keep: boolean): Palette {
  document.documentElement.dataset["theme"] = name;
  if (keep) {
    try {
      localStorage.setItem(KEY, name);
    } catch {
      // no store: it holds until the page is closed
    }
  }
  return PALETTES[name];
}
