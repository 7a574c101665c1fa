// Names in equations (equation_names.h).
#include "cli/equation_names.h"

#include "base/print.h"
#include "codegen/generate.h"

#include <ctype.h>
#include <string.h>

enum { NAME = 160, LONGEST = 60, LEAST = 8 };

static const char* const GREEK[] = {"alpha", "beta",  "gamma",  "delta", "epsilon", "zeta", "eta",
                                    "theta", "kappa", "lambda", "mu",    "nu",      "xi",   "rho",
                                    "sigma", "tau",   "phi",    "psi",   "omega"};

static bool is_greek(const char* word, size_t n) {
  for (size_t i = 0; i < sizeof GREEK / sizeof *GREEK; i++)
    if (strlen(GREEK[i]) == n && strncmp(GREEK[i], word, n) == 0) return true;
  return false;
}

// Letters that LaTeX would obey are left out: names are letters, digits, '_',
// '.' and what is quoted.
static void put_plain(char* out, size_t size, const char* text, size_t n) {
  size_t used = strlen(out);
  for (size_t i = 0; i < n && used + 3 < size; i++) {
    if (text[i] == '_') out[used++] = '\\';
    if (isalnum((unsigned char)text[i]) || text[i] == '_' || text[i] == '.' || text[i] == '-' ||
        (unsigned char)text[i] >= 0x80)
      out[used++] = text[i];
  }
  out[used] = '\0';
}

// L1 -> L_{1}, theta -> \theta, m_rod -> m_{\mathrm{rod}}, mass_2 ->
// \mathrm{mass\_2}
static const char* latex_name(SarArena* a, const char* name) {
  char head[NAME] = "", tail[NAME] = "";
  size_t n = strcspn(name, "_0123456789");
  if (n == 0 || (n > 1 && !is_greek(name, n))) n = strlen(name);
  put_plain(head, sizeof head, name, n);
  const char* rest = name[n] == '_' ? name + n + 1 : name + n;
  put_plain(tail, sizeof tail, rest, strlen(rest));
  const char* first = is_greek(name, n)   ? sar_arena_printf(a, "\\%s", head)
                      : strlen(head) == 1 ? sar_arena_printf(a, "%s", head)
                                          : sar_arena_printf(a, "\\mathrm{%s}", head);
  if (!first || !tail[0]) return first;
  const bool digits = strspn(tail, "0123456789") == strlen(tail);
  return sar_arena_printf(a, digits ? "%s_{%s}" : "%s_{\\mathrm{%s}}", first, tail);
}

// joint.suffix; in LaTeX q and its rate with the joint as index
static const char* coordinate(const EquationNames* n, const char* joint, const char* suffix) {
  char plain[NAME] = "";
  if (n->style == SAR_PRINT_TEXT) return sar_arena_printf(n->arena, "%s.%s", joint, suffix);
  if (n->style == SAR_PRINT_C) {
    const char* both = sar_arena_printf(n->arena, "%s_%s", joint, suffix);
    return both ? sar_identifier(n->arena, both) : NULL;
  }
  put_plain(plain, sizeof plain, joint, strlen(joint));
  const char* letter = strcmp(suffix, "v") == 0 ? "\\dot{q}" : latex_name(n->arena, suffix);
  return letter ? sar_arena_printf(n->arena, "%s_{\\mathrm{%s}}", letter, plain) : NULL;
}

static const char* plain_symbol(const EquationNames* n, const char* name) {
  return n->style == SAR_PRINT_LATEX ? latex_name(n->arena, name)
         : n->style == SAR_PRINT_C   ? sar_identifier(n->arena, name)
                                     : sar_arena_strdup(n->arena, name);
}

// The spelling of a symbol of SarSymbols that stands for an index: q[3].
static bool spell(EquationNames* n, const char* form, int i, const char* text) {
  char name[NAME];
  sar_snprintf(name, sizeof name, "%s[%d]", form, i);
  const SarNode node = sar_sym_symbol(n->e->g, name);
  if (node < 0 || !text) return false;
  n->of[node] = text;
  return true;
}

