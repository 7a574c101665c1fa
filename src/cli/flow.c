// The solution flow as text, LaTeX and JSON (flow.h).
#include "cli/flow.h"

#include "cli/files.h"
#include "cli/surface.h"

#include <ctype.h>
#include <string.h>

// ---- text ---------------------------------------------------------------------------------------

static void print_names(const char* head, const char* const* name, int count) {
  printf("%s", head);
  for (int i = 0; i < count; i++) printf("%s%s", i ? ", " : "", name[i]);
  printf("%s\n", count ? "" : "none");
}

// Which coordinates a loop begins from, and which loop found them.
static void print_knowns(const SarFlowLoop* k) {
  if (k->knowns == 0) return;
  printf("       known: ");
  for (int i = 0; i < k->knowns; i++) {
    printf("%s%s", i ? ", " : "", k->known[i]);
    if (k->from[i] >= 0) printf(" (%d)", k->from[i] + 1);
  }
  printf("\n");
}

static void print_loop(const SarFlowLoop* k, int which) {
  printf("  |\n  v %d. ", which + 1);
  for (int i = 0; i < k->unknowns; i++) printf("%s%s", i ? ", " : "", k->unknown[i]);
  printf("   by");
  for (int i = 0; i < k->constraints; i++) printf(" %s", k->constraint[i]);
  printf("\n");
  print_knowns(k);
  printf("       %s: %s\n", k->kind, k->reason);
  if (k->polynomials == 0) return;
  printf(
      "       basis of %d elements in %.3g ms and %.2g MB (%ld reductions), %d known quantit%s\n",
      k->basis, 1e3 * k->seconds, 1e-6 * (double)k->bytes, k->work, k->symbols,
      k->symbols == 1 ? "y" : "ies");
  for (int i = 0; i < k->polynomials; i++) {
    const SarFlowPolynomial* p = &k->polynomial[i];
    printf("        %-24s degree %d, %3d terms, longest coefficient %d digits\n", p->of, p->degree,
           p->terms, p->digits);
  }
}

static void print_text(const SarFlowReport* r, const char* path) {
  printf("%s: %d coordinates, %d dependent, %d block%s: %s\n", cli_shown(path), r->coordinates,
         r->dependent, r->loops, r->loops == 1 ? "" : "s", r->verdict);
  print_names("  independent: ", r->independent, r->independents);
  for (int i = 0; i < r->loops; i++) print_loop(&r->loop[i], i);
}

// ---- LaTeX --------------------------------------------------------------------------------------

// What LaTeX would obey is escaped or left out.
static void print_plain(const char* text) {
  for (; *text; text++) {
    if (strchr("_%&#$", *text)) printf("\\");
    if (!strchr("\\{}^~", *text)) printf("%c", *text);
  }
}

// "hinge.q" -> q_{\mathrm{hinge}}
static void print_coordinate(const char* name) {
  const char* dot = strrchr(name, '.');
  if (!dot) dot = name;
  printf("%c", dot[1] ? dot[1] : 'q');
  printf("_{\\mathrm{");
  for (const char* c = name; c < dot; c++) {
    if (*c == '_') printf("\\");
    if (isalnum((unsigned char)*c) || *c == '_' || *c == '-' || *c == '.') printf("%c", *c);
  }
  printf("}%s%s}", dot[1] && dot[2] ? "," : "", dot[1] && dot[2] ? dot + 2 : "");
}

static void print_polynomial(const SarFlowLoop* k, int loop, int which) {
  const SarFlowPolynomial* p = &k->polynomial[which];
  printf("  $g_{%d,%d}$ & $%s", which + 1, loop + 1,
         p->part == 's'   ? "\\sin "
         : p->part == 'c' ? "\\cos "
                          : "");
  print_coordinate(k->unknown[p->coordinate]);
  printf("$ & %d & %d & %d \\\\\n", p->degree, p->terms, p->digits);
}

