// The window: everything on the page, put together around one scene.
import { Connection, type LinkState } from "./connection";
import { Controls } from "./controls";
import { Details } from "./details";
import { Display } from "./display";
import { button, el, setText } from "./dom";
import { EnergyGauge } from "./energy";
import { Flag, FrameError, type Frame } from "./frame";
import { Keyboard } from "./keyboard";
import { keyGroups } from "./keys";
import { Log } from "./log";
import { Look } from "./look";
import type { Message } from "./messages";
import { Notices } from "./notice";
import { LiveOperator, ReplayOperator, type Operator } from "./operator";
import { section, tabs } from "./panels";
import { Player } from "./player";
import { Plots } from "./plots";
import { Pointer } from "./pointer";
import { Pull } from "./pull";
import { SeriesRing } from "./ring";
import { drawnAlike } from "./scene";
import { liveAddress, loadScene, newestOf, type Loaded } from "./source";
import { applyTheme, PALETTES, startTheme, type ThemeName } from "./theme";
import { Transport } from "./transport";
import { Tree } from "./tree";
import { GHOSTS, World } from "./world";

export class App {
  readonly look: Look;
  readonly player: Player;
  readonly operator: Operator;
  readonly world: World;
  readonly pointer: Pointer;
  readonly plots: Plots;
  readonly log: Log;
  readonly tree: Tree;
  readonly transport: Transport;
  readonly keyboard: Keyboard;
  readonly frameCpu: number[] = []; // ms of the last frames that were drawn
  readonly frameUpdate: number[] = []; // ... before their drawing
  drawn = 0; // frames
  degrees = false;
  private readonly controls: Controls;
  private readonly details: Details;
  private readonly display: Display;
  private readonly energy: EnergyGauge;
  private readonly notices = new Notices();
  private readonly canvas = el("canvas", { class: "view", label: "The mechanism" });
  private readonly status = el("span", { class: "status" });
  private readonly hand: HTMLButtonElement;
  private readonly followButton: HTMLButtonElement;
  private readonly orthoButton: HTMLButtonElement;
  private readonly others: SeriesRing[];
  private readonly connection: Connection | undefined;
  private theme: ThemeName = startTheme();
  private lastTick = 0;
  private stopped = false;
  private wrongFrames = 0;

  constructor(private readonly root: HTMLElement, readonly loaded: Loaded) {
    const { scene, runs } = loaded;
    document.title = `${scene.name || "Sarrus"} \u2013 Sarrus`;
    this.look = new Look(applyTheme(this.theme, false));
    this.player = new Player(scene, scene.mode === "replay" ? runs[0] ?? [] : undefined);
    this.others = runs.slice(1).map((frames) => new Player({ ...scene, mode: "replay" }, frames).series);
    this.connection = scene.mode === "live" ? this.connect() : undefined;
    this.operator = this.connection
      ? new LiveOperator(this.connection, this.player, scene.readonly) : new ReplayOperator(this.player);
    this.canvas.tabIndex = 0;
    this.world = new World(this.canvas, scene, this.player, this.look, runs.slice(1));
    this.world.onFollow = () => this.markButtons();
    this.pointer = new Pointer(this.canvas, this.world, new Pull(this.world, this.operator));
    this.log = new Log((time) => this.player.seek(time));
    this.log.fill(scene.events.map((e) => ({ time: e.time, text: `${e.name} ${e.on ? "on" : "off"}` })));
    this.tree = new Tree(scene, this.look, (s) => this.look.select(this.look.isSelected(s.kind, s.index) ? undefined : s));
    this.details = new Details(scene, this.look);
    this.display = new Display(this.look, runs.length > 1);
    this.energy = new EnergyGauge(scene.mode === "replay");
    this.controls = new Controls(scene, this.operator);
    this.transport = new Transport(this.operator, this.player);
    this.plots = new Plots(() => this.plotContext());
    this.hand = button("hand", "Pull at bodies (P), or ctrl + drag", () => this.togglePull(), { id: "pull" });
    this.hand.hidden = scene.mode === "replay";
    this.followButton = button("follow", "Go with the selected body (L)", () => this.toggleFollow());
    this.orthoButton = button("cube", "Perspective or parallel (O)", () => this.toggleOrtho());
    this.keyboard = new Keyboard(keyGroups(this));
    this.layout();
    this.look.onChange(() => this.markButtons());
    this.markButtons();
    this.plots.begin();
    this.connection?.open();
    if (scene.mode === "replay") this.operator.run();
    requestAnimationFrame((now) => this.tick(now));
  }

