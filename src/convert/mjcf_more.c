// What of MJCF stands behind the bodies: equality constraints for loops and couplings, motors for
// inputs, a keyframe for what bodies' places do not tell of the start.
#include "convert/mjcf_parts.h"

#include "expr/print.h"

#include <math.h>
#include <string.h>

static const char* body_name(const Convert* c, const Links* all, int body) {
  const char* name = body < 0 ? "world" : all->items[all->of_body[body]].name;
  (void)c;
  return body >= 0 && strcmp(name, "world") == 0 ? "world_" : name;
}

// ---- loops -----------------------------------------------------------------------------------

static void begin(Convert* c, bool* any) {
  if (!*any) sar_text_add(&c->out, "  <equality>\n");
  *any = true;
}

// MuJoCo wants a body that moves first; anchors are in its frame.
static void put_connect(Convert* c, const Links* all, const SarCut* k, int side, const char* name,
                        V3 p_F) {
  const Link* l = &all->items[all->of_body[k->body[side]]];
  const V3 p = x_point(x_mul(x_inv(l->X_BL), k->X_BF[side]), p_F);
  sar_text_add(&c->out, "    <connect");
  sar_xml_put(c, "name", name);
  sar_xml_put(c, "body1", body_name(c, all, k->body[side]));
  if (k->body[1 - side] >= 0) sar_xml_put(c, "body2", body_name(c, all, k->body[1 - side]));
  sar_xml_put_vec(c, "anchor", p);
  sar_text_add(&c->out, "/>\n");
}

static void put_cut(Convert* c, const Links* all, int cut, bool* any) {
  const SarCut* k = &c->model->cut[cut];
  const char* name = sar_text(c->model, k->name);
  const int side = k->body[1] >= 0 ? 1 : 0;
  const SarLoc loc = sar_joint_place(c, name);
  if (k->body[side] < 0) return;
  if (strcmp(k->kind->name, "spherical") == 0) {
    begin(c, any);
    put_connect(c, all, k, side, name, v3_zero());
  } else if (strcmp(k->kind->name, "revolute") == 0) {
    begin(c, any);
    put_connect(c, all, k, side, name, v3_zero());
    const char* second = sar_arena_printf(&c->arena, "%s_axis", name);
    if (second) put_connect(c, all, k, side, second, v3(0, 0, 0.1));
  } else if (strcmp(k->kind->name, "fixed") == 0) {
    begin(c, any);
    sar_text_add(&c->out, "    <weld");
    sar_xml_put(c, "name", name);
    sar_xml_put(c, "body1", body_name(c, all, k->body[side]));
    if (k->body[1 - side] >= 0) sar_xml_put(c, "body2", body_name(c, all, k->body[1 - side]));
    sar_text_add(&c->out, "/>\n");
  } else {
    sar_lose(c, loc, "joint '%s' (%s), which closes a loop", name, k->kind->name);
  }
  const int joint = sar_cut_joint(c->model, cut);
  if (c->model->joint_passive[joint])
    sar_lose(c, loc, "joint '%s': springs, dampers and forces, for it closes a loop", name);
}

static void put_law(Convert* c, const char* name, const char* of, const char* other, double a0,
                    double a1) {
  const double poly[5] = {a0, a1, 0, 0, 0};
  sar_text_add(&c->out, "    <joint");
  sar_xml_put(c, "name", name);
  sar_xml_put(c, "joint1", of);
  sar_xml_put(c, "joint2", other);
  sar_xml_put_numbers(c, "polycoef", poly, 5);
  sar_text_add(&c->out, "/>\n");
}

// y - y0 = a0 + a1 (x - x0), with y0 and x0 where the bodies are
static void put_coupling(Convert* c, const SarCoupling* k, const double* q, bool* any) {
  const SarModel* m = c->model;
  const char* name = sar_text(m, m->joint_name[k->joint]);
  if (k->joint >= m->nbody || k->other >= m->nbody) {
    sar_lose(c, sar_joint_place(c, name), "joint '%s' follows one that closes a loop", name);
    return;
  }
  const double y = q[m->joint_qadr[k->joint]], x = q[m->joint_qadr[k->other]];
  const char* law = sar_arena_printf(&c->arena, "%s_follows", name);
  begin(c, any);
  if (law)
    put_law(c, law, name, sar_text(m, m->joint_name[k->other]), k->offset - y + k->multiplier * x,
            k->multiplier);
}

static void put_followers(Convert* c, const Link* l, bool* any) {
  for (int i = 0; i < l->ndof; i++) {
    const LinkDof* d = &l->dof[i];
    if (d->follows < 0) continue;
    const char* law = sar_arena_printf(&c->arena, "%s_follows", d->name);
    begin(c, any);
    if (law) put_law(c, law, d->name, l->dof[d->follows].name, 0, d->ratio);
  }
}

void sar_mjcf_put_equality(Convert* c, const Links* all, const double* q) {
  bool any = false;
  for (int k = 0; k < c->model->ncut; k++) put_cut(c, all, k, &any);
  for (int i = 0; i < c->model->ncoupling; i++) put_coupling(c, &c->model->coupling[i], q, &any);
  for (int i = 0; i < all->count; i++) put_followers(c, &all->items[i], &any);
  if (any) sar_text_add(&c->out, "  </equality>\n");
}

// ---- actuators -------------------------------------------------------------------------------

