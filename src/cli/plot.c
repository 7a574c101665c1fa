// sarrus plot: curves of any outputs of one or several runs, or a picture of a mechanism in motion.
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/interrupt.h"

#include "cli/picture.h"
#include "cli/plot_sweep.h"
#include "cli/simulate.h"
#include "output/difference.h"
#include "output/figure.h"
#include "output/quantity.h"

#include <string.h>
#include <strings.h>

enum { MOST_RUNS = 16, MOST_PANELS = 6, MOST_CURVES = 16, LABEL = 160 };

typedef struct Plot {
  const SarTable* table[MOST_RUNS];  // of a result file, or of a run
  SarTable* loaded[MOST_RUNS];
  SarRun* run[MOST_RUNS];
  const char* file[MOST_RUNS];
  int x[MOST_RUNS];  // column on the x axis
  int runs;
  SarPanel panel[MOST_PANELS];
  SarCurve curve[MOST_PANELS][MOST_CURVES];
  char label[MOST_PANELS][MOST_CURVES][LABEL];
  int panels;
  int left_out;  // curves that found no room
  SweepTable sweep;
  bool of_sweep;  // one table of a sweep, and no other x is asked for
} Plot;

static const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static SarPanel* find_panel(Plot* plot, const char* label) {
  for (int p = 0; p < plot->panels; p++)
    if (strcmp(plot->panel[p].y_label, label) == 0) return &plot->panel[p];
  if (plot->panels == MOST_PANELS) return NULL;
  SarPanel* panel = &plot->panel[plot->panels];
  *panel = (SarPanel){.y_label = label, .curves = plot->curve[plot->panels]};
  plot->panels++;
  return panel;
}

static void add_curve(Plot* plot, int run, int column) {
  const SarTable* t = plot->table[run];
  const char* name = sar_table_name(t, column);
  const double* values = sar_table_values(t);
  const size_t columns = (size_t)sar_table_columns(t);
  SarPanel* panel = find_panel(plot, sar_quantity_of(name));
  if (!panel || panel->count == MOST_CURVES) {
    plot->left_out++;
    return;
  }
  int p = (int)(panel - plot->panel), i = panel->count++;
  if (plot->runs > 1)
    snprintf(plot->label[p][i], LABEL, "%s (%s)", name, base_name(plot->file[run]));
  else
    snprintf(plot->label[p][i], LABEL, "%s", name);
  plot->curve[p][i] = (SarCurve){.label = plot->label[p][i],
                                 .x = values + plot->x[run],
                                 .y = values + column,
                                 .n = sar_table_rows(t),
                                 .x_stride = columns,
                                 .y_stride = columns,
                                 .color = SAR_CURVE_AUTO};
}

static bool is_result(const char* path) {
  const char* dot = strrchr(path, '.');
  return dot && (strcasecmp(dot, ".csv") == 0 || strcasecmp(dot, ".h5") == 0 ||
                 strcasecmp(dot, ".hdf5") == 0);
}

// A result file is read, a model is simulated.
static int fill_table(const CliArgs* args, const char* path, SarTable** loaded, SarRun** run,
                      const SarTable** t) {
  int status = EXIT_DONE;
  if (is_result(path)) {
    SarError err;
    sar_error_init(&err);
    cli_input(NULL, path);
    SarStatus st = sar_table_load(path, loaded, &err);
    *t = *loaded;
    cli_print_messages(&err);
    return st == SAR_OK ? EXIT_DONE : EXIT_USAGE;
  }
  SimulateJob job = {.path = path, .digits = 12};
  status = simulate_options(args, &job);
  job.run.keep_rows = true;
  SarModel* m = status == EXIT_DONE ? cli_load(args, path, &status) : NULL;
  if (!m) return status;
  status = simulate(m, &job, run);
  *t = sar_run_table(*run);
  sar_model_free(m);
  cli_pass_on_signal();
  return status;
}

