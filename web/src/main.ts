// Starts the window: loads the scene, or says why not.
import { App } from "./app";
import { el } from "./dom";
import { load, type Loaded } from "./source";
import { expose } from "./testhook";
import { applyTheme, startTheme } from "./theme";

function start(root: HTMLElement, loaded: Loaded, before?: App): void {
  before?.dispose();
  const app = new App(root, loaded);
  if (before) {
    const { yaw, pitch, orthographic } = before.world.camera;
    Object.assign(app.world.camera, { yaw, pitch, orthographic });
  }
  app.onScene = (next) => start(root, next, app);
  expose(app);
}

async function main(): Promise<void> {
  applyTheme(startTheme(), false);
  const root = el("div", { class: "app" });
  document.body.append(root);
  try {
    start(root, await load());
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    root.replaceChildren(el("div", { class: "fatal", role: "alert" },
      el("h1", { text: "The window cannot be shown" }), el("p", { text }),
      el("p", { text: "The address with its token is printed by sarrus view." })));
  }
}

void main();