static bool spell_state(EquationNames* n) {
  const SarModel* m = n->e->m;
  bool good = true;
  for (int b = 0; b < m->nbody && good; b++) {
    const SarJointKind* kind = m->joint_kind[b];
    const char* joint = sar_text(m, m->joint_name[b]);
    for (int i = 0; i < kind->nq && good; i++)
      good = spell(n, "q", m->joint_qadr[b] + i, coordinate(n, joint, kind->q_suffix[i]));
    for (int i = 0; i < kind->nv && good; i++)
      good = spell(n, "v", m->joint_vadr[b] + i, coordinate(n, joint, kind->v_suffix[i]));
  }
  for (int i = 0; i < m->nz && good; i++)
    good = spell(n, "z", i, plain_symbol(n, sar_text(m, m->z_name[i])));
  for (int i = 0; i < m->ninput && good; i++)
    good = spell(n, "input", i, plain_symbol(n, sar_text(m, m->input_name[i])));
  for (int i = 0; i < n->e->parameters && good; i++) {
    const SarNode node = sar_sym_symbol(n->e->g, n->e->parameter[i]);
    const char* text = plain_symbol(n, n->e->parameter[i]);
    good = node >= 0 && text;
    if (good) n->of[node] = text;
  }
  return good;
}

// ---- lines of the embedding ---------------------------------------------------------------------

// "A.q", "A_q", q_{\mathrm{A}} of coordinate i
static const char* position(const EquationNames* n, int i) {
  const SarModel* m = n->e->m;
  const int b = m->dof_body[i];
  const SarJointKind* kind = m->joint_kind[b];
  return coordinate(n, sar_text(m, m->joint_name[b]), kind->q_suffix[i - m->joint_vadr[b]]);
}

static const char* entry_name(const EquationNames* n, const SarEquationLine* l) {
  static const char* const letter[] = {"B", "C", "Bdot"};
  const char* of = letter[l->kind];
  if (n->style == SAR_PRINT_LATEX)
    return l->kind == SAR_LINE_B   ? sar_arena_printf(n->arena, "B_{%d,%d}", l->i + 1, l->k + 1)
           : l->kind == SAR_LINE_C ? sar_arena_printf(n->arena, "C_{%d}", l->i + 1)
                                   : sar_arena_printf(n->arena, "b_{%d}", l->i + 1);
  if (n->style == SAR_PRINT_C)
    return l->kind == SAR_LINE_B ? sar_arena_printf(n->arena, "%s[%d][%d]", of, l->i, l->k)
                                 : sar_arena_printf(n->arena, "%s[%d]", of, l->i);
  return l->kind == SAR_LINE_B ? sar_arena_printf(n->arena, "%s[%s, %s]", of,
                                                  equation_speed(n, l->i), equation_speed(n, l->k))
                               : sar_arena_printf(n->arena, "%s[%s]", of, equation_speed(n, l->i));
}

// Known quantities p; sine and cosine of a coordinate, in LaTeX s and c with its joint as index.
static const char* step_name(const EquationNames* n, const SarEquationLine* l) {
  const bool latex = n->style == SAR_PRINT_LATEX;
  if (l->kind == SAR_LINE_KNOWN)
    return sar_arena_printf(n->arena, latex ? "p_{%d,%d}" : "p%d_%d", l->i + 1, l->k);
  const char* of = position(n, l->i);
  if (!of || l->kind == SAR_LINE_VALUE) return of;
  const char* function = l->kind == SAR_LINE_SINE ? "sin" : "cos";
  if (latex) return sar_arena_printf(n->arena, "%c_{%s}", function[0], of);
  return sar_arena_printf(n->arena, n->style == SAR_PRINT_C ? "%s_%s" : "%s(%s)", function, of);
}

