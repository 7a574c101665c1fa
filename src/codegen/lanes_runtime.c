// Functions of vectors that generated code over lanes brings along (lanes.h): '@' stands for the
// prefix. `real` is a vector there, @_bits one of its bits.
#include "codegen/lanes.h"

#include "base/print.h"

#include <string.h>

const char* sar_lanes_function(SarOp op) {
  switch (op) {
    case SAR_OP_LT: return "lt";
    case SAR_OP_LE: return "le";
    case SAR_OP_GT: return "gt";
    case SAR_OP_GE: return "ge";
    case SAR_OP_EQ: return "eq";
    case SAR_OP_NE: return "ne";
    case SAR_OP_AND: return "and";
    case SAR_OP_OR: return "or";
    case SAR_OP_NOT: return "not";
    case SAR_OP_SELECT: return "select";
    default: return sar_op_name(op);
  }
}

// ---- what vectors can do ------------------------------------------------------------------------

// The lanes of a mask as bits.
static const char which_text[] =
    "INLINE int @_which(@_bits mask) {\n"
    "#if defined(__AVX512DQ__) && LANES == 8\n"
    "  return (int)_mm512_movepi64_mask((__m512i)mask);\n"
    "#elif defined(__AVX__) && LANES == 4\n"
    "  return _mm256_movemask_pd((__m256d)mask);\n"
    "#else\n"
    "  int bits = 0;\n"
    "  for (int lane = 0; lane < LANES; lane++) bits |= (int)(mask[lane] >> 63) << lane;\n"
    "  return bits;\n"
    "#endif\n}\n\n";

// A mask as 0 or 1, and a choice by a mask, without a branch.
static const char logic_text[] =
    "INLINE real @_truth(@_bits mask) {\n"
    "  return (real)(mask & (@_bits)@_all(1.0));\n}\n\n"
    "INLINE real @_pick(@_bits mask, real yes, real no) {\n"
    "#if defined(__AVX__) && LANES == 4\n"
    "  return (real)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)mask);\n"
    "#elif defined(__AVX__) && LANES == 2\n"
    "  return (real)_mm_blendv_pd((__m128d)no, (__m128d)yes, (__m128d)mask);\n"
    "#else\n"
    "  return (real)((mask & (@_bits)yes) | (~mask & (@_bits)no));\n"
    "#endif\n}\n\n";

// Correctly rounded in any form; compilers test each lane for a sign, because libm's tells of
// errors.
#define ROOT                                                              \
  "real x) {\n"                                                           \
  "#if defined(__AVX512F__) && LANES == 8\n"                              \
  "  return (real)_mm512_sqrt_pd((__m512d)x);\n"                          \
  "#elif defined(__AVX__) && LANES == 4\n"                                \
  "  return (real)_mm256_sqrt_pd((__m256d)x);\n"                          \
  "#elif defined(__SSE2__) && LANES == 2\n"                               \
  "  return (real)_mm_sqrt_pd((__m128d)x);\n"                             \
  "#else\n"                                                               \
  "  for (int lane = 0; lane < LANES; lane++) x[lane] = sqrt(x[lane]);\n" \
  "  return x;\n"                                                         \
  "#endif\n}"

