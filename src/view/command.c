// Reading commands (command.h): a table of what each consists of.
#include "view/command.h"

#include "base/print.h"
#include "view/json_in.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef enum Field { TYPE, ID, COUNT, VALUE, NAME, BODY, POINT, TO, FIELDS } Field;

static const char* const FIELD[] = {"type", "id", "count", "value", "name", "body", "point", "to"};
_Static_assert(sizeof FIELD / sizeof *FIELD == FIELDS, "one for each");

enum { BIT_COUNT = 1 << COUNT, BIT_VALUE = 1 << VALUE, BIT_NAME = 1 << NAME };

static const struct {
  const char* type;
  unsigned needs, may;  // bits of fields; `type` and `id` go with all
} TABLE[SAR_DO_KINDS] = {
    [SAR_DO_RUN] = {"run", 0, 0},
    [SAR_DO_PAUSE] = {"pause", 0, 0},
    [SAR_DO_STEP] = {"step", 0, BIT_COUNT},
    [SAR_DO_RESET] = {"reset", 0, 0},
    [SAR_DO_SPEED] = {"speed", BIT_VALUE, 0},
    [SAR_DO_INPUT] = {"input", BIT_NAME | BIT_VALUE, 0},
    [SAR_DO_PARAMETER] = {"parameter", BIT_NAME | BIT_VALUE, 0},
    [SAR_DO_PULL] = {"pull", 1 << BODY | 1 << POINT | 1 << TO, 0},
    [SAR_DO_RELEASE] = {"release", 0, 0},
    [SAR_DO_PING] = {"ping", 0, 0},
};

static int field_of(const char* name) {
  for (int i = 0; i < FIELDS; i++)
    if (strcmp(FIELD[i], name) == 0) return i;
  return -1;
}

// A whole number from `low` to `high`.
static bool whole(SarJsonIn* in, const char* name, double low, double high, double* out) {
  if (!sar_json_in_number(in, out)) return false;
  if (*out >= low && *out <= high && *out == floor(*out)) return true;
  return sar_json_in_fail(in, "'%s': expected a whole number from %.0f to %.0f", name, low, high);
}

static bool read_type(SarJsonIn* in, SarCommand* out) {
  char type[SAR_COMMAND_NAME];
  if (!sar_json_in_text(in, type, sizeof type)) return false;
  for (int i = 0; i < SAR_DO_KINDS; i++)
    if (strcmp(TABLE[i].type, type) == 0) {
      out->kind = (SarCommandKind)i;
      return true;
    }
  return sar_json_in_fail(in, "there is no command '%.40s'", type);
}

static bool read_field(SarJsonIn* in, Field field, SarCommand* out) {
  double x = 0;
  bool good = false;
  switch (field) {
    case TYPE: return read_type(in, out);
    case NAME: return sar_json_in_text(in, out->name, sizeof out->name);
    case VALUE: return sar_json_in_number(in, &out->value);
    case POINT: return sar_json_in_numbers(in, out->point, 3);
    case TO: return sar_json_in_numbers(in, out->to, 3);
    case ID:
      good = whole(in, "id", 0, INT_MAX, &x);
      if (good) out->id = (long)x;
      return good;
    case COUNT:
      good = whole(in, "count", 1, SAR_COMMAND_STEPS, &x);
      if (good) out->count = (int)x;
      return good;
    case BODY:
      good = whole(in, "body", 0, INT_MAX, &x);
      if (good) out->body = (int)x;
      return good;
    case FIELDS: break;
  }
  return false;
}

// All that the command needs, and nothing else.
static bool is_complete(SarJsonIn* in, const SarCommand* out, unsigned given) {
  if (!(given & 1 << TYPE)) return sar_json_in_fail(in, "expected a field 'type'");
  const unsigned needs = TABLE[out->kind].needs,
                 may = needs | TABLE[out->kind].may | 1 << TYPE | 1 << ID;
  for (int i = 0; i < FIELDS; i++) {
    if (needs & ~given & 1u << i)
      return sar_json_in_fail(in, "'%s' needs a field '%s'", TABLE[out->kind].type, FIELD[i]);
    if (given & ~may & 1u << i)
      return sar_json_in_fail(in, "'%s' has no field '%s'", TABLE[out->kind].type, FIELD[i]);
  }
  if (out->kind == SAR_DO_SPEED && out->value != 0 && !(out->value >= 1e-3 && out->value <= 1e3))
    return sar_json_in_fail(in, "'speed': expected 0, or a value from 0.001 to 1000");
  return true;
}

static bool read_object(SarJsonIn* in, SarCommand* out) {
  unsigned given = 0;
  char name[SAR_COMMAND_NAME];
  if (!sar_json_in_open(in, '{')) return false;
  while (sar_json_in_more(in, '}', given != 0)) {
    if (!sar_json_in_key(in, name, sizeof name)) return false;
    const int field = field_of(name);
    if (field < 0) return sar_json_in_fail(in, "there is no field '%.40s'", name);
    if (given & 1u << field) return sar_json_in_fail(in, "'%s' is given twice", name);
    given |= 1u << field;
    if (!read_field(in, (Field)field, out)) return false;
  }
  return !in->failed && sar_json_in_end(in) && is_complete(in, out, given);
}

bool sar_command_parse(const char* text, size_t size, SarCommand* out, char* error, size_t room) {
  *out = (SarCommand){.id = -1, .count = 1, .target = -1};
  SarJsonIn in = {.at = text, .end = text + size, .error = error, .room = room};
  if (room > 0) error[0] = '\0';
  if (size > SAR_COMMAND_BYTES)
    return sar_json_in_fail(&in, "a command has at most %d bytes", SAR_COMMAND_BYTES);
  return read_object(&in, out);
}
