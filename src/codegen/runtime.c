// The text of functions that generated code brings along (runtime.h). '@' stands for the model's
// name.
#include "codegen/families.h"
#include "codegen/runtime.h"

static const struct {
  SarOp op;
  const char* text;
} kernels[] = {
#define SAR_KERNEL(id, ...) {SAR_OP_##id, #__VA_ARGS__},
#include "symbolic/kernels.def"
};

// As math/sincos.c: no branch, so that loops over angles vectorise.
static const char sincos_text[] =
    "// Sine and cosine of x = k pi/2 + r, |r| <= pi/4, without a branch: reduction in three "
    "parts\n"
    "// (Cody and Waite), two minimax polynomials, an exchange by the bits of k. For |x| < 1.6e6.\n"
    "static inline void @_sincos_near(real x, real* s, real* c) {\n"
    "  const real shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52, k = shifted - 0x1.8p52;\n"
    "  const real first = x - k * 0x1.921fb544p+0, second = first - k * 0x1.0b4611a6p-34;\n"
    "  const real r = second - k * 0x1.3198a2e037073p-69;\n"
    "  const real tail = ((first - second) - k * 0x1.0b4611a6p-34) +\n"
    "                    ((second - r) - k * 0x1.3198a2e037073p-69);\n"
    "  const real z = r * r, half = 0.5 * z, one = 1.0 - half;\n"
    "  const real y = z * z;  // both by halves (Estrin)\n"
    "  const real p = (z * 0x1.111111110f87ap-7 - 0x1.5555555555549p-3) +\n"
    "                 y * ((z * 0x1.71de3577b64eap-19 - 0x1.a01a019c11987p-13) +\n"
    "                      y * (z * 0x1.5d93010a602e0p-33 - 0x1.ae5e663a92bf9p-26));\n"
    "  const real q = (z * -0x1.6c16c16c1517ep-10 + 0x1.555555555554cp-5) +\n"
    "                 y * ((z * -0x1.27e4f809f26e7p-22 + 0x1.a01a019cb1c08p-16) +\n"
    "                      y * (z * -0x1.8fae9d06809d3p-37 + 0x1.1ee9ebea50ea9p-29));\n"
    "  const real sine = r + (r * z * p + tail * one);\n"
    "  const real cosine = one + (((1.0 - one) - half) + (y * q - r * tail));\n"
    "  uint64_t a, b, n;\n"
    "  memcpy(&a, &sine, sizeof a);\n"
    "  memcpy(&b, &cosine, sizeof b);\n"
    "  memcpy(&n, &shifted, sizeof n);\n"
    "  const uint64_t exchange = (a ^ b) & (0u - (n & 1u));\n"
    "  a ^= exchange ^ ((n & 2u) << 62);\n"
    "  b ^= exchange ^ (((n + 1u) & 2u) << 62);\n"
    "  memcpy(s, &a, sizeof a);\n"
    "  memcpy(c, &b, sizeof b);\n"
    "}\n\n";

static const char sincos_single_text[] =
    "static inline void @_sincos_near(real x, real* s, real* c) {\n"
    "  *s = sin(x);\n"
    "  *c = cos(x);\n"
    "}\n\n";

// Those that are far, apart from the others: a function that calls no other saves no registers.
static const char sincos_far_text[] =
    "#if defined(__GNUC__)\n__attribute__((noinline, cold))\n#endif\n"
    "static void @_sincos_far(int n, const real* x, real* s, real* c) {\n"
    "  for (int i = 0; i < n; i++)\n"
    "    if (!(fabs(x[i]) <= 1.6e6)) s[i] = sin(x[i]), c[i] = cos(x[i]);\n"
    "}\n\n";

static const char sincos_array_text[] =
    "static void @_sincos(int n, const real* restrict x, real* restrict s, real* restrict c) {\n"
    "  int far = 0;\n"
    "  for (int i = 0; i < n; i++) far |= !(fabs(x[i]) <= 1.6e6);\n"
    "  for (int i = 0; i < n; i++) @_sincos_near(x[i], &s[i], &c[i]);\n"
    "  if (far) @_sincos_far(n, x, s, c);\n"
    "}\n";

// n is a multiple of four.
static const char sincos_vectors_text[] =
    "#ifdef @_VECTORS\n"
    "static void @_sincos(int n, const real* restrict x, real* restrict s, real* restrict c) {\n"
    "  @_v4_bits near = ~(@_v4_bits){0};\n"
    "  for (int i = 0; i < n; i += 4) {\n"
    "    const @_v4_real y = @_v4_there(&x[i]);\n"
    "    @_v4_real a, b;\n"
    "    near &= (@_v4_bits)(y <= 1.6e6) & (@_v4_bits)(y >= -1.6e6);\n"
    "    @_v4_sincos_near(y, &a, &b);\n"
    "    @_v4_here(&s[i]) = a, @_v4_here(&c[i]) = b;\n"
    "  }\n"
    "  if ((near[0] & near[1] & near[2] & near[3]) == 0) @_sincos_far(n, x, s, c);\n"
    "}\n#else\n";

