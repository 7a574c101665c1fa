// sarrus papers: makes the tables of the papers again and prints ours beside theirs.
#include "cli/papers/papers.h"

#include <math.h>
#include <string.h>

#define PAPERS(X) X(000) X(001) X(002) X(003) X(004)

#define X(number) extern const Paper paper_##number;
PAPERS(X)
#undef X

static const Paper* const papers[] = {
#define X(number) &paper_##number,
    PAPERS(X)
#undef X
};
enum { COUNT = (int)(sizeof papers / sizeof *papers) };

// ---- for the papers -----------------------------------------------------------------------------

void paper_add(PaperReport* r, const char* table, const char* row, const char* column,
               double theirs, double ours, const char* note) {
  if (r->count == PAPER_MAX_ENTRIES) return;
  PaperEntry* e = &r->entry[r->count++];
  *e = (PaperEntry){.paper = r->paper, .table = table, .theirs = theirs, .ours = ours};
  snprintf(e->row, sizeof e->row, "%s", row);
  snprintf(e->column, sizeof e->column, "%s", column);
  if (note) snprintf(e->note, sizeof e->note, "%s", note);
}

static bool once;  // the option: times of one run, not the least of several

int paper_rounds(int usual) { return once ? 1 : usual; }

SarStatus paper_model_by(const char* name, SarLoadOptions o, SarModel** out, SarError* err) {
  o.files = paper_files;
  o.file_count = 0;
  while (paper_files[o.file_count].name) o.file_count++;
  for (const SarTextFile* f = paper_files; f->name; f++)
    if (strcmp(f->name, name) == 0)
      return sar_model_parse(f->text, f->size, "yaml", name, &o, out, err);
  *out = NULL;
  sar_report(err, (SarLoc){.file = name}, "", "the program was built without this model");
  return SAR_NO_FILE;
}

SarStatus paper_model(const char* name, SarModel** out, SarError* err) {
  return paper_model_by(name, (SarLoadOptions){0}, out, err);
}

SarStatus paper_model_with(const char* name, const SarParameter* parameters, int count,
                           SarModel** out, SarError* err) {
  const SarLoadOptions o = {.parameters = parameters, .parameter_count = count};
  return paper_model_by(name, o, out, err);
}

SarStatus paper_model_in(const char* name, const char* coordinates, SarModel** out, SarError* err) {
  return paper_model_by(name, (SarLoadOptions){.coordinates = coordinates}, out, err);
}

// ---- printing -----------------------------------------------------------------------------------

static void print_json(const PaperReport* r) {
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '[');
  for (int i = 0; i < r->count; i++) {
    const PaperEntry* e = &r->entry[i];
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "paper", e->paper);
    sar_json_text(&j, "table", e->table);
    sar_json_text(&j, "row", e->row);
    sar_json_text(&j, "column", e->column);
    sar_json_number(&j, "theirs", e->theirs);
    sar_json_number(&j, "ours", e->ours);
    sar_json_text(&j, "note", e->note);
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_end(&j);
}

// The first entry of the table with this row (or column, or both) from `from` on; -1: none.
static int find_entry(const PaperReport* r, const PaperEntry* like, int from, const char* row,
                      const char* column) {
  for (int i = from; i < r->count; i++) {
    const PaperEntry* e = &r->entry[i];
    if (strcmp(e->paper, like->paper) == 0 && strcmp(e->table, like->table) == 0 &&
        (!row || strcmp(e->row, row) == 0) && (!column || strcmp(e->column, column) == 0))
      return i;
  }
  return -1;
}

static bool has_theirs(const PaperReport* r, const PaperEntry* like) {
  for (int i = 0; i < r->count; i++)
    if (strcmp(r->entry[i].paper, like->paper) == 0 &&
        strcmp(r->entry[i].table, like->table) == 0 &&
        strcmp(r->entry[i].column, like->column) == 0 && !isnan(r->entry[i].theirs))
      return true;
  return false;
}

// Width of one figure of a column: theirs and ours share the title.
static int width_of(const PaperReport* r, const PaperEntry* e) {
  const int title = (int)strlen(e->column), figures = has_theirs(r, e) ? 2 : 1;
  const int needed = (title + figures - 1) / figures;
  return needed > 10 ? needed : 10;
}

static void print_number(double x, int width) {
  if (isnan(x))
    printf(" %*s", width, "-");
  else
    printf(" %*.4g", width, x);
}

// The next column of a table behind entry c (-1: the first); -1: none.
static int next_column(const PaperReport* r, int first, int c) {
  const PaperEntry* head = &r->entry[first];
  for (c = c < 0 ? first : find_entry(r, head, c + 1, NULL, NULL); c >= 0;
       c = find_entry(r, head, c + 1, NULL, NULL))
    if (find_entry(r, head, first, NULL, r->entry[c].column) == c) return c;
  return -1;
}

static void print_header(const PaperReport* r, int first) {
  printf("\n%s\n%-23s", r->entry[first].table, "");
  for (int c = next_column(r, first, -1); c >= 0; c = next_column(r, first, c)) {
    const PaperEntry* e = &r->entry[c];
    const int width = width_of(r, e);
    printf(" %*s", has_theirs(r, e) ? 2 * width + 1 : width, e->column);
  }
  printf("\n%-23s", "");
  for (int c = next_column(r, first, -1); c >= 0; c = next_column(r, first, c)) {
    const PaperEntry* e = &r->entry[c];
    if (has_theirs(r, e)) printf(" %*s", width_of(r, e), "theirs");
    printf(" %*s", width_of(r, e), "ours");
  }
  printf("\n");
}

