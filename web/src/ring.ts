// Rings: the newest of what came, in bounded memory.

// Rows of numbers (time and outputs of a frame), one column per quantity.
export class SeriesRing {
  readonly width: number;
  readonly capacity: number;
  private readonly data: Float64Array;
  private first = 0;
  private count = 0;

  constructor(width: number, capacity: number) {
    this.width = width;
    this.capacity = Math.max(1, Math.floor(capacity));
    this.data = new Float64Array(this.width * this.capacity);
  }

  get length(): number {
    return this.count;
  }

  clear(): void {
    this.first = 0;
    this.count = 0;
  }

  // Room for one more row at the end; the oldest goes when there is none. Returns where it begins.
  private place(): number {
    const row = (this.first + this.count) % this.capacity;
    if (this.count < this.capacity) this.count++;
    else this.first = (this.first + 1) % this.capacity;
    return row * this.width;
  }

  push(...parts: readonly ArrayLike<number>[]): void {
    let at = this.place();
    const end = at + this.width;
    for (const part of parts) {
      for (let i = 0; i < part.length && at < end; i++) this.data[at++] = part[i];
    }
    this.data.fill(NaN, at, end);
  }

  at(row: number, column: number): number {
    return this.data[((this.first + row) % this.capacity) * this.width + column];
  }

  // First row whose value in a rising column is at least `value`; `length` when there is none.
  lowerBound(column: number, value: number): number {
    let low = 0, high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle, column) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // A column from row `from` to before row `to`, at most `most` values at equal distances.
  column(column: number, from: number, to: number, most: number): Float64Array {
    const stride = Math.max(1, Math.ceil((to - from) / Math.max(1, most)));
    const out = new Float64Array(Math.max(0, Math.ceil((to - from) / stride)));
    for (let i = 0; i < out.length; i++) out[i] = this.at(from + i * stride, column);
    return out;
  }
}

interface Sized {
  bytes: number;
  time: number;
}

// Items of rising time (frames), as many of the newest as fit in a number of bytes.
export class History<T extends Sized> {
  private items: T[] = [];
  private first = 0; // items before it were dropped
  private bytes = 0;

  constructor(private readonly budget: number) {}

  get length(): number {
    return this.items.length - this.first;
  }

  clear(): void {
    this.items = [];
    this.first = 0;
    this.bytes = 0;
  }

  // An item earlier than the last one begins a new history: the run was reset.
  push(item: T): void {
    const last = this.last();
    if (last && item.time < last.time) this.clear();
    this.items.push(item);
    this.bytes += item.bytes;
    while (this.bytes > this.budget && this.length > 1) this.bytes -= this.items[this.first++].bytes;
    if (this.first > 1024 && this.first * 2 > this.items.length) {
      this.items = this.items.slice(this.first);
      this.first = 0;
    }
  }

  // The newest once more, as it is now.
  replaceLast(item: T): void {
    const last = this.items.pop();
    this.bytes += item.bytes - (last?.bytes ?? 0);
    this.items.push(item);
  }

  at(index: number): T {
    return this.items[this.first + index];
  }

  last(): T | undefined {
    return this.length > 0 ? this.items[this.items.length - 1] : undefined;
  }

  // Last item whose time is at most `time`; 0 when all are later.
  indexAt(time: number): number {
    let low = 0, high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle).time <= time) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}