static const struct {
  SarOp op;
  const char* text;
} vectors[] = {
    {SAR_OP_LT, "real x, real y) { return @_truth((@_bits)(x < y)); }"},
    {SAR_OP_LE, "real x, real y) { return @_truth((@_bits)(x <= y)); }"},
    {SAR_OP_GT, "real x, real y) { return @_truth((@_bits)(x > y)); }"},
    {SAR_OP_GE, "real x, real y) { return @_truth((@_bits)(x >= y)); }"},
    {SAR_OP_EQ, "real x, real y) { return @_truth((@_bits)(x == y)); }"},
    {SAR_OP_NE, "real x, real y) { return @_truth((@_bits)(x != y)); }"},
    {SAR_OP_AND, "real x, real y) { return @_truth((@_bits)(x != 0.0) & (@_bits)(y != 0.0)); }"},
    {SAR_OP_OR, "real x, real y) { return @_truth((@_bits)(x != 0.0) | (@_bits)(y != 0.0)); }"},
    {SAR_OP_NOT, "real x) { return @_truth((@_bits)(x == 0.0)); }"},
    {SAR_OP_SELECT, "real c, real x, real y) { return @_pick((@_bits)(c != 0.0), x, y); }"},
    {SAR_OP_SQRT, ROOT},
    {SAR_OP_ABS, "real x) { return (real)((@_bits)x & UINT64_C(0x7fffffffffffffff)); }"},
    {SAR_OP_SIGN,
     "real x) {\n  return @_pick((@_bits)(x > 0.0), @_all(1.0), @_pick((@_bits)(x < 0.0), "
     "@_all(-1.0), x));\n}"},
    {SAR_OP_MIN,
     "real x, real y) {\n  return @_pick((@_bits)(x < y), x, @_pick((@_bits)(y <= x), y, x + y));"
     "\n}"},
    {SAR_OP_MAX,
     "real x, real y) {\n  return @_pick((@_bits)(x > y), x, @_pick((@_bits)(y >= x), y, x + y));"
     "\n}"},
};

// ---- sine and cosine ----------------------------------------------------------------------------

// As the scalar ones: an angle that is far is libm's.
static const char sincos_far_text[] =
    "#if defined(__GNUC__)\n__attribute__((noinline, cold))\n#endif\n"
    "static void @_sincos_far(int n, const real* x, real* s, real* c) {\n"
    "  for (int i = 0; i < n; i++)\n"
    "    for (int lane = 0; lane < LANES; lane++)\n"
    "      if (!(fabs(x[i][lane]) <= 1.6e6))\n"
    "        s[i][lane] = sin(x[i][lane]), c[i][lane] = cos(x[i][lane]);\n"
    "}\n\n";

// A loop across the end of a page takes up to three times as long on an AMD Zen 5: its function
// stays by itself, on one page.
static const char sincos_text[] =
    "__attribute__((noinline, aligned(1024))) static void @_sincos(int n, const real* restrict x, "
    "real* restrict s, real* restrict c) {\n"
    "  @_bits near = ~(@_bits){0};\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    near &= (@_bits)(x[i] <= 1.6e6) & (@_bits)(x[i] >= -1.6e6);\n"
    "    @_sincos_near(x[i], &s[i], &c[i]);\n"
    "  }\n"
    "  if (@_which(~near)) @_sincos_far(n, x, s, c);\n"
    "}\n\n";

// Calls of libm stay in one function apart: inlined, they would make the code around each angle
// longer than the cache of instructions is wide.
static const char sincos_one_text[] =
    "INLINE void @_sincos_one(real x, real* s, real* c) {\n"
    "  const @_bits near = (@_bits)(x <= 1.6e6) & (@_bits)(x >= -1.6e6);\n"
    "  @_sincos_near(x, s, c);\n"
    "  if (@_which(~near)) {\n"
    "    real angle = x, sine = *s, cosine = *c;\n"
    "    @_sincos_far(1, &angle, &sine, &cosine);\n"
    "    *s = sine, *c = cosine;\n"
    "  }\n"
    "}\n\n";

// ---- lane by lane -------------------------------------------------------------------------------

static const char table_text[] =
    "INLINE real @_%s(const double* p, int n, real x) {\n"
    "  for (int lane = 0; lane < LANES; lane++) x[lane] = %s_%s(p, n, x[lane]);\n"
    "  return x;\n}\n\n";

// As those of one instance: the other side of a branch is computed where a lane takes it, and each
// takes its own.
static const char any_text[] = "INLINE int @_any(@_bits mask) { return @_which(mask) != 0; }\n\n";

static const char root_text[] = "INLINE real @_root(" ROOT "\n\n";

