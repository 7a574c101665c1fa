// The text of the driver of implicit steps (implicit.h): what formulations/implicit/hybrid.c,
// relative.c, dynamics/saddle.c and augmented.c do, as C that generated code brings along. '@'
// stands for the model's name.
#include "codegen/implicit.h"
#include "codegen/runtime.h"

static const char largest_text[] =
    "// The largest of n numbers; NaN is larger than all.\n"
    "static double @_largest(int n, const double* x, const double* over_unit) {\n"
    "  double most = 0;\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    const double size = fabs(x[i]) * over_unit[i];\n"
    "    if (!(size <= most)) most = size;\n"
    "  }\n"
    "  return most;\n"
    "}\n\n";

static const char rows_text[] =
    "// y = A x of rows with the entries A\n"
    "static void @_multiply(const double* A, const double* x, double* y) {\n"
    "  for (int k = 0; k < @_NROW; k++) {\n"
    "    y[k] = 0;\n"
    "    for (int e = @_row_adr[k]; e < @_row_adr[k + 1]; e++) y[k] += A[e] * x[@_row_dof[e]];\n"
    "  }\n"
    "}\n\n"
    "// x = -G^-1 Psi' w e, G as factored\n"
    "static void @_correct(const @_factor* f, const double* e, double* x) {\n"
    "  double b[@_NV] = {0};\n"
    "  for (int k = 0; k < @_NROW; k++)\n"
    "    for (int i = @_row_adr[k]; i < @_row_adr[k + 1]; i++) b[@_row_dof[i]] -= f->scaled[i] * "
    "e[k];\n"
    "  @_solve_of(f, b, x);\n"
    "}\n\n";

// dynamics/inertia_floor.c and weights of dynamics/augmented.c
static const char weights_text[] =
    "// What has no inertia counts as the heaviest of its kind, what is light a little more than "
    "it is.\n"
    "static void @_raise(double* inertia) {\n"
    "  double least = inertia[0], most = least, of_kind[2] = {0, 0};\n"
    "  for (int i = 1; i < @_NV; i++) {\n"
    "    least = inertia[i] < least ? inertia[i] : least;\n"
    "    most = inertia[i] > most ? inertia[i] : most;\n"
    "  }\n"
    "  if (least > 1e-5 * most) return;\n"
    "  for (int i = 0; i < @_NV; i++)\n"
    "    if (inertia[i] > of_kind[@_is_length[i]]) of_kind[@_is_length[i]] = inertia[i];\n"
    "  for (int i = 0; i < @_NV; i++) {\n"
    "    const double own = of_kind[@_is_length[i]], largest = own > 0 ? own : most > 0 ? most : "
    "1;\n"
    "    if (!(inertia[i] > 1e-12 * largest))\n"
    "      inertia[i] = largest;\n"
    "    else if (inertia[i] < 1e-5 * largest)\n"
    "      inertia[i] = 1e-5 * largest;\n"
    "  }\n"
    "}\n\n"
    "// w = 1e8 / (Psi diag(T)^-1 Psi'), less where a row is shorter than usual; then the factor.\n"
    "// 0: done; 1: some motion has neither inertia nor constraint.\n"
    "static int @_factorise(const @_found* x, @_factor* f) {\n"
    "  for (int i = 0; i < @_NV; i++) f->inertia[i] = x->T[@_diagonal[i]];\n"
    "  @_raise(f->inertia);\n"
    "  f->grip = 0;\n"
    "  for (int k = 0; k < @_NROW; k++) {\n"
    "    const double usual = @_row_size[k] * @_row_size[k];\n"
    "    double length = 0, sum = 0;\n"
    "    for (int e = @_row_adr[k]; e < @_row_adr[k + 1]; e++) {\n"
    "      length += x->Psi[e] * x->Psi[e];\n"
    "      sum += x->Psi[e] * x->Psi[e] / f->inertia[@_row_dof[e]];\n"
    "    }\n"
    "    const double full = sum > 0 ? 1e8 / sum : 0, w = length < usual ? full * (length / usual) "
    ": full;\n"
    "    f->weight[k] = w;\n"
    "    f->over_weight[k] = w > 0 ? 1 / w : 0;\n"
    "    if (w * sum > f->grip) f->grip = w * sum;\n"
    "    for (int e = @_row_adr[k]; e < @_row_adr[k + 1]; e++) f->scaled[e] = w * x->Psi[e];\n"
    "  }\n"
    "  @_factor_of(x, f);\n"
    "  int bad = 0;\n"
    "  for (int i = 0; i < @_NV; i++) bad |= !(f->inverse[i] > 0);\n"
    "  return bad;\n"
    "}\n\n";

