// The WebSocket to the server, which comes back by itself after it was lost.
import { readMessage, type Command, type Message } from "./messages";

export type LinkState = "connecting" | "open" | "lost";

export interface Listener {
  frame(buffer: ArrayBuffer): void;
  message(message: Message): void;
  state(state: LinkState, nextTry: number): void; // seconds until the next try
}

const FIRST = 0.5; // s to the first try, doubling
const LONGEST = 8;
const SILENCE = 15000; // ms without a word: ask

export class Connection {
  private socket: WebSocket | undefined;
  private wait = FIRST;
  private timer = 0;
  private next = 1;
  private heard = 0;

  private readonly guard: number;

  constructor(private readonly url: string, private readonly listener: Listener) {
    this.guard = window.setInterval(() => this.checkSilence(), SILENCE / 3);
  }

  // For good.
  close(): void {
    clearTimeout(this.timer);
    clearInterval(this.guard);
    const { socket } = this;
    this.socket = undefined;
    socket?.close();
  }

  open(): void {
    clearTimeout(this.timer);
    this.listener.state("connecting", 0);
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST;
      this.heard = performance.now();
      this.listener.state("open", 0);
    };
    socket.onmessage = (event: MessageEvent<unknown>) => this.take(event.data);
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
  }

  private take(data: unknown): void {
    this.heard = performance.now();
    if (data instanceof ArrayBuffer) this.listener.frame(data);
    else if (typeof data === "string") this.listener.message(readMessage(data));
  }

  private lost(): void {
    this.socket = undefined;
    this.listener.state("lost", this.wait);
    this.timer = window.setTimeout(() => this.open(), 1000 * this.wait);
    this.wait = Math.min(LONGEST, 2 * this.wait);
  }

  // A connection that is half open says nothing for ever: ask, and give it up when no answer comes.
  private checkSilence(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    const silent = performance.now() - this.heard;
    if (silent > 2 * SILENCE) this.socket.close();
    else if (silent > SILENCE) this.send({ type: "ping" });
  }

  // The number that comes back with the answer; 0: it could not be sent.
  send(command: Command): number {
    if (this.socket?.readyState !== WebSocket.OPEN) return 0;
    const id = this.next++;
    this.socket.send(JSON.stringify({ ...command, id }));
    return id;
  }
}