static const char turns_text[] =
    "static void @_turn(const real* q0, const real* xi, real* q) {\n"
    "  const real t2 = xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2], z = 0.25 * t2, y = z * z;\n"
    "  real s = 0.5 - z * (1.0 / 12) + y * (1.0 / 240 - z * (1.0 / 10080) + y * (1.0 / 725760));\n"
    "  real c = 1.0 - z * 0.5 + y * (1.0 / 24 - z * (1.0 / 720) + y * (1.0 / 40320));\n"
    "  if (@_any((@_bits)(t2 > 0.01))) {\n"
    "    const real half = 0.5 * @_root(t2);\n"
    "    real far_s, far_c;\n"
    "    @_sincos_one(half, &far_s, &far_c);\n"
    "    s = @_pick((@_bits)(t2 > 0.01), 0.5 * far_s / half, s);\n"
    "    c = @_pick((@_bits)(t2 > 0.01), far_c, c);\n"
    "  }\n"
    "  const real a[4] = {q0[0], q0[1], q0[2], q0[3]};\n"
    "  const real n2 = (a[0] * a[0] + a[1] * a[1]) + (a[2] * a[2] + a[3] * a[3]), off = n2 - 1.0;\n"
    "  const @_bits away = ~((@_bits)(off < 1e-8) & (@_bits)(off > -1e-8));\n"
    "  real n = 1.5 - 0.5 * n2;\n"
    "  if (@_any(away)) n = @_pick(away, 1.0 / @_root(n2), n);\n"
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
    "  real k = 1.0 / 12 + t2 * (1.0 / 720 + t2 * (1.0 / 30240 + t2 / 1209600.0));\n"
    "  if (@_any((@_bits)(t2 >= 0.01))) {\n"
    "    const real half = 0.5 * @_root(t2);\n"
    "    real s, c;\n"
    "    @_sincos_one(half, &s, &c);\n"
    "    k = @_pick((@_bits)(t2 >= 0.01), (1.0 - half * c / s) / t2, k);\n"
    "  }\n"
    "  const real a[3] = {xi[1] * w[2] - xi[2] * w[1], xi[2] * w[0] - xi[0] * w[2],\n"
    "                     xi[0] * w[1] - xi[1] * w[0]};\n"
    "  const real b[3] = {xi[1] * a[2] - xi[2] * a[1], xi[2] * a[0] - xi[0] * a[2],\n"
    "                     xi[0] * a[1] - xi[1] * a[0]};\n"
    "  for (int i = 0; i < 3; i++) rate[i] = w[i] + (0.5 * a[i] + k * b[i]);\n"
    "}\n\n";

static void write_tables(SarWriter* w, const char* one, const SarRuntime* uses) {
  static const struct {
    SarOp op;
    const char* name;
  } tables[] = {{SAR_OP_TABLE, "table"},
                {SAR_OP_SLOPE, "table_slope"},
                {SAR_OP_SPLINE, "spline"},
                {SAR_OP_SPLINE_SLOPE, "spline_slope"}};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (uses->op[tables[i].op]) sar_write(w, table_text, tables[i].name, one, tables[i].name);
}

// "atan2(x, y)" of each lane
static void write_by_lane(SarWriter* w, SarOp op) {
  const bool two = sar_op_arity(op) == 2;
  sar_write(w,
            "static inline double @_one_%s(double x%s) { return %s; }\n"
            "INLINE real @_%s(real x%s) {\n"
            "  for (int lane = 0; lane < LANES; lane++) x[lane] = @_one_%s(x[lane]%s);\n"
            "  return x;\n}\n\n",
            sar_op_name(op), two ? ", double y" : "", sar_op_c(op), sar_op_name(op),
            two ? ", real y" : "", sar_op_name(op), two ? ", y[lane]" : "");
}

static bool is_plain(SarOp op) {
  switch (op) {
    case SAR_OP_NUMBER:
    case SAR_OP_SYMBOL:
    case SAR_OP_NEG:
    case SAR_OP_ADD:
    case SAR_OP_SUB:
    case SAR_OP_MUL:
    case SAR_OP_DIV:
    case SAR_OP_SIN:
    case SAR_OP_COS:
    case SAR_OP_TABLE:
    case SAR_OP_SLOPE:
    case SAR_OP_SPLINE:
    case SAR_OP_SPLINE_SLOPE: return true;
    default: return false;
  }
}

