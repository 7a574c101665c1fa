// What sarrus equations prints.
#include "cli/equations_print.h"

static void print_text(const EquationsJob* j, const char* name, const char* text) {
  if (j->style == SAR_PRINT_LATEX)
    printf("  %s &= %s \\\\\n", name, text);
  else if (j->style == SAR_PRINT_C)
    printf("  %s = %s;\n", name, text);
  else
    printf("%s = %s\n", name, text);
}

static void print_line(const EquationsJob* j, const char* name, SarNode node) {
  if (node >= 0) print_text(j, name, equation_text(&j->names, node));
}

static bool is_zero(const EquationsJob* j, SarNode n) { return n < 0 || sar_node_is(j->e.g, n, 0); }

// The label of an entry: by names in text, by numbers elsewhere.
static const char* label(const EquationsJob* j, const char* letter, int i, const char* first, int k,
                         const char* second) {
  const char* text;
  if (j->style == SAR_PRINT_LATEX)
    text = second ? sar_arena_printf(j->names.arena, "%s_{%d,%d}", letter, i + 1, k + 1)
                  : sar_arena_printf(j->names.arena, "%s_{%d}", letter, i + 1);
  else if (j->style == SAR_PRINT_C)
    text = second ? sar_arena_printf(j->names.arena, "%s[%d][%d]", letter, i, k)
                  : sar_arena_printf(j->names.arena, "%s[%d]", letter, i);
  else
    text = second ? sar_arena_printf(j->names.arena, "%s[%s, %s]", letter, first, second)
                  : sar_arena_printf(j->names.arena, "%s[%s]", letter, first);
  return text ? text : letter;
}

// Those that can be written after a line of the embedding; -1: before all of them.
static void print_parts(const EquationsJob* j, int after) {
  const SarParts* parts = &j->names.parts;
  for (int i = 0; i < parts->count; i++) {
    char name[64];
    if (j->names.after[i] != after) continue;
    snprintf(name, sizeof name, j->style == SAR_PRINT_C ? "const double %s" : "%s",
             j->names.of[parts->node[i]]);
    print_text(j, name, equation_part(&j->names, parts->node[i]));
  }
}

static void print_tree(const EquationsJob* j) {
  const SarModel* m = j->e.m;
  const bool both = j->style == SAR_PRINT_C;  // C has no symmetry
  for (int i = 0; i < m->nv; i++)
    for (int k = both ? 0 : i; k < m->nv; k++)
      if (both || !is_zero(j, j->e.mass[i * m->nv + k]))
        print_line(j,
                   label(j, "M", i, equation_speed(&j->names, i), k, equation_speed(&j->names, k)),
                   j->e.mass[i * m->nv + k]);
  for (int i = 0; i < m->nv; i++)
    print_line(j, label(j, "h", i, equation_speed(&j->names, i), 0, NULL), j->e.bias[i]);
}

static void print_rows(const EquationsJob* j) {
  const SarModel* m = j->e.m;
  const char *phi = j->style == SAR_PRINT_LATEX ? "\\phi" : "phi",
             *gamma = j->style == SAR_PRINT_LATEX ? "\\gamma" : "gamma";
  for (int i = 0; i < m->nrow; i++)
    print_line(j, label(j, phi, i, equation_row(&j->names, i), 0, NULL), j->e.Phi[i]);
  for (int i = 0; i < m->nrow; i++)
    for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++)
      if (!is_zero(j, j->e.J[k]))
        print_line(j,
                   label(j, "J", i, equation_row(&j->names, i), m->row_dof[k],
                         equation_speed(&j->names, m->row_dof[k])),
                   j->e.J[k]);
  for (int i = 0; i < m->nrow; i++)
    print_line(j, label(j, gamma, i, equation_row(&j->names, i), 0, NULL), j->e.gamma[i]);
}

// Lines of the embedding, each used by those below it.
static void print_lines(const EquationsJob* j) {
  for (int i = 0; i < j->e.lines; i++) {
    const SarEquationLine* l = &j->e.line[i];
    char name[300];
    snprintf(name, sizeof name,
             j->style == SAR_PRINT_C && l->kind > SAR_LINE_BDOT ? "const double %s" : "%s",
             j->names.line[i]);
    print_line(j, name, l->value);
    print_parts(j, i);
  }
}

static const char* comment(const EquationsJob* j) {
  return j->style == SAR_PRINT_LATEX ? "% " : j->style == SAR_PRINT_C ? "// " : "# ";
}

// What the letters of the embedding mean, and which loops are not among the lines.
static void print_loops_head(const EquationsJob* j) {
  const SarFlowReport* r = &j->flow;
  const char* c = comment(j);
  if (j->parts & (SAR_EQUATIONS_B | SAR_EQUATIONS_BDOT)) {
    printf("%sv = B vi + C,   v' = B vi' + Bdot,   Bdot = (dB/dt) vi + dC/dt;   vi:", c);
    for (int i = 0; i < r->independents; i++) printf(" %s", r->independent[i]);
    printf("%s\n", j->style == SAR_PRINT_LATEX ? "; Bdot is b" : "");
  }
  if (!(j->parts & SAR_EQUATIONS_SOLUTION)) return;
  printf("%spositions, with numbers for parameters; branches as at the start\n", c);
  for (int i = 0; i < r->loops; i++) {
    const SarFlowLoop* k = &r->loop[i];
    bool there = false;
    for (int l = 0; l < j->e.lines; l++)
      there = there || (j->e.line[l].kind > SAR_LINE_KNOWN && r->loop_of[j->e.line[l].i] == i);
    if (!there)
      printf("%s%d. %s: not written out: %s: %s\n", c, i + 1, k->unknown[0], k->kind, k->reason);
  }
}

