// The result of `sarrus linearize`: as text, JSON and CSV.
#include "cli/files.h"
#include "cli/linearize.h"

#include "output/csv.h"

#include <math.h>
#include <string.h>

static const double TWO_PI = 6.28318530717958647693;

typedef const char* Namer(const SarLinearization* l, int i);

// ---- text ---------------------------------------------------------------------------------------

static void print_matrix(const Linearization* a, const char* name, const double* M, int rows,
                         int columns, Namer* of_row, Namer* of_column) {
  int width = 8;
  if (rows == 0 || columns == 0) return;
  for (int i = 0; i < rows; i++) {
    const int length = (int)strlen(of_row(a->found, i));
    if (length > width) width = length;
  }
  printf("\n%s\n%*s", name, width + 2, "");
  for (int j = 0; j < columns; j++) printf(" %14.14s", of_column(a->found, j));
  printf("\n");
  for (int i = 0; i < rows; i++) {
    printf("  %-*s", width, of_row(a->found, i));
    for (int j = 0; j < columns; j++) printf(" %14.6g", M[i * columns + j] + 0.0);
    printf("\n");
  }
}

static void print_roots(const char* name, const double* re, const double* im, int count) {
  printf("\n%-8s %14s %14s %14s %10s\n", name, "re 1/s", "im rad/s", "frequency Hz", "damping");
  for (int i = 0; i < count; i++) {
    const double size = hypot(re[i], im[i]);
    printf("%-8d %14.6g %14.6g %14.6g %10.4f\n", i + 1, re[i] + 0.0, im[i] + 0.0,
           fabs(im[i]) / TWO_PI, size > 0 ? -re[i] / size + 0.0 : 0);
  }
}

static void print_notes(const SarLinearizationReport* l) {
  if (l->acceleration > 1e-6)
    printf("  the state is no equilibrium: accelerations up to %.3g (m/s^2 or rad/s^2)\n",
           l->acceleration);
  if (l->nq < l->coordinates)
    printf("  closed loops: %d of %d coordinates are independent\n", l->nq, l->coordinates);
  if (l->left_out > 0)
    printf("  %d %s left out: energies, powers, works, reactions, contacts\n", l->left_out,
           cli_plural(l->left_out, "column is", "columns are"));
}

void linearize_text(const Linearization* a) {
  const SarLinearizationReport* l = a->report;
  printf("%s: %d %s, %d %s, %d %s, t = %.6g s\n", cli_shown(a->path), l->nx,
         cli_plural(l->nx, "state", "states"), l->nu, cli_plural(l->nu, "input", "inputs"), l->ny,
         cli_plural(l->ny, "output", "outputs"), sar_time(a->d));
  print_notes(l);
  print_matrix(a, "A", l->A, l->nx, l->nx, sar_linearization_state, sar_linearization_state);
  print_matrix(a, "B", l->B, l->nx, l->nu, sar_linearization_state, sar_linearization_input);
  print_matrix(a, "C", l->C, l->ny, l->nx, sar_linearization_output, sar_linearization_state);
  print_matrix(a, "D", l->D, l->ny, l->nu, sar_linearization_output, sar_linearization_input);
  print_roots("poles", l->pole_re, l->pole_im, l->nx);
  if (l->zeros >= 0) print_roots("zeros", l->zero_re, l->zero_im, l->zeros);
}

// ---- JSON ---------------------------------------------------------------------------------------

static void json_names(SarJson* j, const char* key, const Linearization* a, int count,
                       Namer* name) {
  sar_json_open(j, key, '[');
  for (int i = 0; i < count; i++) sar_json_text(j, NULL, name(a->found, i));
  sar_json_close(j, ']');
}

static void json_vector(SarJson* j, const char* key, const double* x, int count) {
  sar_json_open(j, key, '[');
  for (int i = 0; i < count; i++) sar_json_number(j, NULL, x[i]);
  sar_json_close(j, ']');
}