static void write_operations(SarWriter* w, const SarRuntime* uses) {
  bool logic = uses->turns;
  if (logic) sar_write(w, "%s", logic_text);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    if (!uses->op[vectors[i].op]) continue;
    const bool needs = vectors[i].op != SAR_OP_ABS && vectors[i].op != SAR_OP_SQRT;
    if (!logic && needs) sar_write(w, "%s", logic_text);
    logic = logic || needs;
    sar_write(w, "INLINE real @_%s(%s\n\n", sar_lanes_function(vectors[i].op), vectors[i].text);
  }
  for (int op = 0; op < SAR_OP_COUNT; op++) {
    bool vector = is_plain((SarOp)op) || !uses->op[op];
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
      vector = vector || (int)vectors[i].op == op;
    if (!vector) write_by_lane(w, (SarOp)op);
  }
}

// ---- the whole ----------------------------------------------------------------------------------

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void sar_lanes_replace(SarWriter* to, const SarWriter* from, const char* word, const char* by) {
  if (from->text.count == 0) return;
  const char *at = from->text.items, *end = at + from->text.count, *begin = at;
  const size_t n = strlen(word);
  while (at < end) {
    const size_t left = (size_t)(end - at);
    const bool found = left >= n && strncmp(at, word, n) == 0 &&
                       (at == begin || !is_letter(at[-1])) && (left == n || !is_letter(at[n]));
    if (found)
      sar_write(to, "%s", by);
    else
      sar_write(to, "%c", *at);
    at += found ? n : 1;
  }
}

void sar_lanes_runtime(SarWriter* w, const char* prefix, const char* one, int lanes,
                       const SarRuntime* uses) {
  SarWriter near = {.arena = w->arena}, raw = near, counted = near, named = near;
  sar_write(&raw,
            "#if defined(__SSE2__)\n#include <immintrin.h>\n#endif\n"
            "typedef uint64_t @_bits __attribute__((vector_size(%d)));\n"
            "// vectors are passed between functions only where these become part of each other\n"
            "#define INLINE __attribute__((always_inline, unused)) static inline\n\n"
            "INLINE real @_all(double x) { return (real){",  // one instruction, which a loop is not
            8 * lanes);
  for (int lane = 0; lane < lanes; lane++) sar_write(&raw, "%sx", lane ? ", " : "");
  sar_write(&raw, "}; }\n\n%s", which_text);
  const bool one_angle = uses->sincos_one || uses->turns;
  if (uses->sincos || one_angle || uses->sincos_near) {
    char bits[160];
    sar_runtime_sincos(&near, prefix);
    sar_snprintf(bits, sizeof bits, "%.140s_bits", prefix);
    sar_lanes_replace(&counted, &near, "uint64_t", bits);
    sar_lanes_replace(&named, &counted, "static", "INLINE");
    sar_lanes_replace(&raw, &named, "inline", "");
    counted = named = (SarWriter){.arena = w->arena};
  }
  if (uses->sincos || one_angle) sar_write(&raw, "%s", sincos_far_text);
  if (uses->sincos) sar_write(&raw, "%s", sincos_text);
  if (one_angle) sar_write(&raw, "%s", sincos_one_text);
  write_operations(&raw, uses);
  write_tables(&raw, one, uses);
  if (uses->turns) sar_write(&raw, "%s%s%s", any_text, root_text, turns_text);
  if (uses->turn_rates) sar_write(&raw, "%s", turn_rate_text);
  char text[160];
  sar_snprintf(text, sizeof text, "%d", lanes);
  sar_lanes_replace(&counted, &raw, "LANES", text);
  if (!w->arena->failed)
    sar_runtime_text(w, prefix,
                     sar_arena_strndup(w->arena, counted.text.items, (size_t)counted.text.count));
}