  private plotContext(): ReturnType<ConstructorParameters<typeof Plots>[0]> {
    const shown = this.player.shown();
    return {
      scene: this.loaded.scene, series: this.player.series, others: this.look.shows("ghosts") ? this.others : [],
      palette: this.look.palette, degrees: this.degrees, window: this.plots?.window ?? 0, time: shown?.time ?? 0,
      seek: (time) => this.player.seek(time),
    };
  }

  private layout(): void {
    const { scene } = this.loaded;
    const views = (["front", "right", "top", "home"] as const).map((name) =>
      el("button", { type: "button", class: "text", text: name === "home" ? "3D" : name, title: `View: ${name}`,
        on: { click: () => this.world.camera.view(name) } }));
    const bar = el("header", { class: "topbar" },
      button("tree", "Tree (B)", () => this.togglePanel("left"), { class: "panel-button" }),
      el("h1", { text: scene.name || "Sarrus" }), this.status,
      el("span", { class: "space" }),
      el("span", { class: "views" }, ...views),
      button("fit", "Fit all in the view (F)", () => this.world.fit()), this.orthoButton, this.followButton, this.hand,
      button("theme", "Dark or light (D)", () => this.toggleTheme()),
      button("help", "Keys (?)", () => this.keyboard.toggleHelp(), { id: "help" }),
      button("chart", "Controls and plots (N)", () => this.togglePanel("right"), { class: "panel-button" }));
    const left = el("aside", { class: "left", label: "Tree, display and log" },
      tabs("Tree, display and log", [
        { title: "Tree", page: el("div", { class: "page" }, this.tree.object, this.details.object) },
        { title: "Display", page: el("div", { class: "page" }, this.display.object) },
        { title: "Log", page: el("div", { class: "page" }, this.log.object) },
      ]));
    const right = el("aside", { class: "right", label: "Controls and plots" },
      section("Controls", this.controls.object, "controls-section"),
      section("Energy audit", this.energy.object, "energy-section"),
      section("Plots", this.plots.object, "plots-section"));
    this.root.replaceChildren(bar, left, el("main", { class: "stage" }, this.canvas, this.notices.object, ...this.runNames()), right,
      this.transport.object, this.keyboard.help);
    if (matchMedia("(max-width: 820px)").matches) this.root.classList.add("no-left", "no-right");
    if (scene.mode === "replay" && scene.inputs.length + scene.parameters.length === 0) {
      right.querySelector(".controls-section")?.remove();
    }
    const controls = right.querySelector<HTMLDetailsElement>(".controls-section");
    if (controls && scene.mode === "replay") controls.open = false;
    new ResizeObserver(() => this.world.resize()).observe(this.canvas);
    this.world.resize();
  }

  // Which run is which, where there are several.
  private runNames(): HTMLElement[] {
    const { runs } = this.loaded.scene;
    if (this.others.length === 0) return [];
    const names = runs.map((name, i) => {
      const mark = el("span", { class: "mark" });
      if (i > 0) mark.style.background = `#${GHOSTS[(i - 1) % GHOSTS.length].toString(16).padStart(6, "0")}`;
      return el("li", {}, mark, el("span", { text: name }));
    });
    return [el("ul", { class: "runs", label: "Runs" }, ...names)];
  }

  // ---- what buttons and keys do -----------------------------------------------------------------

  togglePanel(side: "left" | "right"): void {
    const small = matchMedia("(max-width: 820px)").matches;
    const opened = !this.root.classList.toggle(`no-${side}`);
    if (small && opened) this.root.classList.add(side === "left" ? "no-right" : "no-left");
  }

  toggleTheme(): void {
    this.theme = this.theme === "dark" ? "light" : "dark";
    applyTheme(this.theme, true);
    this.look.palette = PALETTES[this.theme];
    this.look.changed();
    this.plots.rebuild();
  }

  toggleOrtho(): void {
    this.world.camera.orthographic = !this.world.camera.orthographic;
    this.world.camera.touch();
    this.markButtons();
  }

  toggleFollow(): void {
    const s = this.look.selection;
    this.world.auto = false;
    if (this.world.follow >= 0) this.world.follow = -1;
    else if (s?.kind === "body") this.world.follow = s.index;
    else this.notices.say("Select a body first: the view goes with it.");
    this.player.version++;
    this.markButtons();
  }

  togglePull(): void {
    if (!this.operator.canOperate) {
      this.notices.say("This window is read-only.");
      return;
    }
    this.pointer.pulling = !this.pointer.pulling;
    this.markButtons();
  }

  toggleDegrees(): void {
    this.degrees = !this.degrees;
    this.plots.rebuild();
  }

