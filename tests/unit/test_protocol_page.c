// docs/real-time-protocol.md against the headers: each row of its tables of bytes is a field, at
// that byte and of that size, and each field has a row.
#include "realtime/port.h"
#include "sarrus/rt_protocol.h"
#include "support/test.h"

typedef struct Field {
  const char* name;
  size_t at, size;
} Field;

#define FIELD(type, name) \
  { #name, offsetof(type, name), sizeof(((type*)0)->name) }

static const Field header[] = {FIELD(SarShmHeader, magic),
                               FIELD(SarShmHeader, version),
                               FIELD(SarShmHeader, order),
                               FIELD(SarShmHeader, bytes),
                               FIELD(SarShmHeader, inputs),
                               FIELD(SarShmHeader, outputs),
                               FIELD(SarShmHeader, signals),
                               FIELD(SarShmHeader, signal_bytes),
                               FIELD(SarShmHeader, output_ring),
                               FIELD(SarShmHeader, output_slots),
                               FIELD(SarShmHeader, output_bytes),
                               FIELD(SarShmHeader, input_ring),
                               FIELD(SarShmHeader, input_slots),
                               FIELD(SarShmHeader, input_bytes),
                               FIELD(SarShmHeader, period_ns),
                               FIELD(SarShmHeader, session),
                               FIELD(SarShmHeader, reserved),
                               FIELD(SarShmHeader, checksum),
                               FIELD(SarShmHeader, output_head),
                               FIELD(SarShmHeader, state),
                               FIELD(SarShmHeader, used),
                               FIELD(SarShmHeader, runner_reserved),
                               FIELD(SarShmHeader, input_head),
                               FIELD(SarShmHeader, driver_reserved),
                               {0}};
static const Field signal_row[] = {FIELD(SarShmSignal, name),     FIELD(SarShmSignal, unit),
                                   FIELD(SarShmSignal, safe),     FIELD(SarShmSignal, flags),
                                   FIELD(SarShmSignal, reserved), {0}};
static const Field sample[] = {FIELD(SarShmSample, stamp),
                               FIELD(SarShmSample, sequence),
                               FIELD(SarShmSample, time),
                               FIELD(SarShmSample, clock_ns),
                               FIELD(SarShmSample, echo_sequence),
                               FIELD(SarShmSample, echo_clock_ns),
                               FIELD(SarShmSample, session),
                               FIELD(SarShmSample, reserved),
                               {0}};

static FILE* page_at(const char* heading) {
  char line[1024];
  FILE* f = fopen("docs/real-time-protocol.md", "r");
  assert_non_null(f);
  while (fgets(line, sizeof line, f))
    if (strncmp(line, heading, strlen(heading)) == 0 && line[strlen(heading)] == '\n') return f;
  fclose(f);
  fail_msg("no heading '%s'", heading);
  return NULL;
}

// The next row "| 24 | 4 | `inputs` |" before the next heading; false: there are no more.
static bool next_row(FILE* f, size_t* at, size_t* size, char name[64]) {
  char line[1024];
  while (fgets(line, sizeof line, f) && line[0] != '#')
    if (sscanf(line, "| %zu | %zu | `%63[a-z_0-9]` |", at, size, name) == 3) return true;
  return false;
}

static void expect_table(const char* heading, const Field* field, size_t bytes) {
  FILE* f = page_at(heading);
  size_t at, size, end = 0;
  char name[64];
  for (; field->name; field++) {
    if (!next_row(f, &at, &size, name)) fail_msg("%s: no row for '%s'", heading, field->name);
    assert_string_equal(name, field->name);
    assert_int_equal(at, field->at);
    assert_int_equal(size, field->size);
    assert_int_equal(at, end);  // no gaps
    end = at + size;
  }
  assert_int_equal(end, bytes);
  assert_false(next_row(f, &at, &size, name));
  fclose(f);
}

static void shared_memory_is_as_documented(void** state) {
  (void)state;
  expect_table("### Header", header, sizeof(SarShmHeader));
  expect_table("### Signal", signal_row, sizeof(SarShmSignal));
  expect_table("### Sample", sample, sizeof(SarShmSample));
}

// A packet of known values has each of them where the page says.
static void packets_are_as_documented(void** state) {
  (void)state;
  unsigned char p[256];
  const SarPacketHead h = {.type = SAR_PACKET_INPUTS,
                           .count = 2,
                           .layout = 0x04030201,
                           .session = 0x1817161514131211,
                           .sequence = 0x2827262524232221,
                           .time = 1.5,
                           .clock_ns = 0x3837363534333231,
                           .echo_sequence = 0x4847464544434241,
                           .echo_clock_ns = 0x5857565554535251};
  const struct {
    const char* name;
    uint64_t value;
  } expected[] = {{"type", SAR_PACKET_INPUTS},
                  {"count", 2},
                  {"layout", h.layout},
                  {"session", h.session},
                  {"sequence", h.sequence},
                  {"time", 0x3ff8000000000000},
                  {"clock_ns", (uint64_t)h.clock_ns},
                  {"echo_sequence", h.echo_sequence},
                  {"echo_clock_ns", (uint64_t)h.echo_clock_ns}};
  sar_packet_put_double(p + SAR_PACKET_HEAD, 1.5);
  sar_packet_put_double(p + SAR_PACKET_HEAD + 8, -2);
  const size_t n = sar_packet_seal(p, &h);
  assert_int_equal(n, 64 + 16 + 4);
  assert_memory_equal(p, "SRRT\x01\x00", 6);
  FILE* f = page_at("### Packet");
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    size_t at, size;
    char name[64];
    uint64_t value = 0;
    assert_true(next_row(f, &at, &size, name));
    assert_string_equal(name, expected[k].name);
    for (size_t i = 0; i < size; i++) value |= (uint64_t)p[at + i] << (8 * i);
    assert_true(value == expected[k].value);
  }
  fclose(f);
  // CRC-32 of "123456789", the usual check
  assert_int_equal(sar_rt_crc(0, "123456789", 9), 0xcbf43926);
  assert_int_equal(sar_rt_crc(sar_rt_crc(0, "1234", 4), "56789", 5), 0xcbf43926);
}

// Options that the page explains are those that ports take.
static void options_are_as_documented(void** state) {
  (void)state;
  static char page[1 << 16];
  FILE* f = fopen("docs/real-time-protocol.md", "r");
  assert_non_null(f);
  page[fread(page, 1, sizeof page - 1, f)] = '\0';
  fclose(f);
  for (int i = 0; sar_port_kind(i); i++) {
    char text[512];
    snprintf(text, sizeof text, "%s", sar_port_kind(i)->address);
    for (char* option = text; (option = strstr(option, "[,"));) {
      char row[64];
      option += 2;
      snprintf(row, sizeof row, "\n| `%.*s", (int)strcspn(option, "="), option);
      if (!strstr(page, row)) fail_msg("no row %s", row + 1);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shared_memory_is_as_documented),
      cmocka_unit_test(packets_are_as_documented),
      cmocka_unit_test(options_are_as_documented),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
