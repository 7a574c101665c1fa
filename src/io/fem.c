// Reading of modal bodies in MBDyn's text format (fem.h).
#include "io/fem.h"

#include "base/text.h"
#include "model/modal_basis.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { GROUPS = 13 };

typedef struct FemReader {
  SarArena* arena;
  SarError* err;
  const char* file;
  const char *at, *end;
  const char* line_start;
  int line;
  bool seen[GROUPS + 1];
  SarModalShape* shape;
  const char** name;
  double *mass, *damping;  // modes x modes: groups 9 and 13
  double* lumped;          // 6 a node
} FemReader;

static bool refuse(FemReader* r, const char* hint, const char* format, const char* word, int a,
                   int b) {
  const SarLoc loc = {r->file, r->line, (int)(r->at - r->line_start) + 1};
  sar_report(r->err, loc, hint, format, word, a, b);
  return false;
}

// ---- words --------------------------------------------------------------------------------------

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void next_line(FemReader* r) {
  const char* stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
  r->at = stop ? stop + 1 : r->end;
  if (stop) r->line++;
  r->line_start = r->at;
}

static bool is_comment(const FemReader* r) {
  return r->end - r->at >= 2 && r->at[0] == '*' && r->at[1] == '*';
}

// The number of the group that a comment names; 0: none.
static int group_of(const FemReader* r) {
  static const char WORDS[] = "RECORD GROUP";
  const char* stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
  const char* p = r->at + 2;
  if (!stop) stop = r->end;
  while (p < stop && is_blank(*p)) p++;
  if ((size_t)(stop - p) < sizeof WORDS || memcmp(p, WORDS, sizeof WORDS - 1) != 0) return 0;
  p += sizeof WORDS - 1;
  while (p < stop && is_blank(*p)) p++;
  int number = 0;
  for (; p < stop && isdigit((unsigned char)*p) && number < 1000; p++)
    number = 10 * number + *p - '0';
  return number;
}

// To the next word that is no comment; false: at a record group, or at the end.
static bool find_word(FemReader* r) {
  while (r->at < r->end) {
    if (is_blank(*r->at)) {
      r->at++;
    } else if (*r->at == '\n') {
      next_line(r);
    } else if (is_comment(r)) {
      if (group_of(r) > 0) return false;
      next_line(r);
    } else {
      return true;
    }
  }
  return false;
}

static size_t word_size(const FemReader* r) {
  const char* p = r->at;
  while (p < r->end && !is_blank(*p) && *p != '\n') p++;
  return (size_t)(p - r->at);
}

// A word as messages show it.
static const char* shown(const FemReader* r, char buf[24]) {
  size_t n = word_size(r);
  if (n > 23) n = 23;
  for (size_t i = 0; i < n; i++) buf[i] = r->at[i] >= ' ' && r->at[i] <= '~' ? r->at[i] : '?';
  buf[n] = '\0';
  return buf;
}

static bool number(FemReader* r, int group, double* x) {
  char buf[24];
  if (!find_word(r))
    return refuse(r, "", "%srecord group %d ends before its numbers do", "", group, 0);
  const size_t n = word_size(r);
  if (!sar_text_to_double(r->at, n, x) || !isfinite(*x))
    return refuse(r, "", "'%s' is no number in record group %d", shown(r, buf), group, 0);
  r->at += n;
  return true;
}

static bool numbers(FemReader* r, int group, size_t count, double* x) {
  for (size_t i = 0; i < count; i++)
    if (!number(r, group, &x[i])) return false;
  return true;
}

// ---- groups -------------------------------------------------------------------------------------

