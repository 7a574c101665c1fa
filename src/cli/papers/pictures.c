// Pictures of the figures of papers (papers.h).
#include "cli/files.h"
#include "cli/papers/pictures.h"

SarStatus paper_picture(PaperReport* r, const char* name, const SarFigure* figure, SarError* err) {
  char* path = r->picture[r->drawn++];
  CliOutput file;
  if (snprintf(path, PAPER_PATH, "%s/%s", r->pictures, name) >= PAPER_PATH) {
    sar_report(err, (SarLoc){.file = r->pictures}, "", "the name of the folder is too long");
    return SAR_BAD_ARGUMENT;
  }
  SAR_TRY(cli_output_begin(r->args, path, &file, err));
  return cli_output_end(&file, sar_figure_write(figure, cli_output_path(&file), err), err);
}

SarCurve paper_curve(const SarTable* t, const char* x, const char* y, const char* label) {
  const double* values = sar_table_values(t);
  const size_t stride = (size_t)sar_table_columns(t);
  return (SarCurve){.label = label,
                    .x = values + sar_table_find(t, x),
                    .y = values + sar_table_find(t, y),
                    .n = sar_table_rows(t),
                    .x_stride = stride,
                    .y_stride = stride,
                    .color = SAR_CURVE_AUTO};
}