static int read_runs(const CliArgs* args, Plot* plot) {
  const char* x = cli_value(args, "x") ? cli_value(args, "x") : "time";
  for (int i = 0; i < args->operand_count; i++) {
    int status =
        fill_table(args, args->operand[i], &plot->loaded[i], &plot->run[i], &plot->table[i]);
    plot->runs = i + 1;
    plot->file[i] = args->operand[i];
    if (status != EXIT_DONE) return status;
    plot->x[i] = sar_table_find(plot->table[i], x);
    if (plot->x[i] < 0 && !cli_value(args, "x"))
      plot->x[i] = 0;  // results of other programs: first column
    if (plot->x[i] < 0)
      return cli_usage_error(args->command, "%s has no column '%s'", args->operand[i], x);
  }
  return EXIT_DONE;
}

static void choose_curves(const CliArgs* args, Plot* plot) {
  const char* patterns = cli_value(args, "columns");
  for (int run = 0; run < plot->runs; run++)
    for (int c = 0; c < sar_table_columns(plot->table[run]); c++)
      if (c != plot->x[run] && !(plot->of_sweep && c <= plot->sweep.time) &&
          (!patterns || sar_name_matches(patterns, sar_table_name(plot->table[run], c))))
        add_curve(plot, run, c);
}

static int draw(const CliArgs* args, Plot* plot, const char* out) {
  if (plot->panels == 0) {
    fprintf(stderr, "sarrus plot: no column matches '%s'; the columns are:\n ",
            cli_value(args, "columns"));
    for (int c = 0; c < sar_table_columns(plot->table[0]); c++)
      fprintf(stderr, " %s", sar_table_name(plot->table[0], c));
    fprintf(stderr, "\nA pattern takes all of one: 'NAME.*'.\n");
    return EXIT_USAGE;
  }
  if (plot->left_out)
    fprintf(stderr, "sarrus plot: %d columns left out for want of room; choose with --columns\n",
            plot->left_out);
  const char* title = cli_value(args, "title");
  SarFigure figure = {.title = title ? title : base_name(args->operand[0]),
                      .x_label = cli_value(args, "x") ? cli_value(args, "x")
                                 : plot->of_sweep     ? sar_table_name(plot->table[0], 1)
                                                      : "time [s]",
                      .panels = plot->panel,
                      .count = plot->panels,
                      .equal = cli_value(args, "equal") != NULL};
  SarError err;
  sar_error_init(&err);
  CliOutput file;
  SarStatus st = cli_output_begin(args, out, &file, &err);
  if (st == SAR_OK) {
    st = sar_figure_write(&figure, cli_output_path(&file), &err);
    st = cli_output_end(&file, st, &err);
  }
  cli_print_messages(&err);
  return cli_exit_status(st);
}

static void report(const CliArgs* args, const char* out, int panels) {
  if (!args->json) {
    printf("%s\n", out);
    return;
  }
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "picture", out);
  sar_json_integer(&j, "panels", panels);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static int run_plot(const CliArgs* args) {
  const char* out = cli_value(args, "out") ? cli_value(args, "out") : "plot.png";
  if (cli_value(args, "motion")) return picture_motion(args, out);
  static const char* const of_motion[] = {"view", "poses", "at", "trace", "forces", "size"};
  for (size_t i = 0; i < sizeof of_motion / sizeof *of_motion; i++)
    if (cli_value(args, of_motion[i]))
      return cli_usage_error(args->command, "--%s goes with --motion", of_motion[i]);
  Plot* plot = sar_alloc(sizeof *plot);
  if (!plot) return EXIT_INTERNAL;
  int status = read_runs(args, plot);
  plot->of_sweep = status == EXIT_DONE && plot->runs == 1 && !cli_value(args, "x") &&
                   plot_is_sweep(plot->table[0], &plot->sweep);
  const int over = plot->of_sweep ? plot_sweep_line(plot->table[0], &plot->sweep) : -1;
  if (over >= 0) plot->x[0] = over;
  if (plot->of_sweep && over < 0) {
    const char* title = cli_value(args, "title");
    const bool grid =
        !cli_value(args, "parallel") && plot_sweep_is_grid(plot->table[0], &plot->sweep);
    status = (grid ? plot_sweep_surface : plot_sweep_parallel)(
        args, plot->table[0], &plot->sweep, title ? title : base_name(args->operand[0]), out);
    plot->panels = 1;
  } else {
    if (status == EXIT_DONE) choose_curves(args, plot);
    if (status == EXIT_DONE) status = draw(args, plot, out);
  }
  if (status == EXIT_DONE) report(args, out, plot->panels);
  for (int i = 0; i < plot->runs; i++) {
    sar_table_free(plot->loaded[i]);
    sar_run_free(plot->run[i]);
  }
  sar_free(plot);
  return status;
}