// dynamics/saddle.c up to where it takes conjugate gradients
static const char saddle_text[] =
    "// G0 x + Psi' mu = b, Psi x = -e by passes of the multiplier iteration (Uzawa); x: b -> x.\n"
    "static int @_saddle(const @_factor* f, const double* e, double* x, double* mu) {\n"
    "  double b[@_NV], d[@_NV], c[@_NROW], y[@_NROW], open = 0, size = 0;\n"
    "  for (int i = 0; i < @_NV; i++) b[i] = x[i];\n"
    "  for (int k = 0; k < @_NROW; k++)\n"
    "    for (int i = @_row_adr[k]; i < @_row_adr[k + 1]; i++) b[@_row_dof[i]] -= f->scaled[i] * "
    "e[k];\n"
    "  @_solve_of(f, b, x);\n"
    "  @_multiply(f->scaled, x, y);\n"
    "  for (int k = 0; k < @_NROW; k++) {\n"
    "    mu[k] = 0;\n"
    "    c[k] = f->weight[k] > 0 ? y[k] * f->over_weight[k] + e[k] : 0;\n"
    "    open += f->weight[k] * c[k] * c[k];\n"
    "  }\n"
    "  for (int i = 0; i < @_NV; i++) size += x[i] * f->inertia[i] * x[i];\n"
    "  const double enough = 1e-4 * f->grip * @_SHORTEST * @_SHORTEST * size;\n"
    "  for (int pass = 0; pass < 6 && open > enough; pass++) {\n"
    "    const double was = open;\n"
    "    open = 0;\n"
    "    @_correct(f, c, d);\n"
    "    @_multiply(f->scaled, d, y);\n"
    "    for (int i = 0; i < @_NV; i++) x[i] += d[i];\n"
    "    for (int k = 0; k < @_NROW; k++) {\n"
    "      mu[k] += f->weight[k] * c[k];\n"
    "      c[k] += y[k] * f->over_weight[k];\n"
    "      open += f->weight[k] * c[k] * c[k];\n"
    "    }\n"
    "    if (!(open < 0.9 * was)) break;\n"
    "  }\n"
    "  const int end = open <= enough ? @_SOLVED : @_let_go(f, e, c, open, d, y);\n"
    "  for (int i = 0; i < @_NV && end == @_CLOSES; i++) x[i] = d[i];\n"
    "  for (int k = 0; k < @_NROW; k++)\n"
    "    mu[k] = end == @_CLOSES ? 0 : mu[k] + f->weight[k] * c[k];\n"
    "  return end;\n"
    "}\n\n";

// Next to a singular position the interpreter goes on by conjugate gradients.
static const char independent_text[] =
    "// No row follows from others: what passes do not close is held by a short lever.\n"
    "static int @_let_go(const @_factor* f, const double* e, const double* c, double open, double* "
    "way,"
    "\n                    double* y) {\n"
    "  (void)f, (void)e, (void)c, (void)open, (void)way, (void)y;\n"
    "  return @_GIVES_UP;\n"
    "}\n\n";

static const char redundant_text[] =
    "// Some rows follow from others. A combination of them that is zero wherever the loops are "
    "closed\n"
    "// has a lever as long as they are open, and must not be held; way: closes the loops.\n"
    "static int @_let_go(const @_factor* f, const double* e, const double* c, double open, double* "
    "way,"
    "\n                    double* y) {\n"
    "  double held = 0;\n"
    "  @_correct(f, c, way);\n"
    "  @_multiply(f->scaled, way, y);\n"
    "  for (int k = 0; k < @_NROW; k++) held -= c[k] * y[k];\n"
    "  @_correct(f, e, way);\n"
    "  const double trusted = 10 * @_largest(@_NV, way, @_over_unit);\n"
    "  const double lever = trusted > @_SHORTEST ? trusted : @_SHORTEST;\n"
    "  if (held > f->grip * lever * lever * open) return @_GIVES_UP;\n"
    "  return trusted > @_SHORTEST ? @_CLOSES : @_SOLVED;\n"
    "}\n\n";

