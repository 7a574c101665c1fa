// sarrus equations: a model's equations of motion, to be read.
#include "cli/cli.h"
#include "cli/equation_names.h"
#include "cli/flow.h"
#include "cli/interrupt.h"

#include "base/clock.h"
#include "io/reader.h"
#include "model/compile.h"

#include <string.h>
#include <unistd.h>

typedef struct Job {
  const CliArgs* args;
  unsigned parts;
  SarFlowReport flow;  // of what concerns the embedding
  SarPrintStyle style;
  EquationNames names;
  SarEquations e;
  double begun, told;  // s
  int looks;
} Job;

// ---- long work
// ------------------------------------------------------------------------------------

// Asked often: whether to go on. Tells how far it is once a second, where
// somebody looks.
static bool stop(void* context) {
  Job* j = context;
  j->looks++;
  const double now = j->looks % 16 ? j->told : sar_clock_wall();
  if (now - j->told > 1 && isatty(STDERR_FILENO)) {
    fprintf(stderr, "\rsarrus equations: %.0f s, the model built %d times ", now - j->begun,
            j->e.lifted.builds);
    j->told = now;
  }
  return cli_interrupted();
}

// ---- text
// -------------------------------------------------------------------------------------------

static void print_text(const Job* j, const char* name, const char* text) {
  if (j->style == SAR_PRINT_LATEX)
    printf("  %s &= %s \\\\\n", name, text);
  else if (j->style == SAR_PRINT_C)
    printf("  %s = %s;\n", name, text);
  else
    printf("%s = %s\n", name, text);
}

static void print_line(const Job* j, const char* name, SarNode node) {
  if (node >= 0) print_text(j, name, equation_text(&j->names, node));
}

static bool is_zero(const Job* j, SarNode n) { return n < 0 || sar_node_is(j->e.g, n, 0); }

