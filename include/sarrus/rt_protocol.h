/* The real-time protocol, version 1: what lies in shared memory and in datagrams between `sarrus
 * rt` and whoever drives its inputs and reads its outputs.  docs/real-time-protocol.md has the same
 * as tables of bytes.  Stands alone: C11 or C++11, gcc or clang, no library. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SAR_RT_VERSION = 1,
  SAR_RT_NAME = 96, /* bytes of a name with its final zero */
  SAR_RT_UNIT = 16
};

/* CRC-32 as in Ethernet, zlib and PNG, of more bytes behind those that gave `crc`; 0 before the
 * first. */
static inline uint32_t sar_rt_crc(uint32_t crc, const void* data, size_t size) {
  static const uint32_t nibble[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                      0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                      0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                      0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  const unsigned char* p = (const unsigned char*)data;
  crc = ~crc;
  for (size_t i = 0; i < size; i++) {
    crc ^= p[i];
    crc = nibble[crc & 15] ^ (crc >> 4);
    crc = nibble[crc & 15] ^ (crc >> 4);
  }
  return ~crc;
}

/* ---- shared memory ------------------------------------------------------------------------------
 * One object "/sarrus-NAME": this header, the table of signals (inputs, then outputs), a ring of
 * samples of outputs, one of inputs.  Numbers are in the byte order of the machine.  Up to
 * `checksum` the header does not change while it is running; behind it stands what does. */

enum {
  SAR_SHM_ORDER = 0x01020304, /* the byte order, seen by whoever has the other one */
  SAR_SHM_STARTING = 0,       /* `state` */
  SAR_SHM_RUNNING = 1,
  SAR_SHM_ENDED = 2,
  SAR_SHM_FAIL_SAFE = 1 /* `flags` of an input: on a time-out it gets `safe`; else it is held */
};

typedef struct SarShmHeader {
  char magic[8];            /* "SARRUSRT" */
  uint32_t version;         /* SAR_RT_VERSION */
  uint32_t order;           /* SAR_SHM_ORDER */
  uint64_t bytes;           /* of the whole object */
  uint32_t inputs, outputs; /* how many */
  uint32_t signals;         /* where the table of signals begins, from the object's start */
  uint32_t signal_bytes;    /* of one of its rows */
  uint32_t output_ring;     /* where the ring of samples of outputs begins */
  uint32_t output_slots;    /* how many samples it holds, a power of 2 */
  uint32_t output_bytes;    /* from one sample to the next */
  uint32_t input_ring, input_slots, input_bytes; /* the same of inputs */
  uint64_t period_ns;                            /* between two frames */
  uint64_t session;                              /* another number for each run */
  uint32_t reserved[11];
  uint32_t checksum; /* CRC-32 of all before it, then of the table of signals */
  /* written by the runner */
  uint64_t output_head; /* number of the newest sample of outputs, from 1; 0: none yet */
  uint64_t state;
  uint64_t used; /* number of the newest sample of inputs that the runner has used */
  uint64_t runner_reserved[5];
  /* written by whoever drives the inputs */
  uint64_t input_head;
  uint64_t driver_reserved[7];
} SarShmHeader;

typedef struct SarShmSignal {
  char name[SAR_RT_NAME];
  char unit[SAR_RT_UNIT]; /* "": not said */
  double safe;            /* of an input: its fail-safe value */
  uint32_t flags;
  uint32_t reserved;
} SarShmSignal;

/* A sample; behind it, from byte 64 on, its values as doubles.  Number n lies in slot n mod slots,
 * and `stamp` says whether it is whole: 2n - 1 while it is written, 2n when it is (a sequence
 * lock). */
typedef struct SarShmSample {
  uint64_t stamp;
  uint64_t sequence;      /* of outputs: of the frame; of inputs: counts what the driver sends */
  double time;            /* s, simulated; of inputs: that of the outputs they answer */
  int64_t clock_ns;       /* CLOCK_MONOTONIC when it was written */
  uint64_t echo_sequence; /* of inputs: the frame they answer, and its clock_ns; 0 and 0: none */
  int64_t echo_clock_ns;
  uint64_t session; /* of the writer: another number when it begins anew */
  uint64_t reserved;
} SarShmSample;

enum { SAR_SHM_SAMPLE_WORDS = 8 }; /* of 8 bytes, the stamp among them */

/* Writes sample number `number` into its slot; the caller then moves the head to it.  Words are
 * atomic, so that a reader at the same time sees old or new ones, and by the stamp that they are
 * not to be used. */
static inline void sar_shm_put(void* slot, uint64_t number, const SarShmSample* head,
                               const double* values, int count) {
  uint64_t* word = (uint64_t*)slot;
  uint64_t bits[SAR_SHM_SAMPLE_WORDS];
  memcpy(bits, head, sizeof bits);
  __atomic_store_n(&word[0], 2 * number - 1, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  for (int i = 1; i < SAR_SHM_SAMPLE_WORDS; i++)
    __atomic_store_n(&word[i], bits[i], __ATOMIC_RELAXED);
  for (int i = 0; i < count; i++) {
    uint64_t b;
    memcpy(&b, &values[i], sizeof b);
    __atomic_store_n(&word[SAR_SHM_SAMPLE_WORDS + i], b, __ATOMIC_RELAXED);
  }
  __atomic_store_n(&word[0], 2 * number, __ATOMIC_RELEASE);
}

/* 1: head and values are those of sample `number`.  0: it has been overwritten, or is being so. */
static inline int sar_shm_get(const void* slot, uint64_t number, SarShmSample* head, double* values,
                              int count) {
  const uint64_t* word = (const uint64_t*)slot;
  uint64_t bits[SAR_SHM_SAMPLE_WORDS];
  bits[0] = __atomic_load_n(&word[0], __ATOMIC_ACQUIRE);
  if (bits[0] != 2 * number) return 0;
  for (int i = 1; i < SAR_SHM_SAMPLE_WORDS; i++)
    bits[i] = __atomic_load_n(&word[i], __ATOMIC_RELAXED);
  for (int i = 0; i < count; i++) {
    const uint64_t b = __atomic_load_n(&word[SAR_SHM_SAMPLE_WORDS + i], __ATOMIC_RELAXED);
    memcpy(&values[i], &b, sizeof b);
  }
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (__atomic_load_n(&word[0], __ATOMIC_RELAXED) != bits[0]) return 0;
  memcpy(head, bits, sizeof bits);
  return 1;
}

/* ---- datagrams
 * ------------------------------------------------------------------------------------ A head of 64
 * bytes, `count` doubles (or `count` bytes of text), a CRC-32 of all before it; little-endian. */

enum {
  SAR_PACKET_OUTPUTS = 1,  /* runner: outputs of a frame */
  SAR_PACKET_INPUTS = 2,   /* driver: all inputs */
  SAR_PACKET_DESCRIBE = 3, /* driver: asks for the description from byte `sequence` on; no values */
  SAR_PACKET_DESCRIPTION =
      4, /* runner: `count` bytes of it from byte `sequence` on, of `echo_sequence` in all */
  SAR_PACKET_HEAD = 64,
  SAR_PACKET_TAIL = 4,
  SAR_PACKET_TEXT = 1024 /* bytes of text in a packet at most */
};

typedef struct SarPacketHead {
  uint16_t type;
  uint32_t count;
  uint32_t layout;  /* CRC-32 of the description; 0: the sender does not know */
  uint64_t session; /* of the sender: another number when it begins anew */
  uint64_t sequence, echo_sequence;
  double time; /* s, simulated */
  int64_t clock_ns, echo_clock_ns;
} SarPacketHead;

static inline void sar_packet_put64(unsigned char* to, uint64_t x) {
  for (int i = 0; i < 8; i++) to[i] = (unsigned char)(x >> (8 * i));
}
static inline uint64_t sar_packet_get64(const unsigned char* from) {
  uint64_t x = 0;
  for (int i = 0; i < 8; i++) x |= (uint64_t)from[i] << (8 * i);
  return x;
}
static inline void sar_packet_put32(unsigned char* to, uint32_t x) {
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(x >> (8 * i));
}
static inline uint32_t sar_packet_get32(const unsigned char* from) {
  return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}
static inline void sar_packet_put_double(unsigned char* to, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  sar_packet_put64(to, bits);
}
static inline double sar_packet_get_double(const unsigned char* from) {
  const uint64_t bits = sar_packet_get64(from);
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Bytes of a packet's values: doubles, or text. */
static inline size_t sar_packet_payload(const SarPacketHead* h) {
  return h->type == SAR_PACKET_DESCRIPTION ? h->count : 8 * (size_t)h->count;
}

/* Writes the head, and the CRC behind values that are there already.  Returns the bytes of the
 * packet. */
static inline size_t sar_packet_seal(unsigned char* to, const SarPacketHead* h) {
  const size_t size = SAR_PACKET_HEAD + sar_packet_payload(h);
  memcpy(to, "SRRT", 4);
  to[4] = SAR_RT_VERSION;
  to[5] = 0;
  to[6] = (unsigned char)h->type;
  to[7] = (unsigned char)(h->type >> 8);
  sar_packet_put32(to + 8, h->count);
  sar_packet_put32(to + 12, h->layout);
  sar_packet_put64(to + 16, h->session);
  sar_packet_put64(to + 24, h->sequence);
  sar_packet_put_double(to + 32, h->time);
  sar_packet_put64(to + 40, (uint64_t)h->clock_ns);
  sar_packet_put64(to + 48, h->echo_sequence);
  sar_packet_put64(to + 56, (uint64_t)h->echo_clock_ns);
  sar_packet_put32(to + size, sar_rt_crc(0, to, size));
  return size + SAR_PACKET_TAIL;
}

/* 1: a whole packet of this version; its values lie from byte SAR_PACKET_HEAD on.  0: it is none.
 */
static inline int sar_packet_open(const unsigned char* from, size_t size, SarPacketHead* h) {
  if (size < SAR_PACKET_HEAD + SAR_PACKET_TAIL || memcmp(from, "SRRT", 4) != 0 ||
      from[4] != SAR_RT_VERSION || from[5] != 0)
    return 0;
  h->type = (uint16_t)(from[6] | from[7] << 8);
  h->count = sar_packet_get32(from + 8);
  h->layout = sar_packet_get32(from + 12);
  h->session = sar_packet_get64(from + 16);
  h->sequence = sar_packet_get64(from + 24);
  h->time = sar_packet_get_double(from + 32);
  h->clock_ns = (int64_t)sar_packet_get64(from + 40);
  h->echo_sequence = sar_packet_get64(from + 48);
  h->echo_clock_ns = (int64_t)sar_packet_get64(from + 56);
  const size_t payload = size - SAR_PACKET_HEAD - SAR_PACKET_TAIL;
  if (h->type < SAR_PACKET_OUTPUTS || h->type > SAR_PACKET_DESCRIPTION || h->count > size ||
      sar_packet_payload(h) != payload)
    return 0;
  return sar_packet_get32(from + size - SAR_PACKET_TAIL) ==
         sar_rt_crc(0, from, size - SAR_PACKET_TAIL);
}

#ifdef __cplusplus
}
#endif
