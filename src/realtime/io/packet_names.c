// Names of a port's signals for packets, and its description as JSON:
//   {"protocol": "sarrus-rt", "version": 1, "model": "arm", "period": 0.001, "inputs": [{"name":
//   "torque",
//    "unit": "N m", "safe": 0}], "outputs": [{"name": "shoulder.q", "unit": "rad"}]}
#include "realtime/io/packet_names.h"

#include "base/alloc.h"
#include "base/print.h"

#include <stdio.h>

// Text that is counted first and written then.
typedef struct Text {
  char* to;  // NULL: counted only
  size_t used;
} Text;

static void put(Text* t, const char* text) {
  const size_t n = strlen(text);
  if (t->to) memcpy(t->to + t->used, text, n);
  t->used += n;
}

static void put_quoted(Text* t, const char* text) {
  put(t, "\"");
  for (; *text; text++) {
    char piece[8] = {*text, 0};
    if (*text == '"' || *text == '\\')
      snprintf(piece, sizeof piece, "\\%c", *text);
    else if ((unsigned char)*text < 0x20)
      snprintf(piece, sizeof piece, "\\u%04x", (unsigned char)*text);
    put(t, piece);
  }
  put(t, "\"");
}

static void put_number(Text* t, double x) {
  char text[32];
  sar_snprintf(text, sizeof text, "%.17g", x);
  put(t, text);
}

static void put_signal(Text* t, int i, const char* name, const char* unit) {
  put(t, i ? ", {\"name\": " : "{\"name\": ");
  put_quoted(t, name);
  put(t, ", \"unit\": ");
  put_quoted(t, unit ? unit : "");
}

static void put_description(Text* t, const SarPort* p, const SarPortLayout* l,
                            const SarArrivals* a) {
  put(t, "{\"protocol\": \"sarrus-rt\", \"version\": 1, \"model\": ");
  put_quoted(t, l->model ? l->model : "");
  put(t, ", \"period\": ");
  put_number(t, l->period);
  put(t, ", \"inputs\": [");
  for (int i = 0; i < p->inputs; i++) {
    const SarPortInput* in = &l->input[p->input_place[i]];
    put_signal(t, i, in->name, in->unit);
    if (a->fail_safe[i]) put(t, ", \"safe\": "), put_number(t, a->safe[i]);
    put(t, "}");
  }
  put(t, "], \"outputs\": [");
  for (int i = 0; i < p->outputs; i++) {
    const SarPortOutput* out = &l->output[p->output_place[i]];
    put_signal(t, i, out->name, out->unit);
    put(t, "}");
  }
  put(t, "]}\n");
}

// Keys of JSON, one after the other, each with its final zero.
static void put_keys(Text* t, char** key, const SarPort* p, const SarPortLayout* l) {
  for (int i = 0; i < p->outputs; i++) {
    if (key) key[i] = t->to + t->used;
    put_quoted(t, l->output[p->output_place[i]].name);
    put(t, ": ");
    if (t->to) t->to[t->used] = '\0';
    t->used++;
  }
}

SarStatus sar_packet_names_init(SarPacketNames* n, const SarPort* p, const SarPortLayout* l,
                                const SarArrivals* a) {
  *n = (SarPacketNames){.inputs = p->inputs, .outputs = p->outputs};
  Text text = {0}, keys = {0};
  put_description(&text, p, l, a);
  put_keys(&keys, NULL, p, l);
  n->input = sar_alloc(sizeof *n->input * (size_t)(p->inputs + 1));
  n->output = sar_alloc(sizeof *n->output * (size_t)(p->outputs + 1));
  n->memory = sar_alloc(text.used + keys.used + 1);
  if (!n->input || !n->output || !n->memory) return SAR_NO_MEMORY;
  for (int i = 0; i < p->inputs; i++)
    snprintf(n->input[i], SAR_RT_NAME, "%s", l->input[p->input_place[i]].name);
  text = (Text){n->memory, 0};
  put_description(&text, p, l, a);
  keys = (Text){n->memory + text.used, 0};
  put_keys(&keys, n->output, p, l);
  n->text = n->memory;
  n->text_size = text.used;
  n->layout = sar_rt_crc(0, n->text, n->text_size);
  return SAR_OK;
}

void sar_packet_names_free(SarPacketNames* n) {
  sar_free(n->input);
  sar_free((void*)n->output);
  sar_free(n->memory);
}