// A table as Tables 2 and 4 of the paper; a loop that is iterated is one line.
static void print_latex(const SarFlowReport* r, const char* path) {
  printf("%% %s: %s\n\\begin{tabular}{llrrr}\n", cli_shown(path), r->verdict);
  printf("  & gives & degree & terms & digits \\\\ \\hline\n");
  for (int i = 0; i < r->loops; i++) {
    const SarFlowLoop* k = &r->loop[i];
    printf("  \\multicolumn{5}{l}{%d. ", i + 1);
    for (int j = 0; j < k->constraints; j++) {
      printf("%s", j ? ", " : "");
      print_plain(k->constraint[j]);
    }
    printf(": $");
    for (int j = 0; j < k->unknowns; j++) {
      printf("%s", j ? ", " : "");
      print_coordinate(k->unknown[j]);
    }
    printf("$ from $");
    for (int j = 0; j < k->knowns; j++) {
      printf("%s", j ? ", " : "");
      print_coordinate(k->known[j]);
    }
    printf("%s$} \\\\\n", k->knowns ? "" : "t");
    for (int j = 0; j < k->polynomials; j++) print_polynomial(k, i, j);
    if (k->polynomials > 0) continue;
    printf("  \\multicolumn{5}{l}{%s: ", k->kind);
    print_plain(k->reason);
    printf("} \\\\\n");
  }
  printf("\\end{tabular}\n");
}

// ---- JSON ---------------------------------------------------------------------------------------

static void json_names(SarJson* j, const char* key, const char* const* name, int count) {
  sar_json_open(j, key, '[');
  for (int i = 0; i < count; i++) sar_json_text(j, NULL, name[i]);
  sar_json_close(j, ']');
}

static void json_loop(SarJson* j, const SarFlowLoop* k) {
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "kind", k->kind);
  sar_json_text(j, "reason", k->reason);
  json_names(j, "coordinates", k->unknown, k->unknowns);
  json_names(j, "constraints", k->constraint, k->constraints);
  sar_json_open(j, "from", '[');
  for (int i = 0; i < k->knowns; i++) {
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "coordinate", k->known[i]);
    sar_json_integer(j, "block", k->from[i]);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
  sar_json_number(j, "seconds", k->seconds);
  sar_json_integer(j, "reductions", k->work);
  sar_json_integer(j, "basis", k->basis);
  sar_json_integer(j, "known", k->symbols);
  sar_json_open(j, "polynomials", '[');
  for (int i = 0; i < k->polynomials; i++) {
    const SarFlowPolynomial* p = &k->polynomial[i];
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "of", p->of);
    sar_json_integer(j, "degree", p->degree);
    sar_json_integer(j, "terms", p->terms);
    sar_json_integer(j, "digits", p->digits);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
  sar_json_close(j, '}');
}

static void print_json(const SarFlowReport* r, const char* path) {
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", path);
  sar_json_text(&j, "status", "ok");
  sar_json_text(&j, "flow", r->verdict);
  json_names(&j, "independent", r->independent, r->independents);
  sar_json_open(&j, "blocks", '[');
  for (int i = 0; i < r->loops; i++) json_loop(&j, &r->loop[i]);
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

// ---- all of it ----------------------------------------------------------------------------------

static SarStatus draw(const CliArgs* args, const SarFlowReport* r, const char* to, SarError* err) {
  CliOutput file;
  SAR_TRY(cli_output_begin(args, to, &file, err));
  return cli_output_end(&file, flow_draw(r, cli_output_path(&file), err), err);
}

const char* flow_coordinates(const CliArgs* args) {
  const char* asked = cli_value(args, "coordinates");
  return asked ? asked : "auto";
}

int flow_show(const CliArgs* args) {
  const char *path = args->operand[0], *picture = cli_value(args, "picture");
  SarFlowReport r = {0};
  SarError err;
  int status;
  SarModel* m = cli_load_in(args, path, flow_coordinates(args), &status);
  if (!m) return status;
  sar_error_init(&err);
  SarStatus st = picture ? surface_check(picture, &err) : SAR_OK;
  if (st == SAR_OK) st = sar_flow_report(m, &r, &err);
  if (st == SAR_OK && picture) st = draw(args, &r, picture, &err);
  cli_report(args, path, st, &err);
  if (st == SAR_OK && args->json)
    print_json(&r, path);
  else if (st == SAR_OK && cli_value(args, "latex"))
    print_latex(&r, path);
  else if (st == SAR_OK)
    print_text(&r, path);
  sar_flow_report_free(&r);
  sar_model_free(m);
  return cli_exit_status(st);
}
