// Identifiers of C from the names of a model: unique within a struct, no keywords.
#include "codegen/generate.h"

#include "base/print.h"

#include <ctype.h>
#include <string.h>

static bool is_keyword(const char* word) {
  static const char* const words[] = {
      "auto",      "break",     "case",     "char",      "const",    "continue", "default",
      "do",        "double",    "else",     "enum",      "extern",   "float",    "for",
      "goto",      "if",        "inline",   "int",       "long",     "register", "restrict",
      "return",    "short",     "signed",   "sizeof",    "static",   "struct",   "switch",
      "typedef",   "union",     "unsigned", "void",      "volatile", "while",    "class",
      "new",       "delete",    "template", "this",      "private",  "public",   "protected",
      "namespace", "operator",  "bool",     "true",      "false",    "t",        "q",
      "v",         "z",         "input",    "tau",       "value",    "a",        "z_rate",
      "lambda",    "main",      "real",     "parameter", "w",        "w_kept",   "held",
      "memory",    "parameters"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], word) == 0) return true;
  return false;
}

const char* sar_identifier(SarArena* arena, const char* text) {
  const size_t n = strlen(text);
  char* out = sar_arena_push_small(arena, n + 4);
  if (!out) return NULL;
  char* to = out;
  if (n == 0 || isdigit((unsigned char)text[0])) *to++ = 'm';
  for (const char* c = text; *c; c++) {
    const bool good =
        (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
    *to++ = good ? *c : '_';
  }
  if (out[0] == '_') out[0] = 'm';
  if (is_keyword(out)) *to++ = '_';
  return out;
}

// The same with a number behind it where it is taken.
static const char* unique(SarArena* arena, const char* text, const char* const* taken, int count) {
  const char* name = sar_identifier(arena, text);
  for (int turn = 2; name; turn++) {
    bool found = false;
    for (int i = 0; i < count && !found; i++) found = taken[i] && strcmp(taken[i], name) == 0;
    if (!found) return name;
    const char* base = sar_identifier(arena, text);
    name = base ? sar_arena_printf(arena, "%s_%d", base, turn) : NULL;
  }
  return NULL;
}

static const char** strings(SarArena* arena, int n) {
  return SAR_ARENA_ARRAY(arena, const char*, n + 1);
}

// All members of a struct share a list, so that none is there twice.
typedef struct Names {
  SarArena* arena;
  const char** taken;
  int count;
} Names;

static const char* add(Names* to, const char* first, const char* second) {
  char text[256];
  sar_snprintf(text, sizeof text, second ? "%s_%s" : "%s", first, second);
  const char* name = unique(to->arena, text, to->taken, to->count);
  to->taken[to->count++] = name;
  return name;
}

bool sar_identifiers_make(SarGeneration* g) {
  const SarModel* m = g->m;
  SarIdentifiers* n = &g->names;
  SarArena* arena = g->arena;
  Names state = {arena, strings(arena, m->nq + m->nv + m->nz + m->ndiscrete), 0};
  Names inputs = {arena, strings(arena, m->nv + m->ninput), 0};
  Names outputs = {arena, strings(arena, m->nchannel), 0};
  n->q = strings(arena, m->nq), n->v = strings(arena, m->nv), n->tau = strings(arena, m->nv);
  n->z = strings(arena, m->nz), n->w = strings(arena, m->ndiscrete);
  n->input = strings(arena, m->ninput);
  n->output = strings(arena, m->nchannel);
  n->parameter = strings(arena, g->o.keeps);
  Names parameters = {arena, strings(arena, g->o.keeps), 0};
  if (arena->failed) return false;
  for (int b = 0; b < m->nbody; b++) {
    const SarJointKind* kind = m->joint_kind[b];
    const char* joint = sar_text(m, m->joint_name[b]);
    for (int i = 0; i < kind->nq; i++)
      n->q[m->joint_qadr[b] + i] = add(&state, joint, kind->q_suffix[i]);
    for (int i = 0; i < kind->nv; i++) {
      n->v[m->joint_vadr[b] + i] = add(&state, joint, kind->v_suffix[i]);
      char force[64];
      sar_snprintf(force, sizeof force, kind->nv > 1 ? "tau_%s" : "tau", kind->v_suffix[i]);
      n->tau[m->joint_vadr[b] + i] = add(&inputs, joint, force);
    }
  }
  for (int i = 0; i < m->nz; i++) n->z[i] = add(&state, sar_text(m, m->z_name[i]), NULL);
  for (int i = 0; i < m->ndiscrete; i++)
    n->w[i] = add(&state, sar_text(m, m->discrete_name[i]), NULL);
  for (int i = 0; i < m->ninput; i++)
    n->input[i] = add(&inputs, sar_text(m, m->input_name[i]), NULL);
  for (int i = 0; i < g->o.keeps; i++) n->parameter[i] = add(&parameters, g->o.keep[i], NULL);
  for (int i = 0; i < m->nchannel; i++) {
    if (g->channel[i] < 0) continue;
    n->output[i] = add(&outputs, sar_text(m, m->channel[i].name), NULL);
    n->outputs++;
  }
  return !arena->failed;
}
