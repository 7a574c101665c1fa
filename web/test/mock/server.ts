// A server that speaks the window's protocol about a model that moves by formula.
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { concat, encodeFrame } from "./encode";
import type { Model } from "./models";

export const PAGE = new URL("../../dist/index.html", import.meta.url);

export interface Received {
  type: string;
  id?: number;
  name?: string;
  value?: number;
  count?: number;
  body?: number;
  point?: number[];
  to?: number[];
}

export class MockServer {
  readonly received: Received[] = [];
  time = 0;
  running = true;
  speed = 1;
  private sequence = 0;
  private last = performance.now();
  private readonly knobs: Record<string, number> = {};
  private readonly http: Server;
  private sockets: WebSocketServer;
  private timer: NodeJS.Timeout;

  constructor(readonly model: Model, private readonly replay = 0) {
    const page = readFileSync(PAGE);
    this.http = createServer((request, answer) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      if (searchParams.get("token") !== "secret") answer.writeHead(403).end("wrong token");
      else if (pathname === "/") answer.writeHead(200, { "Content-Type": "text/html", "Content-Security-Policy": "frame-ancestors 'none'" }).end(page);
      else if (pathname === "/scene.json") answer.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(this.scene()));
      else if (pathname === "/frames.bin" && replay > 0) answer.writeHead(200).end(frames(model, Number(searchParams.get("run") ?? 0)));
      else answer.writeHead(404).end();
    });
    this.sockets = this.accept();
    this.timer = setInterval(() => this.tick(), 1000 / 60);
  }

  private scene(): Record<string, unknown> {
    if (this.replay === 0) return this.model.scene;
    return replayScene(this.model, this.replay);
  }

  private accept(): WebSocketServer {
    const sockets = new WebSocketServer({ server: this.http, path: "/live" });
    sockets.on("connection", (socket) => {
      this.tell(socket, { type: "hello", readonly: false, running: this.running, speed: this.speed, log: [{ time: 0, text: "started" }] });
      socket.send(this.frame());
      socket.on("message", (data) => this.hear(socket, JSON.parse(String(data)) as Received));
    });
    return sockets;
  }

  private tell(socket: WebSocket, message: object): void {
    socket.send(JSON.stringify(message));
  }

  tellAll(message: object): void {
    for (const socket of this.sockets.clients) this.tell(socket, message);
  }

  private frame(): ArrayBuffer {
    const f = this.model.frame(this.time, this.knobs);
    return encodeFrame({ ...f, sequence: this.sequence++, flags: this.running ? 1 : 0 });
  }

  private tick(): void {
    const now = performance.now();
    const gone = (now - this.last) / 1000;
    this.last = now;
    if (!this.running) return;
    this.time += gone * (this.speed || 10);
    this.sendFrame();
  }

  private sendFrame(): void {
    const frame = this.frame();
    for (const socket of this.sockets.clients) if (socket.bufferedAmount < 1e6) socket.send(frame);
  }

  private hear(socket: WebSocket, m: Received): void {
    this.received.push(m);
    if (m.type === "run") this.running = true;
    if (m.type === "pause") this.running = false;
    if (m.type === "reset") this.time = 0;
    if (m.type === "speed") this.speed = m.value ?? 1;
    if (m.type === "step") {
      this.running = false;
      this.time += 1e-3 * (m.count ?? 1);
    }
    if (m.name !== undefined && m.value !== undefined) {
      this.knobs[m.name] = m.value;
      this.tellAll({ type: "log", time: this.time, text: `${m.type} ${m.name} = ${m.value}` });
    }
    this.tell(socket, { type: "done", id: m.id });
    this.tellAll({ type: "state", running: this.running, speed: this.speed, inputs: [this.knobs["wind"] ?? 3], parameters: [this.knobs["gain"] ?? 12, this.knobs["damping"] ?? 0.4] });
    if (!this.running) this.sendFrame();
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((done) => this.http.listen(port, "127.0.0.1", done));
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/?token=secret`;
  }

  // As when the program ends: every connection goes.
  async drop(): Promise<void> {
    for (const socket of this.sockets.clients) socket.terminate();
    this.sockets.close();
    this.http.closeAllConnections();
    await new Promise<void>((done) => this.http.close(() => done()));
  }

  async comeBack(port: number): Promise<void> {
    this.sockets = this.accept();
    await this.listen(port);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.drop();
  }
}

const END = 6;

export function replayScene(model: Model, runs: number): Record<string, unknown> {
  return {
    ...model.scene, mode: "replay", end: END, inputs: [], parameters: [],
    events: [{ time: 1.5, name: "latch", on: false }, { time: 4, name: "latch", on: true }],
    runs: Array.from({ length: runs }, (_, k) => ({ name: `run ${k}` })),
  };
}

// All frames of a run; other runs are a bit late.
export function frames(model: Model, run: number): Uint8Array {
  return concat(Array.from({ length: END * 50 + 1 }, (_, i) =>
    encodeFrame({ ...model.frame(i / 50 + 0.15 * run, {}), time: i / 50, sequence: i })));
}

// The page with its data inside.
export function selfContained(model: Model, runs: number): string {
  const data = {
    scene: replayScene(model, runs),
    runs: Array.from({ length: runs }, (_, k) => Buffer.from(frames(model, k)).toString("base64")),
  };
  const json = JSON.stringify(data).replace(/</g, "\\u003c");
  return readFileSync(PAGE, "utf8").replace("</head>", () => `<script id="sarrus-data" type="application/json">${json}</script></head>`);
}
