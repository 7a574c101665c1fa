"""Clients of `sarrus rt`: shared memory and UDP, with Python's standard library alone.

    rig = Shm("arm")                      # sarrus rt arm.yaml --rate 1000 --shm arm
    for y in rig:                         # y["shoulder.q"], ...: the newest outputs, once each
        rig.send({"torque": -100 * y["shoulder.q"]})

Docs: docs/real-time-protocol.md.
"""
import fcntl
import json
import mmap
import os
import socket
import struct
import time
import zlib

HEADER = struct.Struct("=8sIIQIIIIIIIIIIQQ")  # up to `session`
CHECKSUM, OUTPUT_HEAD, STATE, INPUT_HEAD = 124, 128, 136, 192  # bytes from the start
SIGNAL = struct.Struct("=96s16sdII")
SAMPLE_WORDS = 8  # stamp, sequence, time, clock, echo sequence, echo clock, session, reserved
RUNNING = 1


class Absent(Exception):
    """There is no such run."""


class Wrong(Exception):
    """Not of this protocol or version, or damaged."""


def _text(raw):
    return raw.split(b"\0", 1)[0].decode()


class Shm:
    """Reads outputs and, with drive=True, sends inputs. One process drives at a time."""

    def __init__(self, name, drive=True):
        try:
            self._file = os.open("/dev/shm/sarrus-" + name, os.O_RDWR)
        except FileNotFoundError:
            raise Absent(name) from None
        self._map = self._words = self._doubles = None
        try:
            self._attach(name, drive)
        except BaseException:
            self.close()
            raise
        self._read = 0
        self._sent = 0
        self._last = (0, 0.0, 0)  # sequence, time, clock of the outputs read last
        self._session = time.monotonic_ns() ^ os.getpid() << 40
        self._values = [0.0] * len(self.inputs)
        self.lost = 0

    def _attach(self, name, drive):
        size = os.fstat(self._file).st_size
        if size < 256:
            raise Absent(name)  # being made
        self._map = mmap.mmap(self._file, size)
        # whole words: an element of a view is one store of 8 bytes, which struct's packing is not
        self._words = memoryview(self._map).cast("Q")
        self._doubles = memoryview(self._map).cast("d")
        self._describe(size)
        if drive:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 0)  # OSError: another one drives

    def _describe(self, size):
        (magic, version, order, total, inputs, outputs, table, row, self._out_ring, self._out_slots,
         self._out_bytes, self._in_ring, self._in_slots, self._in_bytes, period, _) = HEADER.unpack_from(
             self._map, 0)
        if not self.alive():
            raise Absent("not running")  # what a run left that was killed
        rows = bytes(self._map[table:table + (inputs + outputs) * row])
        crc = zlib.crc32(rows, zlib.crc32(bytes(self._map[:CHECKSUM])))
        if (magic, version, order) != (b"SARRUSRT", 1, 0x01020304) or total > size or row != SIGNAL.size \
                or crc != struct.unpack_from("=I", self._map, CHECKSUM)[0]:
            raise Wrong("not of this protocol")
        signals = list(SIGNAL.iter_unpack(rows))
        self.inputs = [_text(s[0]) for s in signals[:inputs]]
        self.outputs = [_text(s[0]) for s in signals[inputs:]]
        self.units = {_text(s[0]): _text(s[1]) for s in signals}
        self.period = 1e-9 * period

    def latest(self):
        """The newest outputs as a list, or None if they were read before."""
        while True:
            head = self._words[OUTPUT_HEAD // 8]
            if head == self._read:
                return None
            values = self._get(head)
            if values is not None:
                return values

    def next(self):
        """The next outputs in order, or None; those it comes too late for are counted in `lost`."""
        while True:
            head = self._words[OUTPUT_HEAD // 8]
            if head == self._read:
                return None
            room = self._out_slots - 1
            if head - self._read > room:
                self.lost += head - self._read - room
                self._read = head - room
            values = self._get(self._read + 1)
            if values is not None:
                return values

    def _get(self, number):
        word = (self._out_ring + (number & (self._out_slots - 1)) * self._out_bytes) // 8
        if self._words[word] != 2 * number:
            return None
        last = (self._words[word + 1], self._doubles[word + 2], self._words[word + 3])
        first = word + SAMPLE_WORDS
        values = self._doubles[first:first + len(self.outputs)].tolist()
        if self._words[word] != 2 * number:
            return None  # overwritten meanwhile
        self._read = number
        self._last = last
        return values

    def send(self, inputs):
        """Inputs by name; those not named stay as they were."""
        for name, value in inputs.items():
            self._values[self.inputs.index(name)] = float(value)
        number = self._words[INPUT_HEAD // 8] + 1
        word = (self._in_ring + (number & (self._in_slots - 1)) * self._in_bytes) // 8
        words, doubles = self._words, self._doubles
        self._sent += 1
        words[word] = 2 * number - 1
        words[word + 1] = self._sent
        doubles[word + 2] = self._last[1]
        words[word + 3] = time.monotonic_ns()
        words[word + 4] = self._last[0]
        words[word + 5] = self._last[2]
        words[word + 6] = self._session
        for i, value in enumerate(self._values):
            doubles[word + SAMPLE_WORDS + i] = value
        words[word] = 2 * number
        words[INPUT_HEAD // 8] = number

    def alive(self):
        """The runner holds a lock on the object as long as it lives."""
        if self._words[STATE // 8] != RUNNING:
            return False
        try:
            fcntl.flock(self._file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        fcntl.flock(self._file, fcntl.LOCK_UN)
        return False

    def __iter__(self):
        """The newest outputs by name, each once, until the run is over."""
        looked = time.monotonic()
        while True:
            values = self.latest()
            if values is not None:
                looked = time.monotonic()
                yield dict(zip(self.outputs, values))
            elif time.monotonic() - looked > 0.1:
                if not self.alive():
                    return
                looked = time.monotonic()
            else:
                time.sleep(5e-5)

    def close(self):
        for part in (self._words, self._doubles):
            if part is not None:
                part.release()
        if self._map is not None:
            self._map.close()
        os.close(self._file)


class Udp:
    """The same over UDP, with lines of JSON."""

    def __init__(self, port, host="127.0.0.1", timeout=0.5):
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.connect((host, port))
        self._socket.settimeout(timeout)
        self._sent = 0
        self._session = time.monotonic_ns()
        self.last = {}
        self.description = self._ask()

    def _ask(self):
        for _ in range(40):
            try:
                self._socket.send(b'{"describe": true}')
                text = json.loads(self._socket.recv(65536))
                if "protocol" in text:
                    return text
            except (socket.timeout, ConnectionRefusedError):
                time.sleep(0.05)
        raise Absent("nobody answers")

    def receive(self):
        """The next outputs by name, or None after the time-out."""
        try:
            while True:
                line = json.loads(self._socket.recv(65536))
                if "outputs" in line:
                    self.last = line
                    return line["outputs"]
        except (socket.timeout, ConnectionRefusedError):
            return None

    def send(self, inputs):
        self._sent += 1
        line = {"session": self._session, "sequence": self._sent, "clock_ns": time.monotonic_ns(),
                "echo": self.last.get("sequence", 0), "echo_ns": self.last.get("clock_ns", 0), "inputs": inputs}
        self._socket.send(json.dumps(line).encode())
