// The model's block and the questions one may ask of it.
//
// Header and arrays are one allocation; every array starts on a cache line, so that the hot ones
// never share a line with their neighbours.
#include "base/block.h"
#include "model/model.h"

#include "base/alloc.h"
#include "base/sized.h"

#include <string.h>

// Points the arrays into the block; their numbers are those of `m`.
static void lay_out(SarModel* m, SarBlock* b) {
#define X(type, field, n, columns, doc) SAR_PIECE(b, m->field, (size_t)m->n*(size_t)(columns));
  SAR_MODEL_ARRAYS(X)
#undef X
}

size_t sar_model_size(const SarModel* sizes) {
  SarModel m = *sizes;
  SarBlock b = sar_block(NULL, sizeof m);
  lay_out(&m, &b);
  return b.used;
}

SarModel* sar_model_new(const SarModel* sizes) {
  const size_t bytes = sar_model_size(sizes);
  SarModel* m = sar_alloc(bytes);
  if (!m) return NULL;
  *m = *sizes;
  m->bytes = bytes;
  SarBlock b = sar_block(m, sizeof *m);
  lay_out(m, &b);
  SAR_ASSERT(b.used == bytes);
  return m;
}

SAR_API void sar_model_free(SarModel* m) { sar_free(m); }

SAR_API int sar_model_nq(const SarModel* m) { return m ? m->nq : 0; }
SAR_API int sar_model_nv(const SarModel* m) { return m ? m->nv : 0; }
SAR_API int sar_model_nq_all(const SarModel* m) { return m ? m->nq_all : 0; }
SAR_API int sar_model_nv_all(const SarModel* m) { return m ? m->nv_all : 0; }

SAR_API int sar_model_count(const SarModel* m, SarItem kind) {
  if (!m) return 0;
  switch (kind) {
    case SAR_ITEM_BODY: return m->nbody + m->nfixed;
    case SAR_ITEM_JOINT: return m->nbody + m->nfixed + m->ncut;
    case SAR_ITEM_FORCE: return m->nforce;
    case SAR_ITEM_INPUT: return m->ninput;
    case SAR_ITEM_OUTPUT: return m->nchannel;
    case SAR_ITEM_POINT: return m->npoint;
    case SAR_ITEM_CONSTRAINT: return m->nconstraint;
    case SAR_ITEM_STATE: return m->nz;
    case SAR_ITEM_KEY: return m->nkey;
  }
  return 0;
}

static const char* joint_name(const SarModel* m, int item) {
  const int joint = sar_item_joint(m, item);
  return sar_text(
      m, joint == SAR_NO_JOINT ? m->fixed_joint_name[item - m->nbody] : m->joint_name[joint]);
}

SAR_API const char* sar_model_name(const SarModel* m, SarItem kind, int index) {
  if (index < 0 || index >= sar_model_count(m, kind)) return NULL;
  switch (kind) {
    case SAR_ITEM_BODY: return sar_holder_name(m, index);
    case SAR_ITEM_JOINT: return joint_name(m, index);
    case SAR_ITEM_FORCE: return sar_text(m, m->force_name[index]);
    case SAR_ITEM_INPUT: return sar_text(m, m->input_name[index]);
    case SAR_ITEM_OUTPUT: return sar_text(m, m->channel[index].name);
    case SAR_ITEM_POINT: return sar_text(m, m->point[index].name);
    case SAR_ITEM_CONSTRAINT: return sar_text(m, m->constraint[index].name);
    case SAR_ITEM_STATE: return sar_text(m, m->z_name[index]);
    case SAR_ITEM_KEY: return sar_text(m, m->key_name[index]);
  }
  return NULL;
}

SAR_API SarStatus sar_input_range(const SarModel* m, int input, double* least, double* most) {
  SAR_GIVEN(m && least && most && input >= 0 && input < m->ninput);
  *least = m->input_range[2 * input];
  *most = m->input_range[2 * input + 1];
  return SAR_OK;
}

SAR_API int sar_model_find(const SarModel* m, SarItem kind, const char* name) {
  if (!name) return -1;
  const int n = sar_model_count(m, kind);
  // a joint that the compiler adds for a free body has the body's name, and comes before those of
  // the file that close loops: the file's is meant
  const bool from_end = kind == SAR_ITEM_JOINT;
  for (int k = 0; k < n; k++) {
    const int i = from_end ? n - 1 - k : k;
    if (strcmp(sar_model_name(m, kind, i), name) == 0) return i;
  }
  return -1;
}