static void json_matrix(SarJson* j, const char* key, const double* M, int rows, int columns) {
  sar_json_open(j, key, '[');
  for (int i = 0; i < rows; i++) json_vector(j, NULL, M + i * columns, columns);
  sar_json_close(j, ']');
}

static void json_roots(SarJson* j, const char* key, const double* re, const double* im, int count) {
  sar_json_open(j, key, '[');
  for (int i = 0; i < count; i++) json_vector(j, NULL, (double[]){re[i], im[i]}, 2);
  sar_json_close(j, ']');
}

void linearize_json(const Linearization* a) {
  const SarLinearizationReport* l = a->report;
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", a->path);
  sar_json_text(&j, "status", "ok");
  sar_json_number(&j, "time", sar_time(a->d));
  sar_json_number(&j, "largest_acceleration", l->acceleration);
  json_names(&j, "states", a, l->nx, sar_linearization_state);
  json_names(&j, "inputs", a, l->nu, sar_linearization_input);
  json_names(&j, "outputs", a, l->ny, sar_linearization_output);
  sar_json_integer(&j, "positions", l->nq);
  sar_json_integer(&j, "velocities", l->nv);
  sar_json_integer(&j, "columns_left_out", l->left_out);
  json_vector(&j, "x0", l->x0, l->nx);
  json_vector(&j, "f", l->f, l->nx);
  json_vector(&j, "u0", l->u0, l->nu);
  json_vector(&j, "y0", l->y0, l->ny);
  json_matrix(&j, "A", l->A, l->nx, l->nx);
  json_matrix(&j, "B", l->B, l->nx, l->nu);
  json_matrix(&j, "C", l->C, l->ny, l->nx);
  json_matrix(&j, "D", l->D, l->ny, l->nu);
  json_roots(&j, "poles", l->pole_re, l->pole_im, l->nx);
  if (l->zeros >= 0) json_roots(&j, "zeros", l->zero_re, l->zero_im, l->zeros);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

// ---- CSV ----------------------------------------------------------------------------------------

static void csv_row(FILE* f, const char* name, const double* left, int nx, const double* right,
                    int nu) {
  sar_csv_name(f, name);
  for (int j = 0; j < nx; j++) fprintf(f, ",%.17g", left[j]);
  for (int j = 0; j < nu; j++) fprintf(f, ",%.17g", right[j]);
  fputc('\n', f);
}

// [A B; C D]: a line for the names of x and u, then each row with its own name first.
static SarStatus write_csv(const Linearization* a, const char* path, SarError* err) {
  const SarLinearizationReport* l = a->report;
  FILE* f = fopen(path, "w");
  if (!f) {
    sar_report(err, (SarLoc){0}, "", "cannot write '%s'", path);
    return SAR_NO_FILE;
  }
  fprintf(f, "row");
  for (int j = 0; j < l->nx + l->nu; j++) {
    fputc(',', f);
    sar_csv_name(f, j < l->nx ? sar_linearization_state(a->found, j)
                              : sar_linearization_input(a->found, j - l->nx));
  }
  fputc('\n', f);
  for (int i = 0; i < l->nx; i++) {
    char rate[160];
    snprintf(rate, sizeof rate, "d/dt %s", sar_linearization_state(a->found, i));
    csv_row(f, rate, &l->A[i * l->nx], l->nx, &l->B[i * l->nu], l->nu);
  }
  for (int i = 0; i < l->ny; i++)
    csv_row(f, sar_linearization_output(a->found, i), &l->C[i * l->nx], l->nx, &l->D[i * l->nu],
            l->nu);
  const bool failed = ferror(f);
  if (fclose(f) == 0 && !failed) return SAR_OK;
  sar_report(err, (SarLoc){0}, "is the disk full?", "cannot write '%s'", path);
  return SAR_NO_FILE;
}

SarStatus linearize_write(const Linearization* a, const CliArgs* args, const char* path,
                          SarError* err) {
  CliOutput file;
  SAR_TRY(cli_output_begin(args, path, &file, err));
  return cli_output_end(&file, write_csv(a, cli_output_path(&file), err), err);
}
