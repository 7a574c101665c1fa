// Closing loops over lanes, and accelerations by the embedding technique (lanes.h, close.c).
//
// A lane takes the way that the code of one instance takes. All are computed together; what differs
// is who takes the results: bits of `left` are lanes that are not done yet. Polynomials confirm
// their roots lane by lane, and Newton's method goes on until the last lane has ended, while those
// that have stay as they are.
#include "codegen/generate.h"

static int all_lanes(const SarGeneration* v) { return (1 << v->lanes) - 1; }

// NAME_WHAT(s, c, lanes): members of c that pass `takes` into s, of the lanes whose bits are set.
static void write_takes(const SarGeneration* v, SarWriter* w, const char* what, const char* member,
                        bool (*takes)(const SarGeneration* v, int dof)) {
  const char* l = v->o.name;
  const bool q = member[0] == 'q';
  sar_write(w,
            "static void %s_%s(%s_state* s, const %s_closed* c, int lanes) {\n"
            "  if (lanes == %d) {\n",
            l, what, l, l, all_lanes(v));
  for (int pass = 0; pass < 2; pass++) {
    const char* at = pass ? "[lane]" : "";
    for (int i = 0; i < v->m->nv; i++) {
      const int k = q ? sar_generation_q_of(v->m, i) : i;
      if (takes(v, i))
        sar_write(w, "    s->%s[%d]%s = c->%s[%d]%s;\n", member, k, at, member, k, at);
    }
    if (pass == 0)
      sar_write(w,
                "    return;\n  }\n  for (int lane = 0; lane < %d; lane++) {\n"
                "    if ((lanes >> lane & 1) == 0) continue;\n",
                v->lanes);
  }
  sar_write(w, "  }\n}\n\n");
}

static void write_positions(const SarGeneration* v, SarWriter* w) {
  const char* l = v->o.name;
  sar_write(w,
            "static void %s_positions(%s_state* s, const %s_state* x, int lanes) {\n"
            "  for (int i = 0; lanes == %d && i < %d; i++) s->q[i] = x->q[i];\n"
            "  for (int lane = 0; lanes != %d && lane < %d; lane++)\n"
            "    for (int i = 0; (lanes >> lane & 1) && i < %d; i++)\n"
            "      s->q[i][lane] = x->q[i][lane];\n}\n\n",
            l, l, l, all_lanes(v), v->m->nq, all_lanes(v), v->lanes, v->m->nq);
}

// Is the whole flow polynomials?
static bool is_alone(const SarGeneration* v) {
  return v->partition->flow->iterated + v->partition->flow->aimed == 0;
}

static void write_flow(const SarGeneration* v, SarWriter* w) {
  const char* l = v->o.name;
  sar_write(w,
            "  %s_flow_of(s, u, &c);\n"
            "  // roots near where the coordinates were, which the constraints confirm\n"
            "  const int sure = %s_which((%s_bits)(c.doubt <= %.1e));\n"
            "  %s_found(s, &c, sure);\n",
            l, l, l, sar_closing_doubt(false), l);
  if (is_alone(v)) sar_write(w, "  %s_speeds(s, &c, sure);\n  left &= ~sure;\n", l);
}

// Moved are those that are left and not flat.
static void write_newton(const SarGeneration* v, SarWriter* w) {
  const char* l = v->o.name;
  sar_write(w,
            "  for (int i = 0; left != 0 && i < %d; i++) {\n    %s_state x;\n"
            "    %s_newton_of(s, u, &c);\n"
            "    const int flat = %s_which(~(%s_bits)(c.flat > %g));\n"
            "    const int bad = %s_which(~(%s_bits)(c.size >= 0.0));\n"
            "    const %s_bits shallow = (%s_bits)(c.flat < 1.0);\n"
            "    int done = %s_which(~(((%s_bits)(c.size > %.1e * (c.flat * c.flat)) & shallow) |\n"
            "                          ((%s_bits)(c.size > %.1e) & ~shallow)));\n",
            SAR_CLOSE_ITERATIONS, l, l, l, l, SYM_BLOCK_FLAT, l, l, l, l, l, l,
            sar_newton_done(false), l, sar_newton_done(false));
  sar_write(w,
            "    failed |= left & flat;\n    left &= ~flat;\n    done &= left;\n"
            "    %s_move(s, c.move, &x);\n    %s_positions(s, &x, left);\n"
            "    %s_speeds(s, &c, done);\n    failed |= done & bad;\n    left &= ~done;\n  }\n",
            l, l, l);
}

void sar_lanes_close(const SarGeneration* v, SarWriter* w) {
  const char* l = v->o.name;
  if (sar_generation_has_polynomials(v)) write_takes(v, w, "found", "q", sar_generation_is_found);
  write_takes(v, w, "speeds", "v", sar_generation_depends);
  write_positions(v, w);
  sar_write(w,
            "int %s_close(%s_state* s, const %s_inputs* u) {\n  %s_closed c;\n"
            "  int left = %d, failed = 0;\n",
            l, l, l, l, all_lanes(v));
  if (sar_generation_has_polynomials(v)) write_flow(v, w);
  write_newton(v, w);
  sar_write(w, "  return failed | left;\n}\n\n");
}

// Lanes whose loops are open are closed aside; the others are evaluated again with what they were.
void sar_lanes_evaluation(const SarGeneration* v, SarWriter* w, const char* rates) {
  const char* l = v->o.name;
  const double open = sar_embedding_open(false);
  sar_write(w,
            "  %s_%s(s, u, &work);\n"
            "  const int opened = %s_which(~(%s_bits)(work.open <= %.1e));\n"
            "  if (opened != 0) {\n    %s_state x = *s, y = *s;\n"
            "    failed |= %s_close(&x, u) & opened;\n    %s_take(&y, &x, opened ^ %d);\n"
            "    %s_%s(&y, u, &work);\n  }\n"
            "  failed |= %s_which(~((%s_bits)(work.open <= %.1e) & (%s_bits)(work.flat > %g)));\n",
            l, rates, l, l, open, l, l, l, all_lanes(v), l, rates, l, l, open, l, SYM_BLOCK_FLAT);
}

void sar_lanes_push(const SarGeneration* v, SarWriter* w) {
  const SarModel* m = v->m;
  const char* l = v->o.name;
  sar_write(w,
            "// Accelerations of independent coordinates; those of others, which follow, are 0.\n"
            "static int %s_push(const %s_state* s, const %s_inputs* u, %s_rates* out) {\n"
            "  %s_work work;\n  int failed = 0;\n  real sum = {0};\n",
            l, l, l, l, l);
  sar_lanes_evaluation(v, w, "pushes_of");
  for (int i = 0; i < m->nv; i++) {
    if (!sar_generation_is_pushed(v, i))
      sar_write(w, "  out->a[%d] = %s_all(0.0);\n", i, l);
    else
      sar_write(w, "  out->a[%d] = work.rates.a[%d], sum += out->a[%d] * 0.0;\n", i, i, i);
  }
  for (int i = 0; i < m->nz; i++)
    sar_write(w, "  out->z_rate[%d] = work.rates.z_rate[%d], sum += out->z_rate[%d] * 0.0;\n", i, i,
              i);
  sar_write(w, "  return failed | %s_which(~(%s_bits)(sum == 0.0));\n}\n\n", l, l);
}