static void print_row(const PaperReport* r, int first, const char* row) {
  const PaperEntry* head = &r->entry[first];
  printf("%-23s", row);
  for (int c = next_column(r, first, -1); c >= 0; c = next_column(r, first, c)) {
    const PaperEntry* e = &r->entry[c];
    const int k = find_entry(r, head, first, row, e->column), width = width_of(r, e);
    if (has_theirs(r, e)) print_number(k < 0 ? (double)NAN : r->entry[k].theirs, width);
    print_number(k < 0 ? (double)NAN : r->entry[k].ours, width);
  }
  printf("\n");
}

// A table from its first entry on: one line a row, theirs and ours of each column, then the notes.
static void print_table(const PaperReport* r, int first) {
  const PaperEntry* head = &r->entry[first];
  print_header(r, first);
  for (int i = first; i >= 0; i = find_entry(r, head, i + 1, NULL, NULL))
    if (find_entry(r, head, first, r->entry[i].row, NULL) == i)
      print_row(r, first, r->entry[i].row);
  for (int i = first; i >= 0; i = find_entry(r, head, i + 1, NULL, NULL))
    if (r->entry[i].note[0]) printf("  %s: %s\n", r->entry[i].row, r->entry[i].note);
}

static void print_text(const PaperReport* r, const Paper* paper) {
  printf("%s  %s\n", paper->number, paper->title);
  for (int i = 0; i < r->count; i++) {
    const PaperEntry* e = &r->entry[i];
    if (strcmp(e->paper, paper->number) == 0 && find_entry(r, e, 0, NULL, NULL) == i)
      print_table(r, i);
  }
  printf("\n%s\n", paper->remarks);
}

// ---- the command --------------------------------------------------------------------------------

static const Paper* find_paper(const char* number) {
  for (int i = 0; i < COUNT; i++)
    if (strcmp(papers[i]->number, number) == 0) return papers[i];
  return NULL;
}

static int make(PaperReport* r, const Paper* paper) {
  SarError err;
  sar_error_init(&err);
  r->paper = paper->number;
  SarStatus st = paper->make(r, &err);
  cli_print_messages(&err);
  if (st != SAR_OK && err.count == 0)
    fprintf(stderr, "sarrus papers: %s: %s\n", paper->number, sar_status_text(st));
  return cli_exit_status(st);
}

static int unknown_paper(const CliArgs* args, const char* number) {
  char list[16 * COUNT];
  size_t n = 0;
  for (int i = 0; i < COUNT; i++)
    n += (size_t)snprintf(list + n, sizeof list - n, "%s%s",
                          i == 0           ? ""
                          : i == COUNT - 1 ? " and "
                                           : ", ",
                          papers[i]->number);
  return cli_usage_error(args->command, "no tables of paper '%s'; there are those of %s", number,
                         list);
}

static int run_papers(const CliArgs* args) {
  const Paper* wanted[COUNT];
  int count = 0;
  for (int i = 0; i < args->operand_count; i++) {
    wanted[count] = find_paper(args->operand[i]);
    if (!wanted[count]) return unknown_paper(args, args->operand[i]);
    count++;
  }
  if (count == 0)
    for (; count < COUNT; count++) wanted[count] = papers[count];
  double only = 0;
  once = cli_value(args, "once") != NULL;
  if (!cli_number(args, "table", &only)) return EXIT_USAGE;
  for (int i = 0; i < count; i++)
    if (!(only >= 0 && only <= wanted[i]->tables && only == floor(only)))
      return cli_usage_error(args->command, "--table %g: paper %s has tables 1 to %d", only,
                             wanted[i]->number, wanted[i]->tables);
  PaperReport* r = sar_alloc(sizeof *r);
  if (!r) return EXIT_INTERNAL;
  r->only = (int)only;
  r->args = args;
  r->pictures = cli_value(args, "pictures");
  int status = EXIT_DONE;
  for (int i = 0; i < count && status == EXIT_DONE; i++) status = make(r, wanted[i]);
  if (status == EXIT_DONE && args->json)
    print_json(r);
  else if (status == EXIT_DONE)
    for (int i = 0; i < count; i++) print_text(r, wanted[i]);
  if (!args->json)
    for (int i = 0; i < r->drawn; i++) printf("%s\n", r->picture[i]);
  sar_free(r);
  return status;
}

static const CliOption options[] = {
    {"table", 't', "N", "Only this table of the paper (000: 1 to 4; 004: 1 to 3).", NULL},
    {"pictures", 0, "FOLDER",
     "Draw the paper's figures into this folder, which must be there (002: Figs. 5 to 8; 003: "
     "Figs. 4 and 5).",
     "file"},
    {"once", 0, NULL, "Times of one run each, in place of the least of several.", NULL},
    {0},
};

const CliCommand cli_command_papers = {
    .name = "papers",
    .operands = "[NUMBER...]",
    .max_operands = COUNT,
    .summary = "Make the tables of the papers again and print ours beside theirs.",
    .text =
        "Runs the examples of the papers that the formulations come from, on this machine, and "
        "prints every figure of their tables beside ours. With --json: a list of objects with "
        "paper, table, row, column, theirs, ours and note.",
    .examples =
        "sarrus papers 000\tfour implicit formulations, from a linkage to a vehicle\n"
        "sarrus papers 000 --table 1\tof these, the linkage with singular positions\n"
        "sarrus papers 001\televen formulations on one linkage: calls and CPU time\n"
        "sarrus papers 003 --table 3 --pictures .\tof a suspension, with two pictures\n"
        "sarrus papers 004\tsequential impulses on three mechanisms: sweeps and CPU time",
    .options = options,
    .run = run_papers,
};
