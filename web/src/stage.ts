// Renderer, light and shadow, and how much of them this machine can take.
import {
  Color, DirectionalLight, HemisphereLight, PCFShadowMap, Scene as Scene3, Vector3, WebGLRenderer, type Camera,
} from "three";
import type { Palette } from "./theme";
import type { Vec3 } from "./pose";
import { drawsInSoftware, Quality, WITHOUT_SHADOWS } from "./quality";

const MANY = 100; // bodies that are slow to draw without a graphics processor

export class Stage {
  readonly scene = new Scene3();
  readonly renderer: WebGLRenderer;
  readonly quality: Quality;
  private readonly sun = new DirectionalLight(0xffffff, 2.1);
  private readonly sky = new HemisphereLight(0xffffff, 0x777777, 1.5);
  private readonly sunFrom = new Vector3();
  private readonly full = location.hash === "#full"; // for pictures: all of it, however slow
  private shadowsWanted = true;

  constructor(canvas: HTMLCanvasElement, up: Readonly<Vec3>, private readonly reach: number, bodies: number) {
    const spare = !this.full && bodies >= MANY && drawsInSoftware();
    this.quality = new Quality(spare ? WITHOUT_SHADOWS : 0);
    this.renderer = new WebGLRenderer({ canvas, antialias: !spare, powerPreference: "high-performance" });
    this.renderer.debug.checkShaderErrors = false; // waits for the compiler
    this.renderer.shadowMap.type = PCFShadowMap;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.004 * reach;
    this.setUp(up);
    this.scene.add(this.sun, this.sun.target, this.sky);
    this.applyQuality();
  }

  private setUp(up: Readonly<Vec3>): void {
    const u = new Vector3(...up);
    const side = Math.abs(u.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    const forward = u.clone().cross(side).normalize();
    this.sunFrom.copy(u).multiplyScalar(1.35).addScaledVector(side, 0.5).addScaledVector(forward, -0.85).normalize();
    this.sky.position.copy(u);
  }

  private applyQuality(): void {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, this.quality.rung.ratio));
    this.applyShadows();
  }

  private applyShadows(): void {
    const on = this.shadowsWanted && this.quality.rung.shadows;
    this.renderer.shadowMap.enabled = on;
    this.sun.castShadow = on;
  }

  paint(palette: Palette, shadows: boolean): void {
    this.scene.background = new Color(palette.background);
    this.sky.color.setHex(palette.sky);
    this.sky.groundColor.setHex(palette.earth);
    this.shadowsWanted = shadows;
    this.applyShadows();
  }

  resize(width: number, height: number): void {
    this.renderer.setSize(width, height, false);
  }

  // Light and shadow around the place that is looked at.
  light(target: Vector3, span: number): void {
    const half = Math.min(6 * this.reach, Math.max(0.3 * this.reach, span));
    this.sun.target.position.copy(target);
    this.sun.position.copy(target).addScaledVector(this.sunFrom, 3 * half);
    const c = this.sun.shadow.camera;
    Object.assign(c, { left: -half, right: half, top: half, bottom: -half, near: 0.1 * half, far: 6 * half });
    c.updateProjectionMatrix();
  }

  // gap: ms since the last frame when that was drawn too, 0 otherwise.
  render(camera: Camera, gap: number): void {
    this.renderer.render(this.scene, camera);
    if (!this.full && this.quality.frame(gap)) this.applyQuality();
  }
}