SAR_API SarStatus sar_model_info_sized(const SarModel* m, SarModelInfo* out, size_t size) {
  SAR_GIVEN(m && out);
  static const char* const PLANE[] = {"", "xy", "xz", "yz"};
  double mass = m->ground_inertia.m;
  for (int b = 0; b < m->nbody; b++) mass += m->body_inertia[b].m;
  const SarModelInfo info = {
      .name = sar_text(m, m->name),
      .absolute = m->absolute,
      .platforms = m->platforms,
      .plane = PLANE[m->planar],
      .mass = mass,
      .contact = m->ncollider > 0,
      .equations = m->nrow,
      .bytes = m->bytes,
      .memory_limit = m->memory_limit,
      .end = m->sim.end,
      .step = m->sim.step,
      .output_step = m->sim.output_step,
      .formulation = m->sim.formulation > 0 ? sar_text(m, m->sim.formulation) : NULL,
      .integrator = m->sim.integrator > 0 ? sar_text(m, m->sim.integrator) : NULL,
  };
  sar_give(out, size, &info, sizeof info);
  return SAR_OK;
}

SAR_API double sar_body_mass(const SarModel* m, int body) {
  if (!m || body < 0 || body >= m->nbody + m->nfixed) return 0;
  return body < m->nbody ? m->body_inertia[body].m : m->fixed_mass[body - m->nbody];
}

SAR_API SarStatus sar_constraint_info_sized(const SarModel* m, int constraint,
                                            SarConstraintInfo* out, size_t size) {
  SAR_GIVEN(m && out && constraint >= 0 && constraint < m->nconstraint);
  const SarConstraint* c = &m->constraint[constraint];
  const SarConstraintInfo info = {
      .name = sar_text(m, c->name),
      .kind = c->kind                     ? c->kind->name
              : c->source == SAR_FROM_CUT ? m->cut[c->index].kind->name
                                          : "mimic",
      .equations = c->rows,
      .identical = c->identical,
      .drive = c->drive,
  };
  sar_give(out, size, &info, sizeof info);
  return SAR_OK;
}

// One that fixes a body to another: it has no coordinates.
static SarJointInfo fixed_info(const SarModel* m, int i) {
  return (SarJointInfo){
      .name = sar_text(m, m->fixed_joint_name[i]),
      .kind = m->fixed_body[i] >= m->nbody ? "knot" : "fixed",
      .body = m->nbody + i,
      .parent = m->fixed_holder[i],
      .turned = m->fixed_turned[i] != 0,
      .role = SAR_JOINT_FIXED,
  };
}

static SarJointInfo moving_info(const SarModel* m, int joint) {
  const bool loop = joint >= m->nbody;
  const SarCut* cut = loop ? &m->cut[joint - m->nbody] : NULL;
  return (SarJointInfo){
      .name = sar_text(m, m->joint_name[joint]),
      .kind = m->joint_kind[joint]->name,
      .body = loop ? cut->holder[1] : joint,
      .parent = loop ? cut->holder[0] : m->body_holder[joint],
      .qadr = m->joint_qadr[joint],
      .nq = m->joint_nq[joint],
      .vadr = m->joint_vadr[joint],
      .nv = m->joint_nv[joint],
      .turned = !loop && m->joint_turned[joint] != 0,
      .role = loop ? SAR_JOINT_LOOP : SAR_JOINT_TREE,
  };
}

SAR_API SarStatus sar_joint_info_sized(const SarModel* m, int joint, SarJointInfo* out,
                                       size_t size) {
  SAR_GIVEN(m && out && sar_is_joint_item(m, joint));
  const int moving = sar_item_joint(m, joint);
  const SarJointInfo info =
      moving == SAR_NO_JOINT ? fixed_info(m, joint - m->nbody) : moving_info(m, moving);
  sar_give(out, size, &info, sizeof info);
  return SAR_OK;
}

SAR_API SarStatus sar_joint_limits(const SarModel* m, int joint, double* lower, double* upper,
                                   double* speed, double* effort) {
  SAR_GIVEN(m && sar_is_joint_item(m, joint));
  const int moving = sar_item_joint(m, joint);
  for (int k = 0; moving != SAR_NO_JOINT && k < m->joint_nv[moving]; k++) {
    int d = m->joint_vadr[moving] + k;
    if (lower) lower[k] = m->dof_lower[d];
    if (upper) upper[k] = m->dof_upper[d];
    if (speed) speed[k] = m->dof_speed_limit[d];
    if (effort) effort[k] = m->dof_effort[d];
  }
  return SAR_OK;
}