static void print_head(const EquationsJob* j) {
  const SarModel* m = j->e.m;
  const char* c = comment(j);
  char number[SAR_NUMBER_TEXT];
  printf("%s%s: %d coordinate%s\n", c, cli_shown(j->args->operand[0]), m->nv,
         m->nv == 1 ? "" : "s");
  printf("%sM v' + h%s = tau%s\n", c, m->nrow ? " + J' lambda" : "",
         m->nrow ? ",   phi = 0,   J v' = gamma" : "");
  print_loops_head(j);
  bool any = false;
  for (int i = 0; i < j->e.parameters; i++) {
    if (!j->e.lifted.kept[i]) continue;
    printf("%s%s%s = %s", any ? ", " : c, any ? "" : "as they are: ", j->e.parameter[i],
           sar_print_number(number, sizeof number, j->e.value[i]));
    any = true;
  }
  if (any) printf("\n");
  for (int i = 0; i < j->e.lifted.numbers; i++)
    printf("%s%s = %s: follows from parameters, not as a sum of their products\n", c,
           j->e.lifted.number[i].name,
           sar_print_number(number, sizeof number, j->e.lifted.number[i].value));
}

void equations_print_text(const EquationsJob* j) {
  print_head(j);
  if (j->style == SAR_PRINT_LATEX) printf("\\begin{align*}\n");
  print_parts(j, -1);
  print_tree(j);
  print_rows(j);
  print_lines(j);
  if (j->style == SAR_PRINT_LATEX) printf("\\end{align*}\n");
}

static void json_list(SarJson* out, const EquationsJob* j, const char* key, const SarNode* node,
                      int n) {
  if (n == 0 || node[0] < 0) return;
  sar_json_open(out, key, '[');
  for (int i = 0; i < n; i++) sar_json_text(out, NULL, equation_text(&j->names, node[i]));
  sar_json_close(out, ']');
}

static void json_head(SarJson* out, const EquationsJob* j) {
  const SarModel* m = j->e.m;
  sar_json_text(out, "model", j->args->operand[0]);
  sar_json_open(out, "coordinates", '[');
  for (int i = 0; i < m->nv; i++) sar_json_text(out, NULL, equation_speed(&j->names, i));
  sar_json_close(out, ']');
  sar_json_open(out, "parameters", '[');
  for (int i = 0; i < j->e.parameters; i++) {
    sar_json_open(out, NULL, '{');
    sar_json_text(out, "name", j->e.parameter[i]);
    sar_json_number(out, "value", j->e.value[i]);
    sar_json_bool(out, "symbol", j->e.lifted.kept[i]);
    sar_json_close(out, '}');
  }
  sar_json_close(out, ']');
  sar_json_open(out, "numbers", '[');
  for (int i = 0; i < j->e.lifted.numbers; i++) {
    sar_json_open(out, NULL, '{');
    sar_json_text(out, "name", j->e.lifted.number[i].name);
    sar_json_number(out, "value", j->e.lifted.number[i].value);
    sar_json_close(out, '}');
  }
  sar_json_close(out, ']');
}

void equations_print_json(const EquationsJob* j) {
  const SarModel* m = j->e.m;
  SarJson out;
  cli_json_begin(&out);
  sar_json_open(&out, NULL, '{');
  json_head(&out, j);
  sar_json_open(&out, "where", '[');
  for (int i = 0; i < j->names.parts.count; i++) {
    sar_json_open(&out, NULL, '{');
    sar_json_text(&out, "name", j->names.of[j->names.parts.node[i]]);
    sar_json_text(&out, "value", equation_part(&j->names, j->names.parts.node[i]));
    sar_json_close(&out, '}');
  }
  sar_json_close(&out, ']');
  if (m->nv > 0 && j->e.mass[0] >= 0) {
    sar_json_open(&out, "M", '[');
    for (int i = 0; i < m->nv; i++) json_list(&out, j, NULL, &j->e.mass[i * m->nv], m->nv);
    sar_json_close(&out, ']');
  }
  json_list(&out, j, "h", j->e.bias, m->nv);
  json_list(&out, j, "phi", j->e.Phi, m->nrow);
  if (m->nrow_dof > 0 && j->e.J[0] >= 0) {
    sar_json_open(&out, "J", '[');
    for (int i = 0; i < m->nrow; i++)
      for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++) {
        sar_json_open(&out, NULL, '{');
        sar_json_integer(&out, "row", i);
        sar_json_integer(&out, "column", m->row_dof[k]);
        sar_json_text(&out, "value", equation_text(&j->names, j->e.J[k]));
        sar_json_close(&out, '}');
      }
    sar_json_close(&out, ']');
  }
  json_list(&out, j, "gamma", j->e.gamma, m->nrow);
  if (j->parts >= SAR_EQUATIONS_B) {
    sar_json_open(&out, "lines", '[');
    for (int i = 0; i < j->e.lines; i++) {
      sar_json_open(&out, NULL, '{');
      sar_json_text(&out, "name", j->names.line[i]);
      sar_json_text(&out, "value", equation_text(&j->names, j->e.line[i].value));
      sar_json_close(&out, '}');
    }
    sar_json_close(&out, ']');
  }
  sar_json_close(&out, '}');
  sar_json_end(&out);
}
