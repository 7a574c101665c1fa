// Expressions of a similar twin: every quantity they measure is replaced by the expression that
// gives it in the units and axes of the model.
#include "support/twins/similar.h"
#include "support/twins/walk.h"

#include <stdio.h>
#include <string.h>

typedef struct Local {
  const char* name;
  const SarExpr* expr;
} Local;

static const SarExpr* local(void* context, const char* name) {
  const Local* l = context;
  return strcmp(name, l->name) == 0 ? l->expr : NULL;
}

static const SarExpr* parsed(SimilarJob* s, const char* text) {
  return sar_expr_parse(&s->spec->arena, text, strlen(text), (SarLoc){s->spec->file, 1, 1}, NULL);
}

void similar_local(SimilarJob* s, SpecNum* n, const char* name, double k) {
  char text[128];
  snprintf(text, sizeof text, "%s / (%.17g)", name, k);
  Local l = {name, parsed(s, text)};
  if (n->expr) n->expr = twin_replace(s->spec, n->expr, local, &l);
}

// Component i of A' (x' - b) / k, with x' the three names OWNER.PREFIXx, y, z.
static const SarExpr* component(SimilarJob* s, const char* owner, const char* prefix, int i, M3 A,
                                V3 b, double k) {
  const V3 c = i == 0 ? m3_col_x(A) : i == 1 ? m3_col_y(A) : m3_col_z(A);
  char text[1024];
  snprintf(text, sizeof text,
           "((%.17g) * '%s'.%sx + (%.17g) * '%s'.%sy + (%.17g) * '%s'.%sz - (%.17g)) / (%.17g)",
           c.x, owner, prefix, c.y, owner, prefix, c.z, owner, prefix, v3_dot(c, b), k);
  return parsed(s, text);
}

static int suffix_index(const char* const* suffixes, int n, const char* suffix) {
  for (int i = 0; i < n; i++)
    if (strcmp(suffixes[i], suffix) == 0) return i;
  return -1;
}

static const SarExpr* of_joint(SimilarJob* s, const SpecJoint* p, const char* name,
                               const char* suffix) {
  const SarJointKind* kind = p->kind;
  int i = suffix_index(kind->q_suffix, kind->nq, suffix);
  char text[400];
  double k = 1;
  if (i >= 0 && kind->nq > kind->nv && i >= kind->nq - 4)
    k = i == kind->nq - 4 ? 1 : similar_coordinate(s, p, i - 1);
  else if (i >= 0)
    k = similar_coordinate(s, p, i);
  else if ((i = suffix_index(kind->v_suffix, kind->nv, suffix)) >= 0)
    k = similar_coordinate(s, p, i) / s->x->time;
  else
    return NULL;
  snprintf(text, sizeof text, "'%s' / (%.17g)", name, k);
  return parsed(s, text);
}

// x y z, vx vy vz, wx wy wz of a body or a point; quaternions only where axes stay as they are.
static const SarExpr* of_body(SimilarJob* s, const char* owner, const char* suffix) {
  const Similarity* x = s->x;
  const char axis = suffix[strlen(suffix) - 1];
  const int i = axis - 'x';
  if (suffix[0] == 'q' && suffix[1] != '\0') {
    char text[400];
    if (s->job->twin->kind == TWIN_TURNED) {
      twin_refuse(s->job, "quaternion of '%s' in an expression", owner);
      return NULL;
    }
    snprintf(text, sizeof text, "(%g) * '%s'.%s", axis == 'x' || axis == 'z' ? s->handed : 1.0,
             owner, suffix);
    return parsed(s, text);
  }
  if (i < 0 || i > 2) return NULL;
  if (suffix[1] == '\0') return component(s, owner, "", i, x->Q, x->shift, x->length);
  if (suffix[0] == 'p') return component(s, owner, "p", i, x->Q, x->shift, x->length);
  if (suffix[0] == 'v') return component(s, owner, "v", i, x->Q, v3_zero(), x->length / x->time);
  if (suffix[0] == 'w') return component(s, owner, "w", i, x->Q, v3_zero(), s->handed / x->time);
  return NULL;
}

static const SarExpr* measured(void* context, const char* name) {
  SimilarJob* s = context;
  char owner[256];
  const char* dot = strrchr(name, '.');
  if (strcmp(name, "t") == 0) {
    char text[64];
    snprintf(text, sizeof text, "t / (%.17g)", s->x->time);
    return s->x->time == 1 ? NULL : parsed(s, text);
  }
  if (!dot || (size_t)(dot - name) >= sizeof owner) return NULL;
  memcpy(owner, name, (size_t)(dot - name));
  owner[dot - name] = '\0';
  const SpecJoint* p = twin_find_joint(s->spec, owner);
  const bool point = strchr(owner, '.') || twin_find_body(s->spec, owner);
  const SarExpr* e = point ? of_body(s, owner, dot + 1) : NULL;
  if (!e && p) e = of_joint(s, p, name, dot + 1);
  if (!e) twin_refuse(s->job, "'%s' in an expression", name);
  return e;
}

static void number(void* context, SpecNum* n, const char* const* locals) {
  SimilarJob* s = context;
  (void)locals;
  if (sar_expr_is_number(n->expr, NULL)) return;
  if (s->x->time != 1 && sar_expr_find_block(n->expr))
    twin_refuse(s->job, "filter, integral or pid in an expression");
  n->expr = twin_replace(s->spec, n->expr, measured, s);
}

void similar_expressions(SimilarJob* s) {
  spec_walk(s->spec, &(SpecWalk){.number = number, .context = s});
  if (s->spec->discrete.count > 0 && s->x->time != 1)
    twin_refuse(s->job, "signals that are sampled, in another unit of time");
  // states are numbers of their own: only their rates change, with the unit of time
  for (int i = 0; i < s->spec->states.count && s->x->time != 1; i++) {
    SpecNum* rate = &s->spec->states.items[i].rate.value;
    const SpecNum time = {sar_expr_number(&s->spec->arena, s->x->time), rate->loc};
    *rate = twin_combine(s->spec, "X / Y", *rate, time, time);
  }
}
