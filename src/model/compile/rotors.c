// Rotors of motors that a moving body carries (gyroscopic armature, SarRotor).
//
// The carrier is the file's parent or child of the joint, which may be either end in the tree. Its
// axis is fixed in the carrier: at zero position the joint frames of both ends coincide, and so e
// in that frame is e in the carrier.
#include "model/compile/parts.h"

// The joint's axis S in B: z, of which a rotor on the body sees the rotation.
static double turns_by(const SarModel* m, int joint, V3 g) {
  SarJointCalc calc;
  const double q = 0;
  m->joint_kind[joint]->calc(&m->joint_param[joint * SAR_JOINT_MAX_PARAM], &q, NULL, &calc);
  return v3_dot(calc.S[0].w, g);
}

static void add_rotor(Compile* c, const JointPart* p) {
  SarModel* m = &c->m;
  const bool child = p->spec->rotor->on.text && p->spec->rotor->on.text[0] == 'c';
  const int end = child ? 1 : 0, joint = p->number;
  const int carrier = p->body[end] < 0 ? GROUND : c->body[p->body[end]].tree;
  if (carrier < 0) return;  // it turns about an axis that stands still: armature alone
  const V3 e = m3_mul_v(m->joint_X_BF[2 * joint + end].R, p->rotor_axis);
  SarRotor* rotor = &m->rotor[m->nrotor++];
  *rotor = (SarRotor){.joint = joint, .on_body = carrier == joint, .g = v3_scale(p->rotor_spin, e)};
  if (rotor->on_body) rotor->twice = 2 * turns_by(m, joint, rotor->g);
  m->dof_armature[m->joint_vadr[joint]] += rotor->twice;
  // the algorithms know them in the general case only
  m->joint_class[joint] = SAR_CLASS_GENERAL;
  m->has_general = true;
  m->body_rotor[joint] = m->nrotor;
}

bool sar_compile_rotors(Compile* c) {
  SarModel* m = &c->m;
  int count = 0;
  for (int j = 0; j < c->njoint; j++) count += c->joint[j].spec && c->joint[j].rotor_spin != 0;
  m->nrotor = 0;
  if (count == 0) return true;
  m->rotor = SAR_ARENA_ARRAY(&c->arena, SarRotor, count);
  if (!m->rotor) return false;
  for (int b = 0; b < m->nbody; b++) {
    const JointPart* p = &c->joint[c->joint_of[b]];
    if (p->spec && p->rotor_spin != 0) add_rotor(c, p);
  }
  return true;
}
