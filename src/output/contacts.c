#include "output/contacts.h"

#include "base/alloc.h"
#include "base/error.h"
#include "output/csv.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct SarContactWriter {
  FILE* file;
  const char* path;
  int digits;
};

static SarStatus failed(const char* path, const char* what, SarError* err) {
  if (errno == ENOMEM) {
    sar_report(err, (SarLoc){.file = path}, "", "%s: out of memory", what);
    return SAR_NO_MEMORY;
  }
  sar_report(err, (SarLoc){.file = path}, "", "%s: %s", what, strerror(errno));
  return SAR_NO_FILE;
}

SarStatus sar_contacts_open(const char* path, int digits, SarContactWriter** out, SarError* err) {
  SarContactWriter* w = *out = sar_alloc(sizeof *w);
  if (!w) return SAR_NO_MEMORY;
  *w = (SarContactWriter){fopen(path, "w"), path, digits};
  if (!w->file) {
    sar_free(w);
    *out = NULL;
    return failed(path, "cannot be written", err);
  }
  fputs("time,a,b,solid_a,solid_b,x,y,z,nx,ny,nz,gap,fx,fy,fz,normal\n", w->file);
  return SAR_OK;
}

static const char* body_name(const SarData* d, int body) {
  return body < 0 ? "ground" : sar_model_name(sar_data_model(d), SAR_ITEM_BODY, body);
}

SarStatus sar_contacts_write(SarContactWriter* w, const SarData* d) {
  SarContactPoint c;
  for (int i = 0; sar_contact(d, i, &c) == SAR_OK; i++) {
    const double normal =
        c.force[0] * c.normal[0] + c.force[1] * c.normal[1] + c.force[2] * c.normal[2];
    const double value[] = {c.point[0],  c.point[1],  c.point[2], c.normal[0],
                            c.normal[1], c.normal[2], c.gap,      c.force[0],
                            c.force[1],  c.force[2],  normal};
    const char* name[] = {body_name(d, c.body[0]), body_name(d, c.body[1]), c.solid[0], c.solid[1]};
    fprintf(w->file, "%.*g", w->digits, sar_time(d));
    for (int k = 0; k < 4; k++) {
      fputc(',', w->file);
      sar_csv_name(w->file, name[k]);
    }
    // adding 0 turns -0 into 0
    for (size_t k = 0; k < sizeof value / sizeof *value; k++)
      fprintf(w->file, ",%.*g", w->digits, value[k] + 0.0);
    fputc('\n', w->file);
  }
  return ferror(w->file) ? SAR_NO_FILE : SAR_OK;
}

SarStatus sar_contacts_close(SarContactWriter* w, SarError* err) {
  if (!w) return SAR_OK;
  int bad = ferror(w->file);
  bad |= fclose(w->file);
  const SarStatus st = bad ? failed(w->path, "was not written whole", err) : SAR_OK;
  sar_free(w);
  return st;
}
