// Paths of points: where they have been, up to the time that is shown.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial } from "three";
import type { Frame } from "./frame";
import type { Look } from "./look";
import { transform, type Vec3 } from "./pose";
import type { Place, Scene } from "./scene";

const MOST = 4000; // points of a path

// Points at rising times in bounded memory: the older half goes when it is full.
export class Path {
  readonly position = new Float32Array(3 * MOST);
  count = 0;

  push(p: Readonly<Vec3>): void {
    if (this.count === MOST) {
      this.position.copyWithin(0, 3 * (MOST / 2));
      this.count = MOST / 2;
    }
    this.position.set(p, 3 * this.count++);
  }

  clear(): void {
    this.count = 0;
  }
}

interface Trace {
  place: Place;
  path: Path;
  line: Line<BufferGeometry, LineBasicMaterial>;
}

export class Traces {
  readonly object = new Group();
  private readonly traces: Trace[];

  constructor(scene: Scene) {
    this.traces = scene.traces.map((place) => {
      const path = new Path();
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(path.position, 3));
      geometry.setDrawRange(0, 0);
      const line = new Line(geometry, new LineBasicMaterial({ transparent: true, opacity: 0.9 }));
      line.frustumCulled = false;
      this.object.add(line);
      return { place, path, line };
    });
  }

  arrange(look: Look): void {
    this.object.visible = look.shows("traces");
    this.traces.forEach((t, i) => {
      const body = Math.max(0, t.place.body + 1 + i);
      t.line.material.color.setHex(look.palette.bodies[body % look.palette.bodies.length]);
      t.line.visible = !look.hidden.has(t.place.body);
    });
  }

  push(frame: Frame): void {
    const p: Vec3 = [0, 0, 0];
    for (const t of this.traces) {
      if (t.place.body >= 0) t.path.push(transform(frame.poses, 7 * t.place.body, t.place.point, p));
    }
    this.show();
  }

  // Anew from frames 0 to before `end`, thinned out when there are many.
  rebuild(end: number, at: (i: number) => Frame): void {
    const stride = Math.max(1, Math.ceil(end / (MOST / 2)));
    for (const t of this.traces) t.path.clear();
    const p: Vec3 = [0, 0, 0];
    for (let i = 0; i < end; i += stride) {
      const { poses } = at(i);
      for (const t of this.traces) {
        if (t.place.body >= 0) t.path.push(transform(poses, 7 * t.place.body, t.place.point, p));
      }
    }
    this.show();
  }

  private show(): void {
    for (const { line, path } of this.traces) {
      line.geometry.setDrawRange(0, path.count);
      line.geometry.getAttribute("position").needsUpdate = true;
    }
  }
}