  // To the next event or the one before.
  jump(forward: boolean): void {
    const time = this.player.shown()?.time ?? 0;
    const entry = this.log.neighbour(time, forward);
    if (entry) this.player.seek(entry.time);
    else this.notices.say(forward ? "No event after this time." : "No event before this time.");
  }

  private markButtons(): void {
    this.hand.classList.toggle("on", this.pointer.pulling);
    this.canvas.classList.toggle("can-pull", this.pointer.pulling);
    this.followButton.classList.toggle("on", this.world.follow >= 0);
    this.orthoButton.classList.toggle("on", this.world.camera.orthographic);
  }

  // ---- the server -------------------------------------------------------------------------------

  private connect(): Connection {
    return new Connection(liveAddress(), {
      frame: (buffer) => this.receive(buffer),
      message: (message) => this.hear(message),
      state: (state, wait) => this.linkState(state, wait),
    });
  }

  private receive(buffer: ArrayBuffer): void {
    try {
      const frame = newestOf(this.loaded.scene, buffer);
      this.player.receive(frame);
      this.operator.running = (frame.flags & Flag.running) !== 0;
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      if (this.wrongFrames++ === 0) this.notices.say(error.message, "error");
      if (this.wrongFrames === 30) void this.refresh();
    }
  }

  private hear(message: Message): void {
    const { operator } = this;
    switch (message.type) {
      case "hello":
        operator.readonly = message.readonly;
        operator.running = message.running;
        operator.speed = message.speed;
        this.log.fill(message.log);
        this.controls.update();
        break;
      case "state":
        operator.running = message.running;
        operator.speed = message.speed;
        this.controls.receive(message.inputs, message.parameters);
        break;
      case "log": this.log.add(message.entry); break;
      case "error": this.notices.say(message.message, "error"); break;
      case "scene": void this.refresh(); break;
      default: break;
    }
  }

  private linkState(state: LinkState, wait: number): void {
    this.root.dataset["link"] = state;
    if (state === "lost") {
      this.operator.running = false;
      this.notices.hold(`The connection is lost. Next try in ${wait} s.`, { label: "Now", press: () => this.connection?.open() });
    } else if (state === "open") {
      this.notices.hold(undefined);
    }
  }

  // The scene is another one: begin anew with it, seen from the same place. After a parameter that
  // nothing drawn depends on (a gain) all goes on: curves, history, and what is being typed.
  private async refresh(): Promise<void> {
    if (this.stopped) return;
    const scene = await loadScene();
    if (this.stopped || drawnAlike(this.loaded.scene, scene)) return;
    this.stopped = true;
    this.onScene({ ...this.loaded, scene });
  }

  dispose(): void {
    this.stopped = true;
    this.connection?.close();
    this.keyboard.dispose();
    this.world.dispose();
  }

  onScene: (loaded: Loaded) => void = () => location.reload();

  // ---- every frame ------------------------------------------------------------------------------

  private tick(now: number): void {
    if (this.stopped) return;
    requestAnimationFrame((next) => this.tick(next));
    this.player.advance(Math.min(0.1, (now - this.lastTick) / 1000));
    this.lastTick = now;
    const drew = this.world.draw(now);
    if (drew) {
      this.drawn++;
      for (const [list, ms] of [[this.frameCpu, this.world.cpu], [this.frameUpdate, this.world.placing]] as const) {
        list.push(ms);
        if (list.length > 240) list.shift();
      }
    }
    const shown = this.player.shown();
    this.transport.update(shown?.time ?? this.loaded.scene.start, shown?.frame);
    this.transport.mark(this.log.entries);
    this.plots.update(now, drew);
    this.showStatus(shown?.frame);
    if (!shown || !drew) return;
    this.energy.update(shown.frame, this.player.resets);
    this.details.update(shown.poses);
    this.display.update(this.world.arrows);
  }

  private showStatus(frame: Frame | undefined): void {
    const { scene, offline } = this.loaded;
    const link = this.root.dataset["link"];
    let text = scene.mode === "replay" ? (offline ? "replay from file" : "replay") : "live";
    if (scene.mode === "live") {
      if (link === "lost") text = "connection lost";
      else if (link !== "open") text = "connecting";
      else if (!this.player.following) text = "looking back";
      else if (frame && frame.flags & Flag.failed) text = "step failed";
      else if (frame && frame.flags & Flag.ended) text = "end reached";
      else text = this.operator.running ? "running" : "paused";
      if (this.operator.readonly) text += ", read-only";
    }
    setText(this.status, text);
    this.status.dataset["state"] = text.split(",")[0].replace(/ /g, "-");
  }
}