static const char predict_text[] =
    "// Accelerations extrapolated by A0, 2 A0 - A1, 3 A0 - 3 A1 + A2.\n"
    "static double @_extrapolated(const @_memory* m, int order, int i) {\n"
    "  if (order == 0) return m->a[0][i];\n"
    "  if (order == 1) return 2 * m->a[0][i] - m->a[1][i];\n"
    "  return 3 * (m->a[0][i] - m->a[1][i]) + m->a[2][i];\n"
    "}\n\n"
    "// Which order would have come closest to a?\n"
    "static int @_best_order(const @_memory* m, const double* a) {\n"
    "  double least = INFINITY;\n"
    "  int best = 0;\n"
    "  for (int order = 0; order < m->known; order++) {\n"
    "    double off[@_NV];\n"
    "    for (int i = 0; i < @_NV; i++) off[i] = a[i] - @_extrapolated(m, order, i);\n"
    "    const double far = @_largest(@_NV, off, @_over_unit);\n"
    "    if (far < least) least = far, best = order;\n"
    "  }\n"
    "  return best;\n"
    "}\n\n";

// formulations/implicit/hybrid.c: begin, iterate
static const char iterate_text[] =
    "typedef struct @_progress {\n"
    "  double moved, before, rate;  // increments, and how they shrink\n"
    "  double share;                // of the accelerations: what an iteration may leave\n"
    "} @_progress;\n\n"
    "static int @_is_small(const @_progress* p, double error) {\n"
    "  return error <= @_TOLERANCE && error <= (p->share > 1e-13 ? p->share : 1e-13);\n"
    "}\n\n"
    "// By the last increment, or by the rate at which they shrink.\n"
    "static int @_has_converged(const @_progress* p) {\n"
    "  if (p->moved <= @_TOLERANCE && (p->moved > 0.3 * p->before || @_is_small(p, p->moved)))\n"
    "    return 1;\n"
    "  return p->rate < 1 && @_is_small(p, 10 * p->moved * p->rate / (1 - p->rate));\n"
    "}\n\n"
    "// One iteration of Newton's method: how it ended. @_GIVES_UP: singular, or not finite.\n"
    "static int @_improve(const @_state* s, const @_inputs* u, int fresh, double a_x, @_trial* "
    "in,\n"
    "                     @_found* at, @_factor* f, double* x, double* moved) {\n"
    "  double r[@_NV], mu[@_NROW + 1];\n"
    "  if (fresh) {\n"
    "    @_tangent_of(s, u, in, at);\n"
    "    if (@_factorise(at, f)) return @_GIVES_UP;\n"
    "  } else {\n"
    "    @_residual_of(s, u, in, at);\n"
    "  }\n"
    "  for (int i = 0; i < @_NV; i++) r[i] = at->r[i] / a_x;\n"
    "  const int end = @_saddle(f, at->Phi, r, mu);\n"
    "  for (int k = 0; k < @_NROW; k++) in->lambda[k] += a_x * mu[k];\n"
    "  for (int i = 0; i < @_NV; i++) x[i] += r[i];\n"
    "  *moved = @_largest(@_NV, r, @_over_unit);\n"
    "  return *moved < INFINITY ? end : @_GIVES_UP;\n"
    "}\n\n"
    "// x -> the end of the step.\n"
    "static int @_iterate(const @_state* s, const @_inputs* u, double h, @_memory* m, double* x,\n"
    "                     @_state* end, @_trial* in, @_found* at, @_factor* f) {\n"
    "  const double a_x = 1 / (0.25 * h * h);\n"
    "  @_progress p = {INFINITY, INFINITY, m->rate, 0};\n"
    "  int small = 0;\n"
    "  in->gain_K = 1 / a_x, in->gain_C = 0.5 * h * a_x / a_x;\n"
    "  for (int i = 0; i <= @_ITERATIONS; i++) {\n"
    "    @_move(s, x, end);\n"
    "    for (int k = 0; k < @_NV; k++) {\n"
    "      in->acc[k] = (x[k] - h * s->v[k] - 0.25 * h * h * m->a[0][k]) * a_x;\n"
    "      end->v[k] = s->v[k] + h * (0.5 * m->a[0][k] + 0.5 * in->acc[k]);\n"
    "    }\n"
    "    if (small && @_is_closed(end, u, in, at)) {\n"
    "      m->rate = p.rate;\n"
    "      return 0;\n"
    "    }\n"
    "    if (i == @_ITERATIONS) return 1;\n"
    "    p.before = p.moved;\n"
    "    const int fresh = i == 0 || !(p.rate <= 0.01);\n"
    "    const int how = @_improve(end, u, fresh, a_x, in, at, f, x, &p.moved);\n"
    "    if (how == @_GIVES_UP) return 1;\n"
    "    if (i > 0) p.rate = fmax(p.moved / p.before, 0x1p-52);\n"
    "    // off by more than the way of the step: the rate of the last one says nothing\n"
    "    const int astray = i == 0 && p.moved > @_TOLERANCE &&\n"
    "                       p.moved > @_largest(@_NV, x, @_over_unit);\n"
    "    if (how == @_CLOSES || astray) p.rate = 1;\n"
    "    p.share = 1e-5 * @_largest(@_NV, in->acc, @_over_unit) / a_x;\n"
    "    small = how == @_SOLVED && @_has_converged(&p);\n"
    "  }\n"
    "  return 1;\n"
    "}\n\n";

