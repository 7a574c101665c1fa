// Modal bodies as a file (modal_file.h).
#include "output/modal_file.h"

#include <math.h>
#include <string.h>

static void write_vector(FILE* f, const char* before, V3 v) {
  fprintf(f, "%s[%.12g, %.12g, %.12g]", before, v.x, v.y, v.z);
}

static void write_nodes(FILE* f, const SarModalFile* r) {
  fprintf(f, "    nodes:\n");
  for (int k = 0; k < r->shape->nodes; k++) {
    const Inertia I = r->shape->inertia[k];
    const M3 R = r->shape->X[k].R;
    const V3 com = I.m > 0 ? v3_scale(1 / I.m, I.h) : v3_zero();
    const S3 at = s3_scale(I.m, s3_of_point(com));
    // roll, pitch, yaw: R = Rz Ry Rx
    const V3 rpy = v3(atan2(R.zy, R.zz), asin(fmin(1, fmax(-1, -R.zx))), atan2(R.yx, R.xx));
    fprintf(f, "      %s: {", r->node[k]);
    write_vector(f, "at: ", r->shape->X[k].p);
    if (v3_norm(rpy) > 1e-12) write_vector(f, ", rpy: ", rpy);
    fprintf(f, ", mass: %.12g", I.m);
    if (v3_norm(com) > 0) write_vector(f, ", com: ", com);
    fprintf(f, ", inertia: [%.12g, %.12g, %.12g, %.12g, %.12g, %.12g]}\n", fmax(0, I.I.xx - at.xx),
            fmax(0, I.I.yy - at.yy), fmax(0, I.I.zz - at.zz), I.I.xy - at.xy, I.I.xz - at.xz,
            I.I.yz - at.yz);
  }
}

static void write_modes(FILE* f, const SarModalFile* r) {
  const SarModalShape* s = r->shape;
  fprintf(f, "    modes:\n");
  for (int i = 0; i < r->modes; i++) {
    fprintf(f, "      - stiffness: %.12g  # %.6g Hz\n", s->stiffness[i * s->modes + i],
            sqrt(fmax(0, s->stiffness[i * s->modes + i])) / 6.283185307179586);
    if (s->damping[i] > 0) fprintf(f, "        damping: %.12g\n", s->damping[i]);
    fprintf(f, "        shape:\n");
    for (int k = 1; k < s->nodes; k++) {
      const Motion V = s->mode[k * s->modes + i];
      fprintf(f, "          %s: [%.12g, %.12g, %.12g, %.12g, %.12g, %.12g]\n", r->node[k], V.v.x,
              V.v.y, V.v.z, V.w.x, V.w.y, V.w.z);
    }
  }
}

static void write_bends(FILE* f, const SarModalFile* r) {
  const SarModalShape* s = r->shape;
  if (!s->bend) return;
  fprintf(f, "    bend:\n");
  for (int k = 1; k < s->nodes; k++) {
    fprintf(f, "      %s:\n", r->node[k]);
    for (int i = 0; i < r->modes; i++)
      for (int j = 0; j <= i; j++) {
        const V3 b = s->bend[k * sar_pairs(s->modes) + sar_pair(i, j)];
        fprintf(f, "        - [%d, %d, %.10g, %.10g, %.10g]\n", i + 1, j + 1, b.x, b.y, b.z);
      }
  }
}

void sar_modal_write(FILE* f, const SarModalFile* r) {
  const Quat q = quat_from_m3(r->X.R);
  fprintf(f, "# %s\nsarrus: 1\nmodal_bodies:\n  %s:\n", r->comment, r->name);
  if (r->in) fprintf(f, "    in: %s\n", r->in);
  write_vector(f, "    at: ", r->X.p);
  if (fabs(fabs(q.w) - 1) > 1e-12)
    fprintf(f, "\n    quat: [%.15g, %.15g, %.15g, %.15g]", q.w, q.x, q.y, q.z);
  fprintf(f, "\n");
  if (r->radius > 0) fprintf(f, "    radius: %.6g\n", r->radius);
  write_nodes(f, r);
  write_modes(f, r);
  write_bends(f, r);
}

static bool write_text(const char* path, const SarModalFile* r) {
  FILE* f = fopen(path, "w");
  if (f) sar_modal_write(f, r);
  const bool written = f && !ferror(f);
  const bool closed = f && fclose(f) == 0;
  return written && closed;
}

static bool ends_in_h5(const char* path) {
  const char* dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

SarStatus sar_modal_save(const char* path, const SarModalFile* r, SarError* err) {
  if (ends_in_h5(path) ? sar_modal_write_hdf5(path, r) : write_text(path, r)) return SAR_OK;
  sar_report(err, (SarLoc){path, 0, 0}, "", "the file cannot be written");
  return SAR_NO_FILE;
}
