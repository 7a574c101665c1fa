// What `sarrus convert` writes, read by MuJoCo: accelerations of random trees, and of model files
// that are named, at random states beside ours. MuJoCo's constraints (limits, dry friction, loops)
// are off.
//
//   build/bench/convert_bench [MODEL ...]
#include <sarrus/sarrus.h>

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long long state = 88172645463325252ULL;
static double uniform(double low, double high) {  // xorshift64
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}
static int below(int n) { return (int)uniform(0, n); }

// ---- random trees ----------------------------------------------------------------------------

static void add_joint(FILE* f, int k, bool all) {
  static const char* const kinds[] = {"revolute", "prismatic", "spherical", "cylindrical",
                                      "planar",   "cartesian", "fixed"};
  const char* kind = kinds[below(all ? 7 : 2)];
  char parent[16] = "ground";
  if (k > 0) snprintf(parent, sizeof parent, "b%d", below(k));
  fprintf(f, "  j%d: {%s: [%s, b%d], at: [%.3f, %.3f, %.3f]", k, kind, parent, k, uniform(-1, 1),
          uniform(-1, 1), uniform(-1, 1));
  if (strcmp(kind, "spherical") && strcmp(kind, "cartesian") && strcmp(kind, "fixed"))
    fprintf(f, ", axis: [%.3f, %.3f, %.3f]", uniform(-1, 1), uniform(-1, 1), uniform(0.1, 1));
  if (strcmp(kind, "fixed")) fprintf(f, ", damping: %.3f", uniform(0, 0.5));
  if (all && (!strcmp(kind, "revolute") || !strcmp(kind, "prismatic")))
    fprintf(f, ", stiffness: %.3f, rest: 0.2, armature: 0.05", uniform(1, 20));
  fprintf(f, "}\n");
}

static void write_tree(const char* path, int n, bool all, bool full) {
  const double off = full ? 0.05 : 0;
  FILE* f = fopen(path, "w");
  fprintf(f, "sarrus: 1\nbodies:\n");
  for (int k = 0; k < n; k++)
    fprintf(f,
            "  b%d: {mass: %.3f, com: [%.3f, %.3f, %.3f], inertia: [0.3, 0.4, 0.5, %.3f, %.3f, "
            "%.3f]}\n",
            k, uniform(1, 3), uniform(-0.2, 0.2), uniform(-0.2, 0.2), uniform(-0.2, 0.2),
            uniform(-off, off), uniform(-off, off), uniform(-off, off));
  fprintf(f, "joints:\n");
  for (int k = 0; k < n; k++) add_joint(f, k, all);
  fclose(f);
}

// ---- one model -------------------------------------------------------------------------------

static char why[1000];

// Random positions and speeds in both; false: the two have other joints.
static bool set_state(const SarModel* m, SarData* d, const mjModel* mm, mjData* md) {
  for (int j = 0; j < sar_model_count(m, SAR_ITEM_JOINT); j++) {
    SarJointInfo info;
    sar_joint_info(m, j, &info);
    if (info.nv == 0) continue;
    const int other = mj_name2id(mm, mjOBJ_JOINT, info.name);
    if (other < 0) snprintf(why, sizeof why, "MuJoCo has no joint '%s'", info.name);
    if (other < 0) return false;
    double *q = sar_q(d) + info.qadr, *v = sar_v(d) + info.vadr, length = 0;
    for (int i = 0; i < info.nq; i++) q[i] = uniform(-1, 1);
    for (int i = info.nq - 4; info.nq > info.nv && i < info.nq; i++) length += q[i] * q[i];
    for (int i = info.nq - 4; info.nq > info.nv && i < info.nq; i++) q[i] /= sqrt(length);
    for (int i = 0; i < info.nv; i++) v[i] = uniform(-1, 1);
    memcpy(md->qpos + mm->jnt_qposadr[other], q, (size_t)info.nq * sizeof *q);
    memcpy(md->qvel + mm->jnt_dofadr[other], v, (size_t)info.nv * sizeof *v);
  }
  return true;
}