static bool read_header(FemReader* r) {
  double x[5];
  if (!find_word(r)) return refuse(r, "", "%srecord group 1 is empty", "", 0, 0);
  r->at += word_size(r);  // the revision
  if (!numbers(r, 1, 5, x)) return false;
  for (int i = 0; i < 5; i++)
    if (x[i] != floor(x[i]) || x[i] < 0 || x[i] > 1e6)
      return refuse(r, "nodes, normal, attachment, constraint and rejected modes",
                    "%srecord group 1 has five whole numbers behind the revision", "", 0, 0);
  if (x[4] != 0) return refuse(r, "", "%srejected modes are not known here", "", 0, 0);
  const double modes = x[1] + x[2] + x[3];
  if (x[0] < 1 || x[0] > SAR_MOST_NODES || modes < 1 || modes > SAR_MOST_MODES)
    return refuse(r, "", "%sa modal body has 1 to %d nodes and 1 to %d modes", "", SAR_MOST_NODES,
                  SAR_MOST_MODES);
  // every mode has six numbers a node, of two characters each at least: no room for more than that
  if (12 * x[0] * modes > (double)(r->end - r->at))
    return refuse(r, "", "%sthe file is too short for %d nodes and %d modes", "", (int)x[0],
                  (int)modes);
  const size_t nodes = (size_t)x[0], n = (size_t)modes;
  r->shape = sar_modal_shape_new(r->arena, (int)nodes, (int)n, false);
  r->name = SAR_ARENA_ARRAY(r->arena, const char*, nodes);
  r->mass = SAR_ARENA_ARRAY(r->arena, double, n* n);
  r->damping = SAR_ARENA_ARRAY(r->arena, double, n* n);
  r->lumped = SAR_ARENA_ARRAY(r->arena, double, 6 * nodes);
  return !r->arena->failed;
}

static bool read_labels(FemReader* r) {
  char buf[24];
  for (int k = 0; k < r->shape->nodes; k++) {
    if (!find_word(r))
      return refuse(r, "", "%srecord group 2 ends before its %d labels do", "", r->shape->nodes, 0);
    const size_t n = word_size(r);
    for (size_t i = 0; i < n; i++)
      if (!isalnum((unsigned char)r->at[i]) && r->at[i] != '_')
        return refuse(r, "letters, digits and '_'", "'%s' cannot be the name of a node",
                      shown(r, buf), 0, 0);
    r->name[k] = sar_arena_strndup(r->arena, r->at, n);
    if (!r->name[k]) return false;
    r->at += n;
  }
  return true;
}

static bool read_places(FemReader* r, int group) {
  for (int k = 0; k < r->shape->nodes; k++) {
    double x;
    if (!number(r, group, &x)) return false;
    V3* p = &r->shape->X[k].p;
    *(group == 5 ? &p->x : group == 6 ? &p->y : &p->z) = x;
  }
  return true;
}

static bool read_modes(FemReader* r) {
  SarModalShape* s = r->shape;
  for (int i = 0; i < s->modes; i++)
    for (int k = 0; k < s->nodes; k++) {
      double x[6];
      if (!numbers(r, 8, 6, x)) return false;
      s->mode[k * s->modes + i] = (Motion){v3_load(x + 3), v3_load(x)};
    }
  return true;
}

static bool read_group(FemReader* r, int group) {
  const size_t n = r->shape ? (size_t)r->shape->modes : 0;
  if (group > GROUPS) return refuse(r, "", "%sthere is no record group %d", "", group, 0);
  if (group != 1 && !r->shape)
    return refuse(r, "", "%srecord group %d before group 1, which says how many", "", group, 0);
  if (r->seen[group]) return refuse(r, "", "%srecord group %d is there twice", "", group, 0);
  r->seen[group] = true;
  next_line(r);
  switch (group) {
    case 1: return read_header(r);
    case 2: return read_labels(r);
    case 5:
    case 6:
    case 7: return read_places(r, group);
    case 8: return read_modes(r);
    case 9: return numbers(r, 9, n * n, r->mass);
    case 10: return numbers(r, 10, n * n, r->shape->stiffness);
    case 11: return numbers(r, 11, 6 * (size_t)r->shape->nodes, r->lumped);
    case 13: return numbers(r, 13, n * n, r->damping);
    default:
      while (find_word(r)) r->at += word_size(r);  // 3, 4, 12
      return true;
  }
}

// ---- what comes of it ---------------------------------------------------------------------------