static const char closed_text[] =
    "static int @_is_closed(const @_state* s, const @_inputs* u, const @_trial* in, @_found* at) "
    "{\n"
    "  @_positions_of(s, u, in, at);\n"
    "  return @_largest(@_NROW, at->Phi, @_over_row_unit) <= @_TOLERANCE;\n"
    "}\n\n";

static const char open_tree_text[] =
    "static int @_factorise(const @_found* x, @_factor* f) {\n"
    "  int bad = 0;\n"
    "  @_factor_of(x, f);\n"
    "  for (int i = 0; i < @_NV; i++) bad |= !(f->inverse[i] > 0);\n"
    "  return bad;\n"
    "}\n\n"
    "enum { @_SOLVED, @_CLOSES, @_GIVES_UP };\n\n"
    "static int @_saddle(const @_factor* f, const double* e, double* x, double* mu) {\n"
    "  double b[@_NV];\n"
    "  (void)e, (void)mu;\n"
    "  for (int i = 0; i < @_NV; i++) b[i] = x[i];\n"
    "  @_solve_of(f, b, x);\n"
    "  return @_SOLVED;\n"
    "}\n\n"
    "static int @_is_closed(const @_state* s, const @_inputs* u, const @_trial* in, @_found* at) "
    "{\n"
    "  (void)s, (void)u, (void)in, (void)at;\n"
    "  return 1;\n"
    "}\n\n";

static const char project_text[] =
    "// Speeds and accelerations onto the constraints, by the factor of the step.\n"
    "static void @_project(@_state* s, const @_inputs* u, double h, @_trial* in, @_found* at,\n"
    "                      const @_factor* f) {\n"
    "  double e[@_NROW + 1], c[@_NROW + 1], d[@_NV];\n"
    "  const double fast = @_largest(@_NV, in->acc, @_over_unit);\n"
    "  const double speed = fmax(@_largest(@_NV, s->v, @_over_unit), h * fast);\n"
    "  @_multiply(at->Psi, s->v, e);\n"
    "  for (int k = 0; k < @_NROW; k++) e[k] += at->Phi_t[k];\n"
    "  for (int pass = 0; pass < 4; pass++) {\n"
    "    if (@_largest(@_NROW, e, @_over_row_unit) <= 1e-10 * speed) break;\n"
    "    @_correct(f, e, d);\n"
    "    for (int i = 0; i < @_NV; i++) s->v[i] += d[i];\n"
    "    @_multiply(at->Psi, d, c);\n"
    "    for (int k = 0; k < @_NROW; k++) e[k] += c[k];\n"
    "  }\n"
    "  @_gamma_of(s, u, in, at);\n"
    "  for (int pass = 0; pass < 2; pass++) {\n"
    "    @_multiply(at->Psi, in->acc, e);\n"
    "    for (int k = 0; k < @_NROW; k++) e[k] -= at->gamma[k];\n"
    "    if (@_largest(@_NROW, e, @_over_row_unit) <= 1e-10 * fast) break;\n"
    "    @_correct(f, e, d);\n"
    "    for (int i = 0; i < @_NV; i++) in->acc[i] += d[i];\n"
    "  }\n"
    "}\n\n";

static const char begin_text[] =
    "// Is the state the one that the last step left, and the inputs too?\n"
    "static int @_goes_on(const @_state* s, const @_inputs* u) {\n"
    "  const @_memory* m = &s->memory;\n"
    "  return m->known > 0 && m->t == s->t && memcmp(m->q, s->q, sizeof s->q) == 0 &&\n"
    "         memcmp(m->v, s->v, sizeof s->v) == 0 && memcmp(m->u, u, sizeof m->u) == 0;\n"
    "}\n\n"
    "// Accelerations and multipliers where the run begins, or goes on by steps of another "
    "length.\n"
    "static int @_begin(const @_state* s, const @_inputs* u, double h, double low, @_memory* m) {\n"
    "  *m = s->memory;\n"
    "  if (@_goes_on(s, u)) {\n"
    "    m->rate = pow(m->rate, 0.8);  // one that was not measured for a step is believed less\n"
    "    if (!(fabs(h - m->h) <= 1e-6 * h)) m->known = 1;\n"
    "  } else {\n"
    "    @_rates k;\n"
    "    @_state x = *s;\n"
    "    x.t = fmax(s->t, low);\n"
    "    if (@_accelerations(&x, u, &k)) return 1;\n"
    "    memcpy(m->a[0], k.a, sizeof k.a);\n";