// Largest difference, by the largest acceleration; -1: not compared.
static double difference(const SarModel* m, SarData* d, const mjModel* mm, mjData* md) {
  double worst = 0, most = 1;
  if (!set_state(m, d, mm, md)) return -1;
  if (sar_forward_dynamics(d) != SAR_OK) return -1;
  mj_forward(mm, md);
  for (int j = 0; j < sar_model_count(m, SAR_ITEM_JOINT); j++) {
    SarJointInfo info;
    sar_joint_info(m, j, &info);
    const int other = info.nv ? mj_name2id(mm, mjOBJ_JOINT, info.name) : -1;
    for (int i = 0; i < info.nv; i++) {
      const double ours = sar_a(d)[info.vadr + i], theirs = md->qacc[mm->jnt_dofadr[other] + i];
      worst = fmax(worst, fabs(ours - theirs));
      most = fmax(most, fabs(ours));
    }
  }
  return worst / most;
}

static double compare(const char* path, const char* written, int states) {
  SarError err;
  SarConversion* c;
  SarModel* m;
  SarData* d;
  sar_error_init(&err);
  why[0] = '\0';
  double worst = -1;
  if (sar_convert(path, written, NULL, &c, &err) != SAR_OK) return -1;
  sar_conversion_write(c, written, true, &err);
  sar_conversion_free(c);
  mjModel* mm = mj_loadXML(written, NULL, why, sizeof why);
  if (mm && sar_model_load(written, NULL, &m, &err) == SAR_OK) {
    mm->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_WARMSTART;
    mm->opt.gravity[0] = mm->opt.gravity[1] = 0, mm->opt.gravity[2] = -9.81;
    mjData* md = mj_makeData(mm);
    if (sar_data_new(m, &d, NULL) == SAR_OK) {
      for (int i = 0; i < states && (i == 0 || worst >= 0); i++) {
        const double one = difference(m, d, mm, md);
        worst = one < 0 ? -1 : fmax(worst, one);
      }
      sar_data_free(d);
    }
    mj_deleteData(md);
    sar_model_free(m);
  }
  if (mm) mj_deleteModel(mm);
  return worst;
}

static void random_trees(const char* ending, bool all, bool full, int count) {
  char yaml[64], written[64];
  double worst = 0;
  int compared = 0;
  snprintf(yaml, sizeof yaml, "/tmp/sarrus-convert-%d.yaml", (int)getpid());
  snprintf(written, sizeof written, "/tmp/sarrus-convert-%d%s", (int)getpid(), ending);
  for (int i = 0; i < count; i++) {
    write_tree(yaml, 1 + below(20), all, full);
    const double one = compare(yaml, written, 5);
    if (one < 0) printf("  not compared: %s\n", why);
    compared += one >= 0;
    worst = fmax(worst, one);
  }
  printf("%s, %-26s %4d of %d trees, 5 states each: largest relative difference %.1e\n",
         strcmp(ending, ".xml") ? "URDF" : "MJCF", full ? "full inertias" : "diagonal inertias",
         compared, count, worst);
  unlink(yaml), unlink(written);
}

int main(int argc, char** argv) {
  char written[64];
  snprintf(written, sizeof written, "/tmp/sarrus-convert-%d.xml", (int)getpid());
  printf("accelerations of converted models, ours beside MuJoCo %s\n", mj_versionString());
  random_trees(".xml", true, true, 200);
  random_trees(".urdf", false, false, 200);
  random_trees(".urdf", false, true, 200);  // MuJoCo looks for the principal axes itself
  for (int i = 1; i < argc; i++) {
    const double one = compare(argv[i], written, 20);
    if (one < 0)
      printf("%-36s not compared: %s\n", argv[i], why);
    else
      printf("%-36s 20 states: largest relative difference %.1e\n", argv[i], one);
  }
  unlink(written);
  return 0;
}
