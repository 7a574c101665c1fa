// Records of instances (sweep_record.h).
#include "cli/sweep_record.h"

#include <limits.h>
#include <string.h>

enum { RECORD_HEAD = 16, MOST = 1 << 30 };

bool sweep_bytes_room(SweepBytes* b, size_t more) {
  if (b->room - b->used >= more) return true;
  const size_t room = 2 * (b->used + more) + 4096;
  unsigned char* larger = sar_alloc_brief(room);
  if (!larger) return false;
  if (b->used) memcpy(larger, b->at, b->used);
  sar_free(b->at);
  b->at = larger;
  b->room = room;
  return true;
}

bool sweep_bytes_add(SweepBytes* b, const void* from, size_t n) {
  if (!sweep_bytes_room(b, n)) return false;
  if (n) memcpy(b->at + b->used, from, n);
  b->used += n;
  return true;
}

bool sweep_bytes_entry(SweepBytes* b, int32_t whose, const void* from, size_t n) {
  const uint32_t size = (uint32_t)n;
  return n <= MOST && sweep_bytes_room(b, SWEEP_ENTRY_HEAD + n) &&
         sweep_bytes_add(b, &size, sizeof size) && sweep_bytes_add(b, &whose, sizeof whose) &&
         sweep_bytes_add(b, from, n);
}

static void add_row(const Sweep* s, const double* all, unsigned char** to) {
  memcpy(*to, all, sizeof *all);
  *to += sizeof *all;
  for (int i = 0; i < s->columns; i++, *to += sizeof *all)
    memcpy(*to, &all[1 + s->column[i]], sizeof *all);
}

static bool begin_record(SweepBytes* out, int instance, int status, size_t rows, size_t row,
                         size_t text) {
  const size_t size = RECORD_HEAD + rows * row + text;
  const int32_t head[6] = {(int32_t)size, instance, status, (int32_t)rows, (int32_t)text, 0};
  if (rows > INT_MAX || (row > 0 && rows > MOST / row) || size > MOST) return false;
  return sweep_bytes_room(out, SWEEP_ENTRY_HEAD + size) && sweep_bytes_add(out, head, sizeof head);
}

bool sweep_record_add(const Sweep* s, int instance, const SweepOutcome* o, SweepBytes* out) {
  const SarTable* t = sweep_rows_of(s, o);
  const bool last = sar_table_rows(t) == 0 && o->status == SAR_OK && o->has_last;
  const size_t rows = last ? 1 : sar_table_rows(t), text = strlen(o->trouble);
  const size_t row = (size_t)(1 + s->columns) * sizeof(double);
  if (!begin_record(out, instance, cli_exit_status(o->status), rows, row, text)) return false;
  unsigned char* to = out->at + out->used;
  for (size_t i = 0; i < rows; i++)
    add_row(s, last ? o->last : sar_table_values(t) + i * (size_t)sar_table_columns(t), &to);
  memcpy(to, o->trouble, text);
  out->used += rows * row + text;
  return true;
}

bool sweep_record_lost(int instance, const char* why, SweepBytes* out) {
  return begin_record(out, instance, EXIT_INTERNAL, 0, 0, strlen(why)) &&
         sweep_bytes_add(out, why, strlen(why));
}

bool sweep_record_read(const Sweep* s, const void* bytes, size_t size, SweepRecord* out) {
  int32_t head[4];
  if (size < RECORD_HEAD) return false;
  memcpy(head, bytes, sizeof head);
  const size_t row = (size_t)(1 + s->columns) * sizeof(double);
  if (head[1] < 0 || head[2] < 0 || (size_t)head[1] > MOST / row) return false;
  const size_t values = (size_t)head[1] * row;
  if (size - RECORD_HEAD != values + (size_t)head[2]) return false;
  *out = (SweepRecord){.status = head[0],
                       .rows = head[1],
                       .values = (const unsigned char*)bytes + RECORD_HEAD,
                       .trouble = (const char*)bytes + RECORD_HEAD + values,
                       .trouble_length = (size_t)head[2]};
  return true;
}
