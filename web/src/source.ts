// Where scene and frames come from: the data in a self-contained file, or the server.
import { decodeFrames, FrameError, type Frame, type Layout } from "./frame";
import { list, object } from "./json";
import { joinFrames } from "./parts";
import { readScene, type Scene } from "./scene";

export interface Loaded {
  scene: Scene;
  runs: Frame[][]; // of a replay
  offline: boolean;
}

export function fromBase64(source: string): ArrayBuffer {
  const binary = atob(source);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

export const layoutOf = (scene: Scene): Layout => ({
  bodies: scene.bodies.length, outputs: scene.outputs.length, switches: scene.switches,
});

// What a message or a file has for this scene: a frame of each part makes one.
export function framesOf(scene: Scene, buffer: ArrayBuffer): Frame[] {
  const { parts } = scene;
  if (parts.length === 0) return decodeFrames(buffer, layoutOf(scene));
  const single = decodeFrames(buffer, parts);
  const frames: Frame[] = [];
  for (let i = 0; i + parts.length <= single.length; i += parts.length) {
    frames.push(joinFrames(single.slice(i, i + parts.length), parts));
  }
  return frames;
}

export function newestOf(scene: Scene, buffer: ArrayBuffer): Frame {
  const frame = framesOf(scene, buffer).at(-1);
  if (!frame) throw new FrameError("frame: a message without one of each simulator");
  return frame;
}

function loadEmbedded(source: string): Loaded {
  const data = object(JSON.parse(source), "data");
  const scene = readScene(data["scene"]);
  const runs = list(data, "runs").map((run) => framesOf(scene, fromBase64(String(run))));
  return { scene: { ...scene, mode: "replay" }, runs, offline: true };
}

const token = (): string => new URLSearchParams(location.search).get("token") ?? "";

async function get(path: string, more = ""): Promise<Response> {
  const answer = await fetch(`${path}?token=${encodeURIComponent(token())}${more}`, { cache: "no-store" });
  if (answer.status === 403) throw new Error("The token in the address is not the one that the program printed.");
  if (!answer.ok) throw new Error(`The server answered ${answer.status} to ${path}.`);
  return answer;
}

export async function loadScene(): Promise<Scene> {
  return readScene(await (await get("/scene.json")).json());
}

export async function load(): Promise<Loaded> {
  const embedded = document.getElementById("sarrus-data");
  if (embedded?.textContent) return loadEmbedded(embedded.textContent);
  const scene = await loadScene();
  if (scene.mode === "live") return { scene, runs: [], offline: false };
  const count = Math.max(1, scene.runs.length);
  const buffers = await Promise.all(
    Array.from({ length: count }, async (_, k) => (await get("/frames.bin", `&run=${k}`)).arrayBuffer()));
  return { scene, runs: buffers.map((b) => framesOf(scene, b)), offline: false };
}

export function liveAddress(): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live?token=${encodeURIComponent(token())}`;
}
