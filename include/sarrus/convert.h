/* Model files from one format to another. */
#pragma once
#include <sarrus/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a model file of any format that is read and writes it as YAML (.yaml, .yml), URDF (.urdf)
 * or MJCF (.xml).
 *
 *   SarConversion* c;
 *   SarConvertOptions o = sar_convert_options();
 *   if (sar_convert("robot.urdf", "robot.yaml", &o, &c, &err) == SAR_OK) {
 *     for (int i = 0; i < sar_conversion_losses(c); i++) puts(sar_conversion_loss(c, i)->text);
 *     sar_conversion_write(c, "robot.yaml", false, &err);
 *   }
 *   sar_conversion_free(c);
 *
 * What the other format does not hold is told, once for each thing. */
typedef struct SarConversion SarConversion;

typedef struct SarConvertOptions {
  size_t size;                /* of this struct, as the program knows it */
  const char* format;         /* "yaml", "urdf", "mjcf"; NULL: by the extension of the new file */
  const SarLoadOptions* load; /* how to read the source; Nullable */
  size_t load_size;           /* sizeof *load */
} SarConvertOptions;

SAR_API void sar_convert_options_sized(SarConvertOptions* out, size_t size);
static inline SarConvertOptions sar_convert_options(void) {
  SarConvertOptions o;
  sar_convert_options_sized(&o, sizeof o);
  return o;
}

/* One thing that was not written. */
typedef struct SarLoss {
  const char* file; /* where it stands in the source; "": no place is known */
  int line, column;
  const char* text;
} SarLoss;

/* Reads `from` and makes the text of `to`, which is not written yet: its name says which format is
 * wanted, and where names of meshes start from.  Nullable, with a format.  On failure *out is NULL.
 */
SAR_API SarStatus sar_convert(const char* from, const char* to, const SarConvertOptions* o,
                              SarConversion** out, SarError* err);
/* Writes the text.  A file that is there is left alone, unless it is to be replaced:
 * SAR_BAD_ARGUMENT. */
SAR_API SarStatus sar_conversion_write(const SarConversion* c, const char* path, bool replace,
                                       SarError* err);
SAR_API const char* sar_conversion_text(const SarConversion* c); /* of the new file */
SAR_API const char* sar_conversion_format(const SarConversion* c);
SAR_API int sar_conversion_losses(const SarConversion* c);
SAR_API const SarLoss* sar_conversion_loss(const SarConversion* c,
                                           int index); /* NULL past the last */
SAR_API void sar_conversion_free(SarConversion* c);    /* NULL is fine */

#ifdef __cplusplus
}
#endif