static const char sincos_one_text[] =
    "static inline void @_sincos_one(real x, real* s, real* c) {\n"
    "  if (fabs(x) <= 1.6e6) {\n"
    "    @_sincos_near(x, s, c);\n"
    "  } else {\n"
    "    *s = sin(x);\n"
    "    *c = cos(x);\n"
    "  }\n"
    "}\n\n";

static const char segment_text[] =
    "// Which of the n - 1 pieces x is in; every `width` numbers hold a point, x first.\n"
    "static int @_piece(const real* p, int width, int n, real x) {\n"
    "  int lo = 0, hi = n - 1;\n"
    "  while (hi - lo > 1) {\n"
    "    const int mid = (lo + hi) / 2;\n"
    "    if (x >= p[width * mid])\n"
    "      lo = mid;\n"
    "    else\n"
    "      hi = mid;\n"
    "  }\n"
    "  return lo;\n"
    "}\n\n";

static const char table_text[] =
    "static real @_table(const real* p, int n, real x) {\n"
    "  if (x <= p[0]) return p[1];\n"
    "  if (x >= p[2 * n - 2]) return p[2 * n - 1];\n"
    "  const real* a = p + 2 * @_piece(p, 2, n, x);\n"
    "  const real f = (x - a[0]) / (a[2] - a[0]);\n"
    "  return a[1] * (1 - f) + a[3] * f;\n"
    "}\n\n";

static const char slope_text[] =
    "static real @_table_slope(const real* p, int n, real x) {\n"
    "  if (x < p[0] || x >= p[2 * n - 2]) return 0;\n"
    "  const real* a = p + 2 * @_piece(p, 2, n, x);\n"
    "  return (a[3] - a[1]) / (a[2] - a[0]);\n"
    "}\n\n";

static const char spline_text[] =
    "// Natural cubic spline of points x, y, y'': value and slope; straight beyond the ends.\n"
    "static real @_spline_at(const real* p, int n, real x, real* slope) {\n"
    "  const real *a = p + 3 * @_piece(p, 3, n, x), *b = a + 3;\n"
    "  const real h = b[0] - a[0], rise = (b[1] - a[1]) / h;\n"
    "  if (x <= p[0]) {\n"
    "    *slope = rise - h / 6 * (2 * a[2] + b[2]);\n"
    "    return a[1] + *slope * (x - a[0]);\n"
    "  }\n"
    "  if (x >= p[3 * (n - 1)]) {\n"
    "    *slope = rise + h / 6 * (a[2] + 2 * b[2]);\n"
    "    return b[1] + *slope * (x - b[0]);\n"
    "  }\n"
    "  const real f = (x - a[0]) / h, e = 1 - f;\n"
    "  *slope = rise + h / 6 * ((1 - 3 * e * e) * a[2] + (3 * f * f - 1) * b[2]);\n"
    "  return e * a[1] + f * b[1] + h * h / 6 * ((e * e - 1) * e * a[2] + (f * f - 1) * f * "
    "b[2]);\n"
    "}\n\n";

static const char spline_value_text[] =
    "static real @_spline(const real* p, int n, real x) {\n"
    "  real slope;\n"
    "  return @_spline_at(p, n, x, &slope);\n"
    "}\n\n";

static const char spline_slope_text[] =
    "static real @_spline_slope(const real* p, int n, real x) {\n"
    "  real slope;\n"
    "  (void)@_spline_at(p, n, x, &slope);\n"
    "  return slope;\n"
    "}\n\n";

// As math/rotvec.h.
static const char turns_text[] =
    "// Unit quaternions w x y z and rotation vectors: q = q0 exp(xi), and the rate of xi for the\n"
    "// angular velocity w in the turned frame.\n"
    "static void @_turn(const real* q0, const real* xi, real* q) {\n"
    "  const real t2 = xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2], z = 0.25 * t2, y = z * z;\n"
    "  // small turns, as those of a step are, by the series of sine and cosine\n"
    "  real s = 0.5 - z * (1.0 / 12) + y * (1.0 / 240 - z * (1.0 / 10080) + y * (1.0 / 725760));\n"
    "  real c = 1.0 - z * 0.5 + y * (1.0 / 24 - z * (1.0 / 720) + y * (1.0 / 40320));\n"
    "  if (t2 > 0.01) {\n"
    "    const real half = 0.5 * sqrt(t2);\n"
    "    @_sincos_one(half, &s, &c);\n"
    "    s = 0.5 * s / half;\n"
    "  }\n"
    "  const real a[4] = {q0[0], q0[1], q0[2], q0[3]};\n"
    "  // what the last turn left of a unit quaternion is one but for rounding: 1/sqrt(n2) by its "
    "tangent\n"
    "  const real n2 = (a[0] * a[0] + a[1] * a[1]) + (a[2] * a[2] + a[3] * a[3]), off = n2 - 1.0;\n"
    "  const real n = off < 1e-8 && off > -1e-8 ? 1.5 - 0.5 * n2 : 1.0 / sqrt(n2);\n"
    "  s *= n, c *= n;\n"
    "  const real b[3] = {s * xi[0], s * xi[1], s * xi[2]};\n"
    "  q[0] = a[0] * c - a[1] * b[0] - a[2] * b[1] - a[3] * b[2];\n"
    "  q[1] = a[0] * b[0] + a[1] * c + a[2] * b[2] - a[3] * b[1];\n"
    "  q[2] = a[0] * b[1] - a[1] * b[2] + a[2] * c + a[3] * b[0];\n"
    "  q[3] = a[0] * b[2] + a[1] * b[1] - a[2] * b[0] + a[3] * c;\n"
    "}\n\n";