static const CliOption options[] = {
    {"columns", 'c', "PATTERNS",
     "Columns to draw, comma-separated, with * and ? ('elbow.*,energy.error').", NULL},
    {"x", 'x', "COLUMN", "What to draw over, instead of time.", NULL},
    {"out", 'o', "FILE",
     "Picture to write, FILE.png or FILE.svg, of --motion also FILE.pdf (default plot.png).",
     "file"},
    {"title", 't', "TEXT", "Title of the picture.", NULL},
    {"equal", 0, NULL, "The same scale on both axes, for paths.", NULL},
    {"parallel", 0, NULL, "Parallel coordinates also of a sweep over a grid of two parameters.",
     NULL},
    {"motion", 'm', NULL,
     "Draw the mechanism of a MODEL at several instants, with the paths of points.", NULL},
    {"view", 0, "VIEW",
     "What --motion looks at: xy, xz, ... (what points right and up); iso, from the side and "
     "above; or AZIMUTH,ELEVATION in degrees (default: the plane of the motion, else iso).",
     NULL},
    {"poses", 0, "N", "How often --motion draws the mechanism, 1 to 60 (default 6).", NULL},
    {"at", 0, "SECONDS", "When --motion draws it, instead: one or several times, comma-separated.",
     NULL},
    {"trace", 0, "NAMES",
     "Points and bodies whose paths --motion draws, comma-separated, or none (default: points "
     "among the outputs, else the last bodies of chains).",
     NULL},
    {"forces", 0, NULL, "Draw forces of contacts and elements too, at the last pose.", NULL},
    {"size", 0, "WIDTHxHEIGHT", "Pixels of the picture of --motion (default: 1000 wide).", NULL},
    {"end", 'e', "SECONDS", "Time to simulate, when a model is given.", NULL},
    {"formulation", 'f', "NAME", "Equations of motion, when a model is given.", "formulations"},
    {"integrator", 'i', "NAME", "Time stepping, when a model is given.", "integrators"},
    {"step", 's', "SECONDS", "Step, when a model is given.", NULL},
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
    {0}};

const CliCommand cli_command_plot = {
    .name = "plot",
    .operands = "RESULT|MODEL...",
    .min_operands = 1,
    .max_operands = MOST_RUNS,
    .summary = "Draw results, or a mechanism in motion.",
    .text =
        "Draws columns of one or several result files (.csv, .h5) into a picture; columns that "
        "measure the same kind of thing share a panel. Of a sweep with one parameter they are "
        "drawn over it; of one over a grid of two, as maps in colours with lines of equal value; "
        "of one with more, or with random values, the picture has parallel coordinates: an axis "
        "for each parameter and output, a line for each instance. A MODEL in place of a result is "
        "simulated first. With --motion the picture shows the mechanism itself, from light (start) "
        "to dark (end).",
    .examples =
        "sarrus plot arm.csv -c 'elbow.*'\tposition and speed of one joint\n"
        "sarrus plot a.csv b.csv -c energy.error -o compare.svg\ttwo runs in one picture\n"
        "sarrus plot arm.csv -x tip.x -c tip.z --equal\tthe path of a point\n"
        "sarrus plot arm.yaml --motion\tthe mechanism, moving",
    .options = options,
    .run = run_plot,
};
