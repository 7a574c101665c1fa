// Force elements over symbols: what elements/forces/ applies, with the power that no potential
// holds. One function for each kind, found by name; kinds without one are refused.
#include "codegen/elements.h"

#include "codegen/gates.h"

// ---- on points and bodies -----------------------------------------------------------------------

enum { FRAME_BODY = 1 };

static void point_force(SarSymbols* s, int force) {
  const SarAttrValue* point = attr(s, force, "point");
  const SymV3 p_B = sv3_of(s->g, v3_load(numbers(s, point)));
  SymV3 f = vector(s, attr(s, force, "value"));
  if (attr(s, force, "frame")->index == FRAME_BODY) f = from_file_axes(s, point, f);
  add_force_at(s, point->index, p_B, f);
  if (s->tangents)
    sar_symbols_follow(
        s, force, attr(s, force, "value"),
        sar_symbols_tangent(s, force, sx_point(s->g, sar_symbols_pose(s, point->index), p_B)),
        v3_load(numbers(s, point)), false, attr(s, force, "frame")->index == FRAME_BODY);
  s->force_power[force] = sv3_dot(s->g, f, sar_symbols_point_velocity(s, point->index, p_B));
  set_outputs(s, force, (SarNode[]){f.x, f.y, f.z});
}

static void torque(SarSymbols* s, int force) {
  const SarAttrValue* body = attr(s, force, "body");
  SymV3 n = vector(s, attr(s, force, "value"));
  if (attr(s, force, "frame")->index == FRAME_BODY) n = from_file_axes(s, body, n);
  add_torque(s, body->index, n);
  if (s->tangents)
    sar_symbols_follow(s, force, attr(s, force, "value"),
                       sar_symbols_tangent(s, force, sar_symbols_pose(s, body->index).p), v3_zero(),
                       true, attr(s, force, "frame")->index == FRAME_BODY);
  s->force_power[force] = sv3_dot(s->g, n, sar_symbols_omega(s, body->index));
  set_outputs(s, force, (SarNode[]){n.x, n.y, n.z});
}

// Of what it holds the mass and its centre are constants of the attribute, see
// elements/forces/gravity_compensation.c.
static void gravity_compensation(SarSymbols* s, int force) {
  const SarAttrValue* body = attr(s, force, "body");
  const double *own = numbers(s, body), part = *numbers(s, attr(s, force, "fraction"));
  const SymV3 f = sv3_of(s->g, v3_scale(-part * own[0], s->m->gravity));
  add_force_at(s, body->index, sv3_of(s->g, v3_load(own + 1)), f);
  s->force_power[force] = s_num(s->g, 0);
  set_outputs(s, force, (SarNode[]){f.x, f.y, f.z});
}

// ---- the list -----------------------------------------------------------------------------------

static const struct {
  const char* name;
  void (*apply)(SarSymbols* s, int force);
} kinds[] = {
    {"spring_damper", sar_symbols_spring_damper},
    {"bump_stop", sar_symbols_bump_stop},
    {"force", point_force},
    {"torque", torque},
    {"gravity_compensation", gravity_compensation},
    {"joint_force", sar_symbols_joint_element},
    {"joint_spring", sar_symbols_joint_spring},
    {"backlash", sar_symbols_backlash},
    {"torsion", sar_symbols_torsion},
    {"bushing", sar_symbols_bushing},
    {"deformable_hinge", sar_symbols_deformable_hinge},
    {"tyre", sar_symbols_tyre},
};

static void apply_kind(SarSymbols* s, int force) {
  const char* name = s->m->force_kind[force]->name;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, name) == 0) {
      kinds[i].apply(s, force);
      return;
    }
  sar_symbols_refuse(s, "force '%s': a force of kind '%s' has no equations in symbols",
                     sar_text(s->m, s->m->force_name[force]), name);
}

// What one element adds, or does not while it is off.
static void apply_gated(SarSymbols* s, int force, SarNode on) {
  const SarModel* m = s->m;
  const SarForceKind* kind = m->force_kind[force];
  SymForce* F = SAR_ARENA_ARRAY(s->arena, SymForce, m->nbody + 1);
  SarNode* tau = SAR_ARENA_ARRAY(s->arena, SarNode, m->nv_all + 1);
  if (!F || !tau) return;
  for (int b = 0; b < m->nbody; b++) F[b] = s->F[b];
  for (int i = 0; i < m->nv_all; i++) tau[i] = s->tau[i];
  apply_kind(s, force);
  for (int b = 0; b < m->nbody; b++) {
    SarNode* now[] = {&s->F[b].n.x, &s->F[b].n.y, &s->F[b].n.z,
                      &s->F[b].f.x, &s->F[b].f.y, &s->F[b].f.z};
    const SarNode before[] = {F[b].n.x, F[b].n.y, F[b].n.z, F[b].f.x, F[b].f.y, F[b].f.z};
    for (int i = 0; i < 6; i++) *now[i] = sar_symbols_if_on(s, on, *now[i], before[i]);
  }
  for (int i = 0; i < m->nv_all; i++) s->tau[i] = sar_symbols_if_on(s, on, s->tau[i], tau[i]);
  const SarNode zero = s_num(s->g, 0);
  s->force_power[force] = sar_symbols_if_on(s, on, s->force_power[force], zero);
  for (int i = 0; i < kind->noutput; i++) {
    SarNode* out = &s->force_output[m->force_output_adr[force] + i];
    *out = sar_symbols_if_on(s, on, *out, zero);
  }
}

static void apply(SarSymbols* s, int force) {
  const SarNode on = s->force_on ? s->force_on[force] : SAR_NONE;
  if (on < 0)
    apply_kind(s, force);
  else
    apply_gated(s, force, on);
}

bool sar_symbols_know_force(const char* kind) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, kind) == 0) return true;
  return false;
}

void sar_symbols_elements(SarSymbols* s) {
  for (int i = 0; i < s->m->nforce; i++) apply(s, i);
}