static const char turn_rate_text[] =
    "static void @_turn_rate(const real* xi, const real* w, real* rate) {\n"
    "  const real t2 = xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2];\n"
    "  real k = 1.0 / 12 + t2 * (1.0 / 720 + t2 * (1.0 / 30240 + t2 / 1209600));\n"
    "  if (t2 >= 0.01) {\n"
    "    const real half = 0.5 * sqrt(t2);\n"
    "    real s, c;\n"
    "    @_sincos_one(half, &s, &c);\n"
    "    k = (1 - half * c / s) / t2;\n"
    "  }\n"
    "  const real a[3] = {xi[1] * w[2] - xi[2] * w[1], xi[2] * w[0] - xi[0] * w[2],\n"
    "                     xi[0] * w[1] - xi[1] * w[0]};\n"
    "  const real b[3] = {xi[1] * a[2] - xi[2] * a[1], xi[2] * a[0] - xi[0] * a[2],\n"
    "                     xi[0] * a[1] - xi[1] * a[0]};\n"
    "  for (int i = 0; i < 3; i++) rate[i] = w[i] + (0.5 * a[i] + k * b[i]);\n"
    "}\n\n";

void sar_runtime_text(SarWriter* w, const char* model, const char* text) {
  for (const char* c = text; *c; c++)
    if (*c == '@')
      sar_write(w, "%s", model);
    else
      sar_write(w, "%c", *c);
}

static bool has_one_angle(const SarRuntime* uses) { return uses->sincos_one || uses->turns; }

// Vectors of families, and sines of arrays by them.
static void write_vectors(SarWriter* w, const char* model, const SarRuntime* uses,
                          const SarRuntime* two, const SarRuntime* four) {
  const bool vectors = uses->sincos && !uses->single;
  SarRuntime all = *four;
  all.sincos_near = vectors;
  if (two->op[SAR_OP_SYMBOL]) sar_family_runtime(w, model, 2, two);
  if (four->op[SAR_OP_SYMBOL] || vectors) sar_family_runtime(w, model, 4, &all);
  if (!uses->sincos) return;
  sar_runtime_text(w, model, sincos_far_text);
  if (vectors) sar_runtime_text(w, model, sincos_vectors_text);
  if (vectors && !has_one_angle(uses)) sar_runtime_text(w, model, sincos_text);
  sar_runtime_text(w, model, sincos_array_text);
  sar_write(w, vectors ? "#endif\n\n" : "\n");
}

void sar_runtime_write(SarWriter* w, const char* model, const SarRuntime* uses,
                       const SarRuntime* family) {
  const bool one = has_one_angle(uses);
  const bool table = uses->op[SAR_OP_TABLE], slope = uses->op[SAR_OP_SLOPE];
  const bool spline = uses->op[SAR_OP_SPLINE], spline_slope = uses->op[SAR_OP_SPLINE_SLOPE];
  const SarRuntime none = {0}, *two = family ? &family[2] : &none,
                   *four = family ? &family[4] : &none;
  if (two->op[SAR_OP_SYMBOL] || four->op[SAR_OP_SYMBOL] || (uses->sincos && !uses->single))
    sar_family_switch(w, model);
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    if (uses->op[kernels[i].op])
      sar_write(w, "%s\n\n", kernels[i].text);
    else if (two->op[kernels[i].op] || four->op[kernels[i].op])
      sar_write(w, "#ifndef %s_VECTORS\n%s\n#endif\n\n", model, kernels[i].text);
  }
  if (uses->single ? uses->sincos || one : one)
    sar_runtime_text(w, model, uses->single ? sincos_single_text : sincos_text);
  write_vectors(w, model, uses, two, four);
  if (one) sar_runtime_text(w, model, sincos_one_text);
  if (table || slope || spline || spline_slope) sar_runtime_text(w, model, segment_text);
  if (table) sar_runtime_text(w, model, table_text);
  if (slope) sar_runtime_text(w, model, slope_text);
  if (spline || spline_slope) sar_runtime_text(w, model, spline_text);
  if (spline) sar_runtime_text(w, model, spline_value_text);
  if (spline_slope) sar_runtime_text(w, model, spline_slope_text);
  if (uses->turns) sar_runtime_text(w, model, turns_text);
  if (uses->turn_rates) sar_runtime_text(w, model, turn_rate_text);
}

void sar_runtime_sincos(SarWriter* w, const char* model) {
  sar_runtime_text(w, model, sincos_text);
}