static bool spell_lines(EquationNames* n) {
  n->line = SAR_ARENA_ARRAY(n->arena, const char*, n->e->lines + 1);
  for (int i = 0; n->line && i < n->e->lines; i++) {
    const SarEquationLine* l = &n->e->line[i];
    n->line[i] = l->kind <= SAR_LINE_BDOT ? entry_name(n, l) : step_name(n, l);
    n->of[l->symbol] = n->line[i];
  }
  return !n->arena->failed;
}

typedef struct Needed {
  const SarEquations* e;
  int last;  // line, -1: none
} Needed;

static void need(void* context, const char* symbol) {
  Needed* n = context;
  for (int i = n->last + 1; i < n->e->lines; i++)
    if (strcmp(symbol, sar_node_name(n->e->g, n->e->line[i].symbol)) == 0) n->last = i;
}

static bool order_parts(EquationNames* n) {
  n->after = SAR_ARENA_ARRAY(n->arena, int, n->parts.count + 1);
  for (int i = 0; n->after && i < n->parts.count; i++) {
    Needed needed = {n->e, -1};
    if (n->e->lines > 0 && !sar_sym_visit(n->e->g, n->parts.node[i], need, &needed)) return false;
    n->after[i] = needed.last;
  }
  return n->after != NULL;
}

bool equation_names_make(EquationNames* n, const SarEquations* e, SarPrintStyle style,
                         SarArena* arena) {
  const SarModel* m = e->m;
  const int most = e->lines + m->nv * m->nv + m->nv + 2 * m->nrow + m->nrow_dof;
  const int symbols = m->nq + m->nv + m->nz + m->ninput + e->parameters;
  SarNode* all = SAR_ARENA_ARRAY(arena, SarNode, most + 1);
  *n = (EquationNames){.e = e, .style = style, .arena = arena};
  n->of = SAR_ARENA_ARRAY(arena, const char*, sar_graph_count(e->g) + symbols + 1);
  if (!all || !n->of || !spell_state(n) || !spell_lines(n)) return false;
  const int count = sar_equations_list(e, all);
  if (!sar_sym_parts(arena, e->g, count, all, style == SAR_PRINT_C ? 2 : LEAST, LONGEST, &n->parts))
    return false;
  for (int i = 0; i < n->parts.count; i++) {
    const char* form = style == SAR_PRINT_LATEX ? "e_{%d}" : "e%d";
    n->of[n->parts.node[i]] = sar_arena_printf(arena, form, i + 1);
  }
  return order_parts(n) && !arena->failed;
}

static const char* name_of(void* context, SarNode node) {
  const EquationNames* n = context;
  return n->of[node];
}

const char* equation_text(const EquationNames* n, SarNode node) {
  for (int i = 0; i < n->parts.count; i++)
    if (n->parts.node[i] == node) return n->of[node];
  return equation_part(n, node);
}

const char* equation_part(const EquationNames* n, SarNode node) {
  const SarPrinter printer = {n->style, name_of, (void*)n, true};
  const char* text = sar_sym_print(n->arena, n->e->g, node, &printer);
  return text ? text : "?";
}

const char* equation_speed(const EquationNames* n, int i) {
  const SarModel* m = n->e->m;
  const int b = m->dof_body[i];
  const char* joint = sar_text(m, m->joint_name[b]);
  const char* text = m->joint_nv[b] == 1
                         ? joint
                         : sar_arena_printf(n->arena, "%s.%s", joint,
                                            m->joint_kind[b]->v_suffix[i - m->joint_vadr[b]]);
  return text ? text : "?";
}

const char* equation_row(const EquationNames* n, int row) {
  const SarModel* m = n->e->m;
  const SarConstraint* c = &m->constraint[m->row[row].constraint];
  const char* name = sar_text(m, c->name);
  const char* text =
      c->rows == 1 ? name : sar_arena_printf(n->arena, "%s[%d]", name, row - c->row + 1);
  return text ? text : "?";
}