static bool is_complete(FemReader* r) {
  static const int NEEDED[] = {1, 2, 5, 6, 7, 8, 10, 11};
  for (size_t i = 0; i < sizeof NEEDED / sizeof *NEEDED; i++)
    if (!r->seen[NEEDED[i]])
      return refuse(r,
                    NEEDED[i] == 11 ? "lumped masses say how modes and motion are coupled"
                                    : "as in '** RECORD GROUP 1, HEADER'",
                    "%sthere is no record group %d", "", NEEDED[i], 0);
  return true;
}

static bool fill_inertia(FemReader* r) {
  SarModalShape* s = r->shape;
  int uneven = 0;
  for (int k = 0; k < s->nodes; k++) {
    const double* x = &r->lumped[6 * k];
    const double m = (x[0] + x[1] + x[2]) / 3, J = x[3] + x[4] + x[5];
    for (int i = 0; i < 6; i++)
      if (x[i] < 0)
        return refuse(r, "", "node '%.20s' has a negative lumped mass", r->name[k], 0, 0);
    uneven += fabs(x[0] - m) + fabs(x[1] - m) + fabs(x[2] - m) > 1e-6 * m;
    if (2 * fmax(x[3], fmax(x[4], x[5])) > J * (1 + 1e-6))
      return refuse(r, "no moment of inertia is larger than the sum of the other two",
                    "no body has the moments of inertia of node '%.20s'", r->name[k], 0, 0);
    s->inertia[k] = (Inertia){.m = m, .I = {.xx = x[3], .yy = x[4], .zz = x[5]}};
  }
  if (uneven > 0)
    sar_warn(r->err, (SarLoc){r->file, 0, 0}, "",
             "lumped masses of %d node%s differ by direction: their means are taken", uneven,
             uneven == 1 ? "" : "s");
  return true;
}

// The symmetric part; and what groups 9 and 13 say about masses and damping.
static bool fill_rest(FemReader* r) {
  SarModalShape* s = r->shape;
  const int n = s->modes;
  double* M = SAR_ARENA_ARRAY(r->arena, double, (size_t)n*(size_t)n);
  if (!M) return false;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      s->stiffness[i * n + j] = s->stiffness[j * n + i] =
          0.5 * (s->stiffness[i * n + j] + s->stiffness[j * n + i]);
  sar_modal_mass(s, M);
  for (int i = 0; r->seen[9] && i < n; i++) {
    const double file = r->mass[i * n + i], own = M[i * n + i];
    if (fabs(file - own) <= 0.02 * fabs(file)) continue;
    sar_warn(r->err, (SarLoc){r->file, 0, 0}, "",
             "mode %d: its modal mass is %g by the lumped masses, which count, and %g by group 9",
             i + 1, own, file);
    break;
  }
  if (r->seen[13] && !sar_modal_is_orthogonal(s, M)) {
    sar_warn(r->err, (SarLoc){r->file, 0, 0}, "give 'damping' ratios in the model",
             "modal damping (record group 13) is left out: the modes are not orthogonal, and are "
             "combined");
    return true;
  }
  for (int i = 0; r->seen[13] && i < n; i++) {
    const double km = s->stiffness[i * n + i] * M[i * n + i];
    s->damping[i] = km > 0 ? r->damping[i * n + i] / (2 * sqrt(km)) : 0;
    if (!isfinite(s->damping[i])) return refuse(r, "", "%smode %d has no damping", "", i + 1, 0);
  }
  return true;
}

bool sar_fem_read(SarArena* arena, const char* text, size_t n, const char* file,
                  SarModalShape** out, const char*** names, SarError* err) {
  char buf[24];
  FemReader r = {.arena = arena,
                 .err = err,
                 .file = file,
                 .at = text,
                 .end = text + n,
                 .line_start = text,
                 .line = 1};
  *out = NULL;
  *names = NULL;
  for (;;) {
    if (find_word(&r))
      return refuse(&r, "it begins with '** RECORD GROUP 1, HEADER'",
                    "'%s' belongs to no record group, or there are too many numbers",
                    shown(&r, buf), 0, 0);
    if (r.at >= r.end) break;
    if (!read_group(&r, group_of(&r))) return false;
  }
  if (!is_complete(&r) || !fill_inertia(&r) || !fill_rest(&r)) return false;
  *out = r.shape;
  *names = r.name;
  return true;
}
