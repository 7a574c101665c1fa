// Which key does what.
import type { App } from "./app";
import type { Key, KeyGroup } from "./keyboard";
import type { Category } from "./look";
import { nextSpeed } from "./operator";

const key = (keys: string, shown: string, text: string, press: (e: KeyboardEvent) => void): Key =>
  ({ keys: keys === " " ? [" "] : keys.split(" "), shown, text, press });

function runKeys(app: App): Key[] {
  const { operator, player } = app;
  return [
    key(" ", "space", "run or pause", () => app.transport.toggle()),
    key(".", ".", "one step", () => operator.step(1)),
    key(">", "shift+.", "ten steps", () => operator.step(10)),
    key(", ArrowLeft", ", \u2190", "one frame back", () => operator.step(-1)),
    key("ArrowRight", "\u2192", "one frame on", () => player.nudge(1)),
    key("r", "R", "back to the start", () => operator.reset()),
    key("+ =", "+", "faster", () => operator.setSpeed(nextSpeed(operator.speed, true))),
    key("-", "\u2212", "slower", () => operator.setSpeed(nextSpeed(operator.speed, false))),
    key("Home", "Home", "first frame that is kept", () => player.seek(player.start)),
    key("End", "End", "the present, or the end", () => (player.live ? player.goLive() : player.seek(player.end))),
    key("[", "[", "event before", () => app.jump(false)),
    key("]", "]", "next event", () => app.jump(true)),
  ];
}

function viewKeys(app: App): Key[] {
  const { world } = app;
  return [
    key("f", "F", "fit all, or the selected body", () => {
      const s = app.look.selection;
      world.fit(s?.kind === "body" ? s.index : undefined);
    }),
    key("1", "1", "front", () => world.camera.view("front")),
    key("2", "2", "right", () => world.camera.view("right")),
    key("3", "3", "top", () => world.camera.view("top")),
    key("4", "4", "back", () => world.camera.view("back")),
    key("5", "5", "left", () => world.camera.view("left")),
    key("6", "6", "bottom", () => world.camera.view("bottom")),
    key("0", "0", "in space", () => world.camera.view("home")),
    key("o", "O", "perspective or parallel", () => app.toggleOrtho()),
    key("l", "L", "go with the selected body", () => app.toggleFollow()),
    key("p", "P", "pull at bodies by dragging", () => app.togglePull()),
  ];
}

function lookKeys(app: App): Key[] {
  const { look } = app;
  const toggle = (letter: string, category: Category, text: string): Key =>
    key(letter, letter.toUpperCase(), text, () => look.toggleCategory(category));
  const body = (set: "hidden" | "pale") => (): void => {
    if (look.selection?.kind === "body") look.toggle(set, look.selection.index);
  };
  return [
    key("h", "H", "hide the selected body", body("hidden")), key("t", "T", "make it translucent", body("pale")),
    key("u", "U", "show everything again", () => look.showAll()),
    toggle("c", "forces", "forces and moments"), toggle("j", "axes", "joint axes"), toggle("g", "grid", "grid"),
    toggle("s", "shadows", "shadows"), toggle("v", "traces", "traces of points"),
    key("a", "A", "angles in degrees or radians", () => app.toggleDegrees()),
    key("d", "D", "dark or light", () => app.toggleTheme()),
    key("b", "B", "panel on the left", () => app.togglePanel("left")),
    key("n", "N", "panel on the right", () => app.togglePanel("right")),
    key("/", "/", "find a body", () => app.tree.search.focus()),
    key("Escape", "Esc", "select nothing", () => look.select(undefined)),
    key("?", "?", "this list", () => app.keyboard.toggleHelp()),
  ];
}

export function keyGroups(app: App): KeyGroup[] {
  return [
    { title: "Run", keys: runKeys(app) }, { title: "View", keys: viewKeys(app) }, { title: "Show", keys: lookKeys(app) },
  ];
}