// The label of an entry: by names in text, by numbers elsewhere.
static const char* label(const Job* j, const char* letter, int i, const char* first, int k,
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
static void print_parts(const Job* j, int after) {
  const SarParts* parts = &j->names.parts;
  for (int i = 0; i < parts->count; i++) {
    char name[64];
    if (j->names.after[i] != after) continue;
    snprintf(name, sizeof name, j->style == SAR_PRINT_C ? "const double %s" : "%s",
             j->names.of[parts->node[i]]);
    print_text(j, name, equation_part(&j->names, parts->node[i]));
  }
}

static void print_tree(const Job* j) {
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

static void print_rows(const Job* j) {
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
static void print_lines(const Job* j) {
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

static const char* comment(const Job* j) {
  return j->style == SAR_PRINT_LATEX ? "% " : j->style == SAR_PRINT_C ? "// " : "# ";
}

// What the letters of the embedding mean, and which loops are not among the lines.
static void print_loops_head(const Job* j) {
  const SarFlowReport* r = &j->flow;
  const char* c = comment(j);
  if (j->parts & (SAR_EQUATIONS_B | SAR_EQUATIONS_BDOT)) {
    printf("%sv = B vi + C,   v' = B vi' + Bdot,   Bdot = (dB/dt) vi + dC/dt;   vi:", c);
    for (int i = 0; i < r->independents; i++) printf(" %s", r->independent[i]);
    printf("%s\n", j->style == SAR_PRINT_LATEX ? "; Bdot is b" : "");
  }
  if (!(j->parts & SAR_EQUATIONS_SOLUTION)) return;
  printf("%spositions, with numbers for parameters within 1e-6 m; branches as at the start\n", c);
  for (int i = 0; i < r->loops; i++) {
    const SarFlowLoop* k = &r->loop[i];
    bool there = false;
    for (int l = 0; l < j->e.lines; l++)
      there = there || (j->e.line[l].kind > SAR_LINE_KNOWN && r->loop_of[j->e.line[l].i] == i);
    if (!there)
      printf("%s%d. %s: not written out: %s: %s\n", c, i + 1, k->unknown[0], k->kind, k->reason);
  }
}

static void print_head(const Job* j) {
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

static void print_all(const Job* j) {
  print_head(j);
  if (j->style == SAR_PRINT_LATEX) printf("\\begin{align*}\n");
  print_parts(j, -1);
  print_tree(j);
  print_rows(j);
  print_lines(j);
  if (j->style == SAR_PRINT_LATEX) printf("\\end{align*}\n");
}

// ---- JSON
// -------------------------------------------------------------------------------------------

static void json_list(SarJson* out, const Job* j, const char* key, const SarNode* node, int n) {
  if (n == 0 || node[0] < 0) return;
  sar_json_open(out, key, '[');
  for (int i = 0; i < n; i++) sar_json_text(out, NULL, equation_text(&j->names, node[i]));
  sar_json_close(out, ']');
}

static void json_head(SarJson* out, const Job* j) {
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

static void print_json(const Job* j) {
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

// ---- the command
// ------------------------------------------------------------------------------------

static bool read_parts(const CliArgs* args, const SarModel* m, unsigned* parts) {
  static const char* const known[] = {"M", "bias", "constraints", "jacobian", "gamma",
                                      "B", "Bdot", "solution",    NULL};
  CliNames what;
  if (!cli_words(args, "what", m->nrow ? "M,bias,constraints,jacobian,gamma" : "M,bias", known,
                 &what))
    return false;
  *parts = 0;
  for (int i = 0; i < what.count; i++)
    for (int k = 0; known[k]; k++)
      if (strcmp(what.item[i], known[k]) == 0) *parts |= 1u << k;
  return true;
}

static SarStatus make(Job* j, const SarSpec* spec, const SarModel* m, const SarLoadOptions* load,
                      unsigned parts, SarArena* arena, SarError* err) {
  j->parts = parts;
  j->begun = j->told = sar_clock_wall();
  if (parts >= SAR_EQUATIONS_B) SAR_TRY(sar_flow_report(m, &j->flow, err));
  const SarEquationsOptions o = {.parts = parts,
                                 .load = load,
                                 .numbers = cli_value(j->args, "numbers") != NULL,
                                 .as_built = cli_value(j->args, "as-built") != NULL,
                                 .flow = j->flow.flow,
                                 .start = j->flow.start,
                                 .stop = stop,
                                 .stop_context = j};
  SAR_TRY(sar_equations_make(&j->e, spec, m, &o, arena, err));
  if (isatty(STDERR_FILENO) && j->told > j->begun) fprintf(stderr, "\r%60s\r", "");
  return equation_names_make(&j->names, &j->e, j->style, arena) ? SAR_OK : SAR_NO_MEMORY;
}

// --kinematics: the flow in place of the equations.
static int show_kinematics(const CliArgs* args) {
  int status;
  SarModel* m = cli_load(args, args->operand[0], &status);
  if (!m) return status;
  status = flow_show(args, m);
  sar_model_free(m);
  return status;
}

static int run_equations(const CliArgs* args) {
  if (cli_value(args, "kinematics")) return show_kinematics(args);
  if (cli_value(args, "picture"))
    return cli_usage_error(args->command, "--picture draws the flow of --kinematics");
  Job j = {.args = args,
           .style = cli_value(args, "latex") ? SAR_PRINT_LATEX
                    : cli_value(args, "c")   ? SAR_PRINT_C
                                             : SAR_PRINT_TEXT};
  const char* path = args->operand[0];
  CliLoading load;
  SarSpec spec;
  SarModel* m = NULL;
  SarArena arena;
  SarError err;
  unsigned parts = 0;
  if (!cli_load_options(args, NULL, &load)) return EXIT_USAGE;
  sar_error_init(&err);
  sar_arena_init(&arena);
  sar_spec_init(&spec);
  SarStatus st = sar_spec_load(path, &load.o, &spec, &err);
  if (st == SAR_OK) st = sar_compile(&spec, &load.o, &m, &err);
  int status = EXIT_USAGE;
  if (st != SAR_OK || read_parts(args, m, &parts)) {
    cli_watch_signals();
    if (st == SAR_OK) st = make(&j, &spec, m, &load.o, parts, &arena, &err);
    cli_report(args, path, st, &err);
    if (st == SAR_OK && args->json) print_json(&j);
    if (st == SAR_OK && !args->json) print_all(&j);
    status = cli_exit_status(st);
    cli_pass_on_signal();
  }
  sar_flow_report_free(&j.flow);
  sar_model_free(m);
  sar_arena_free(&arena);
  sar_spec_free(&spec);
  return status;
}

static const CliOption options[] = {
    {"what", 0, "LIST",
     "Parts of the equations: M, bias, constraints, jacobian, gamma (default: those there are); of "
     "the embedding B, Bdot, solution; or all.",
     NULL},
    {"latex", 0, NULL, "Print LaTeX.", NULL},
    {"c", 0, NULL, "Print statements of C.", NULL},
    {"text", 0, NULL, "Print expressions as in model files (default).", NULL},
    {"numbers", 0, NULL, "Put in the values of all parameters.", NULL},
    {"as-built", 0, NULL, "Do not multiply out and collect: as generated code computes it.", NULL},
    {"kinematics", 0, NULL,
     "Show instead how the loops are solved: order, knowns, unknowns, bases (as sarrus loops).",
     NULL},
    {"picture", 0, "FILE", "With --kinematics: draw it into FILE.svg, FILE.png or FILE.pdf too.",
     "file"},
    {"set", 0, "NAME=VALUE", "Put in a value of a parameter; may be repeated.", NULL},
    CLI_PATH,
    {0}};

const CliCommand cli_command_equations = {
    .name = "equations",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Print a model's equations of motion as formulas.",
    .text =
        "Prints M(q), h(q, v, t) and, where there are constraints, phi, J "
        "and gamma of\n"
        "\n"
        "  M v' + h + J' lambda = tau,   phi = 0,   J v' = gamma\n"
        "\n"
        "as text, LaTeX or C. Parameters of the file stay symbols unless "
        "--set gives them values, and "
        "so does the size of gravity, g. h has all that acts: gravity, "
        "velocity products, springs, "
        "dampers, actuators; tau is what a host program adds. Products are "
        "multiplied out and "
        "collected; long results are written with named parts e1, e2, ...",
    .examples =
        "sarrus equations pendulum.yaml\tas in a textbook\n"
        "sarrus equations arm.yaml --what M --latex\tthe mass matrix "
        "for a paper\n"
        "sarrus equations crank.yaml --kinematics\twhich loop is solved how\n"
        "sarrus equations arm.yaml --set L=0.3 --c\tstatements with "
        "one value put in",
    .options = options,
    .run = run_equations,
};
