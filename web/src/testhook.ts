// For tests in a browser: where bodies are in the picture (pixels from its top left), and what
// drawing costs. Reads only.
import type { App } from "./app";
import type { Vec3 } from "./pose";

export interface TestHook {
  project(body: number, point?: Vec3): { x: number; y: number } | undefined;
  pose(body: number): number[] | undefined;
  frame(): { time: number; sequence: number; running: boolean; bodies: number } | undefined;
  outputs(): number[];
  energies(): { kinetic: number; unexplained: number } | undefined;
  bodyIndex(name: string): number;
  selection(): string;
  stats(): { calls: number; triangles: number; cpu: number[]; update: number[]; drawn: number; level: number; kept: number; first: number };
}

declare global {
  interface Window {
    sarrusTest?: TestHook;
  }
}

export function expose(app: App): void {
  const { world, player, loaded, look } = app;
  window.sarrusTest = {
    project: (body, point) => world.project(body, point),
    pose: (body) => world.pose(body),
    frame: () => {
      const shown = world.shownNow();
      return shown && {
        time: shown.time, sequence: shown.frame.sequence, running: app.operator.running, bodies: loaded.scene.bodies.length,
      };
    },
    outputs: () => [...(world.shownNow()?.frame.outputs ?? [])],
    energies: () => {
      const frame = world.shownNow()?.frame;
      return frame && { kinetic: frame.kinetic, unexplained: frame.unexplained };
    },
    bodyIndex: (name) => loaded.scene.bodies.findIndex((b) => b.name === name),
    selection: () => (look.selection ? `${look.selection.kind} ${look.selection.index}` : ""),
    stats: () => {
      const { calls, triangles } = world.stage.renderer.info.render;
      return { calls, triangles, cpu: [...app.frameCpu], update: [...app.frameUpdate], drawn: app.drawn, level: world.stage.quality.level, kept: player.history.length, first: world.firstDraw };
    },
  };
}