static const char begin_end_text[] =
    "    m->rate = 1;\n"
    "    m->known = 1;\n"
    "  }\n"
    "  if (m->order >= m->known) m->order = m->known - 1;\n"
    "  return 0;\n"
    "}\n\n";

static const char whole_text[] =
    "int @_step(@_state* s, const @_inputs* u, double h) {\n"
    "  const double low = s->t, high = s->t + h;\n";

static const char stretch_text[] =
    "// A step between two kinks in time, evaluated after the first and before the second.\n"
    "static int @_stretch(@_state* s, const @_inputs* u, double h, double low, double high) {\n";

static const char step_text[] =
    "  @_state end = *s;\n"
    "  @_memory* m = &end.memory;\n"
    "  @_trial in;\n"
    "  @_found at;\n"
    "  @_factor f = {0};  // (compilers do not see that the first iteration fills it)\n"
    "  double x[@_NV], sum = 0;\n"
    "  if (@_begin(s, u, h, low, m)) return 1;\n"
    "  end.t = fmin(s->t + h, high);\n"
    "  for (int i = 0; i < @_NV; i++) {\n"
    "    const double a = 0.25 * m->a[0][i] + 0.25 * @_extrapolated(m, m->order, i);\n"
    "    x[i] = h * (s->v[i] + h * a);\n"
    "  }\n"
    "  // accelerations that turn round in every step lead nowhere: velocities are all that is "
    "known\n"
    "  if (@_largest(@_NV, x, @_over_unit) > 10 * h * @_largest(@_NV, s->v, @_over_unit))\n"
    "    for (int i = 0; i < @_NV; i++) x[i] = h * s->v[i];\n"
    "  for (int k = 0; k < @_NROW; k++) in.lambda[k] = m->lambda[k];\n"
    "  if (@_iterate(s, u, h, m, x, &end, &in, &at, &f)) return 1;\n";

static const char step_end_text[] =
    "  for (int i = 0; i < @_NV; i++) sum += (end.v[i] + in.acc[i]) * 0;\n"
    "  if (!(sum == 0)) return 1;\n"
    "  m->order = @_best_order(m, in.acc);\n"
    "  m->h = h;\n"
    "  if (m->known < 3) m->known++;\n"
    "  memcpy(m->a[2], m->a[1], sizeof m->a[1]);\n"
    "  memcpy(m->a[1], m->a[0], sizeof m->a[0]);\n"
    "  memcpy(m->a[0], in.acc, sizeof in.acc);\n"
    "  for (int k = 0; k < @_NROW; k++) m->lambda[k] = in.lambda[k];\n"
    "  m->t = end.t = s->t + h;\n"
    "  memcpy(m->q, end.q, sizeof end.q);\n"
    "  memcpy(m->v, end.v, sizeof end.v);\n"
    "  memcpy(m->u, u, sizeof m->u);\n"
    "  *s = end;\n"
    "  return 0;\n"
    "}\n\n";

// Rows of constraints, or a tree without them.
static void write_solution(SarWriter* w, const char* model, bool rows, bool redundant) {
  if (!rows) {
    sar_runtime_text(w, model, open_tree_text);
    return;
  }
  sar_runtime_text(w, model, rows_text);
  sar_runtime_text(w, model, weights_text);
  sar_runtime_text(w, model, "enum { @_SOLVED, @_CLOSES, @_GIVES_UP };\n\n");
  sar_runtime_text(w, model, redundant ? redundant_text : independent_text);
  sar_runtime_text(w, model, saddle_text);
  sar_runtime_text(w, model, closed_text);
  sar_runtime_text(w, model, project_text);
}

void sar_implicit_driver(SarWriter* w, const char* model, bool rows, bool redundant, bool lands) {
  sar_runtime_text(w, model, largest_text);
  write_solution(w, model, rows, redundant);
  sar_runtime_text(w, model, predict_text);
  sar_runtime_text(w, model, iterate_text);
  sar_runtime_text(w, model, begin_text);
  if (rows) sar_runtime_text(w, model, "    memcpy(m->lambda, k.lambda, sizeof k.lambda);\n");
  sar_runtime_text(w, model, begin_end_text);
  sar_runtime_text(w, model, lands ? stretch_text : whole_text);
  sar_runtime_text(w, model, step_text);
  if (rows) sar_runtime_text(w, model, "  @_project(&end, u, h, &in, &at, &f);\n");
  sar_runtime_text(w, model, step_end_text);
}