static int input_named(const SarSpec* s, const char* name) {
  for (int i = 0; i < s->inputs.count; i++)
    if (strcmp(s->inputs.items[i].name.text, name) == 0) return i;
  return -1;
}

static bool is_written(const Links* all, const char* joint) {
  for (int i = 0; i < all->count; i++)
    for (int k = 0; k < all->items[i].ndof; k++)
      if (strcmp(all->items[i].dof[k].name, joint) == 0) return true;
  return false;
}

// The force of a joint that is an input times a number is a motor.
void sar_mjcf_put_actuators(Convert* c, const Links* all) {
  const SarSpec* s = c->spec;
  bool any = false;
  bool* used = SAR_ARENA_ARRAY(&c->arena, bool, s->inputs.count + 1);
  for (int i = 0; used && i < s->joints.count; i++) {
    const SpecJoint* j = &s->joints.items[i];
    const char* input = NULL;
    double gain = 0;
    if (!j->force.count) continue;
    const bool motor = j->force.count == 1 && j->kind->nv == 1 &&
                       sar_expr_is_input(j->force.c[0].expr, &input, &gain);
    const int number = motor ? input_named(s, input) : -1;
    if (number < 0 || used[number] || !is_written(all, j->name.text)) {
      sar_lose(c, j->force.loc, "joint '%s': its force", j->name.text);
      continue;
    }
    if (!any) sar_text_add(&c->out, "  <actuator>\n");
    any = used[number] = true;
    sar_text_add(&c->out, "    <motor");
    sar_xml_put(c, "name", input);
    sar_xml_put(c, "joint", j->name.text);
    sar_xml_put_number(c, "gear", gain);
    sar_text_add(&c->out, "/>\n");
  }
  if (any) sar_text_add(&c->out, "  </actuator>\n");
  for (int i = 0; used && i < s->inputs.count; i++)
    if (!used[i])
      sar_lose(c, s->inputs.items[i].name.loc, "input '%s'", s->inputs.items[i].name.text);
}

// ---- the start -------------------------------------------------------------------------------

// Of a free body: where its frame L is, and how fast; angular speeds in L.
static void put_free(Convert* c, const Link* l, const LinkDof* d, SarTextOut* qpos,
                     SarTextOut* qvel) {
  char text[SAR_NUMBER_TEXT];
  const Quat Q = quat_from_m3(l->X_PL.R);
  const double *v = &c->model->v0[d->dof], q[4] = {Q.w, Q.x, Q.y, Q.z};
  const M3 R_FL = l->X_PL.R;
  const V3 w = m3_tmul_v(l->X_BL.R, v3_load(v + 3)), r = m3_tmul_v(l->X_BL.R, l->X_BL.p);
  const V3 speed = v3_add(v3_load(v), m3_mul_v(R_FL, v3_cross(w, r)));
  double x[3], s[6];
  v3_store(x, l->X_PL.p);
  v3_store(s, speed);
  v3_store(s + 3, w);
  for (int i = 0; i < 3; i++) sar_text_addf(qpos, " %s", sar_number_text(text, x[i]));
  for (int i = 0; i < 4; i++) sar_text_addf(qpos, " %s", sar_number_text(text, q[i]));
  for (int i = 0; i < 6; i++) sar_text_addf(qvel, " %s", sar_number_text(text, s[i]));
}

// A ball: bodies stand where they are, so its turn counts from there; speeds in L.
static void put_ball(Convert* c, const Link* l, const LinkDof* d, SarTextOut* qpos,
                     SarTextOut* qvel) {
  char text[SAR_NUMBER_TEXT];
  double s[3];
  v3_store(s, m3_tmul_v(l->X_BL.R, v3_load(&c->model->v0[d->dof])));
  sar_text_add(qpos, " 1 0 0 0");
  for (int i = 0; i < 3; i++) sar_text_addf(qvel, " %s", sar_number_text(text, s[i]));
}

static void put_one(Convert* c, const LinkDof* d, SarTextOut* qpos, SarTextOut* qvel) {
  char text[SAR_NUMBER_TEXT];
  sar_text_addf(qpos, " %s", sar_number_text(text, d->ref));
  sar_text_addf(qvel, " %s", sar_number_text(text, d->dof < 0 ? 0 : c->model->v0[d->dof]));
}

void sar_mjcf_put_start(Convert* c, const Links* all) {
  const SarModel* m = c->model;
  SarTextOut qpos = {.arena = &c->arena}, qvel = {.arena = &c->arena};
  bool moves = false;
  for (int i = 0; i < m->nv; i++) moves = moves || m->v0[i] != 0;
  if (!moves) return;
  for (int i = 0; i < all->count; i++)
    for (int k = 0; k < all->items[i].ndof; k++) {
      const LinkDof* d = &all->items[i].dof[k];
      if (d->kind == DOF_FREE)
        put_free(c, &all->items[i], d, &qpos, &qvel);
      else if (d->kind == DOF_BALL)
        put_ball(c, &all->items[i], d, &qpos, &qvel);
      else
        put_one(c, d, &qpos, &qvel);
    }
  if (!qpos.text || !qvel.text) return;
  sar_text_add(&c->out, "  <keyframe>\n    <key name=\"start\"");
  sar_xml_put(c, "qpos", qpos.text + 1);
  sar_xml_put(c, "qvel", qvel.text + 1);
  sar_text_add(&c->out, "/>\n  </keyframe>\n");
}
