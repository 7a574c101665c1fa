// Text messages of the server (docs/window-protocol.md), checked when they are read.
import { flag, list, maybe, number, object, text, type Json } from "./json";

export interface LogEntry {
  time: number;
  text: string;
}

export type Message =
  | { type: "hello"; readonly: boolean; running: boolean; speed: number; log: LogEntry[] }
  | { type: "done"; id?: number }
  | { type: "error"; id?: number; message: string }
  | { type: "log"; entry: LogEntry }
  | { type: "state"; running: boolean; speed: number; inputs: number[]; parameters: number[] }
  | { type: "scene" }
  | { type: "unknown" };

export type Command =
  | { type: "run" | "pause" | "reset" | "release" | "ping" }
  | { type: "step"; count: number }
  | { type: "speed"; value: number }
  | { type: "input" | "parameter"; name: string; value: number }
  | { type: "pull"; body: number; point: number[]; to: number[] };

const entry = (o: Json): LogEntry => ({ time: number(o, "time", 0), text: text(o, "text") });
const values = (o: Json, key: string): number[] => list(o, key).map((v) => (typeof v === "number" ? v : NaN));

function id(o: Json): { id?: number } {
  const value = maybe(o, "id");
  return value === undefined ? {} : { id: value };
}

export function readMessage(source: string): Message {
  const o = object(JSON.parse(source), "message");
  switch (o["type"]) {
    case "hello":
      return {
        type: "hello", readonly: flag(o, "readonly"), running: flag(o, "running"), speed: number(o, "speed", 1),
        log: list(o, "log").map((e) => entry(object(e, "log"))),
      };
    case "done": return { type: "done", ...id(o) };
    case "error": return { type: "error", ...id(o), message: text(o, "message", "refused") };
    case "log": return { type: "log", entry: entry(o) };
    case "state":
      return {
        type: "state", running: flag(o, "running"), speed: number(o, "speed", 1),
        inputs: values(o, "inputs"), parameters: values(o, "parameters"),
      };
    case "scene": return { type: "scene" };
    default: return { type: "unknown" };
  }
}
