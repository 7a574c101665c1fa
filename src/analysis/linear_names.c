// Names of a linearisation (linear_names.h): read from lists, and made for its states and inputs.
#include "analysis/linear_names.h"

#include "base/alloc.h"
#include "base/print.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

// ---- what is asked for --------------------------------------------------------------------------

// "joint.tau", "joint.tau2": a force on a coordinate of a joint.
static bool find_joint_force(const SarModel* m, const char* name, SarLinearInput* out) {
  char joint[SAR_LINEAR_NAME];
  const char* dot = strrchr(name, '.');
  int component = 1;
  if (!dot || dot - name >= SAR_LINEAR_NAME || strncmp(dot + 1, "tau", 3) != 0) return false;
  sar_snprintf(joint, sizeof joint, "%.*s", (int)(dot - name), name);
  const int item = sar_model_find(m, SAR_ITEM_JOINT, joint);
  const int j = item < 0 ? SAR_NO_JOINT : sar_item_joint(m, item);
  char left = 0;
  if (dot[4] && sscanf(dot + 4, "%d%c", &component, &left) != 1) return false;
  if (j < 0 || component < 1 || component > m->joint_nv[j]) return false;
  *out = (SarLinearInput){.input = -1, .joint = j, .component = component - 1};
  return true;
}

static void unknown(const SarModel* m, const char* what, SarItem kind, const char* name,
                    const char* otherwise, SarError* err) {
  char hint[256];
  const int count = sar_model_count(m, kind);
  const char** known = sar_alloc((size_t)(count + 1) * sizeof *known);
  hint[0] = 0;
  for (int i = 0; known && i < count; i++) known[i] = sar_model_name(m, kind, i);
  if (known) sar_text_suggest(hint, sizeof hint, name, known, count);
  sar_report(err, (SarLoc){0}, hint[0] ? hint : otherwise, "no %s '%s'", what, name);
  sar_free((void*)known);
}

bool sar_linear_choose_inputs(SarLinearNames* a, const SarModel* m, const char* list,
                              SarError* err) {
  char name[SAR_LINEAR_NAME];
  if (!list) {
    for (int i = 0; i < m->ninput && a->nu < SAR_LINEAR_MOST; i++)
      a->input[a->nu++] = (SarLinearInput){.input = i};
    return true;
  }
  for (const char* at = list; *at && a->nu < SAR_LINEAR_MOST;) {
    const size_t n = strcspn(at, ",");
    sar_snprintf(name, sizeof name, "%.*s", (int)n, at);
    SarLinearInput in = {.input = sar_model_find(m, SAR_ITEM_INPUT, name)};
    if (in.input < 0 && !find_joint_force(m, name, &in)) {
      unknown(m, "input", SAR_ITEM_INPUT, name,
              "an input of the file, or JOINT.tau: a force on a joint", err);
      return false;
    }
    a->input[a->nu++] = in;
    at += n + (at[n] == ',');
  }
  return true;
}

bool sar_linear_choose_outputs(SarLinearNames* a, const SarModel* m, const char* list,
                               SarError* err) {
  char name[SAR_LINEAR_NAME];
  if (!list) {
    for (int i = 0; i < m->nchannel; i++) {
      if (!sar_linear_knows(m, i))
        a->left_out++;
      else if (a->ny < SAR_LINEAR_MOST)
        a->column[a->ny++] = i;
    }
    return true;
  }
  for (const char* at = list; *at && a->ny < SAR_LINEAR_MOST;) {
    const size_t n = strcspn(at, ",");
    sar_snprintf(name, sizeof name, "%.*s", (int)n, at);
    const int column = sar_model_find(m, SAR_ITEM_OUTPUT, name);
    if (column < 0) {
      unknown(m, "column", SAR_ITEM_OUTPUT, name, "columns of the model's outputs", err);
      return false;
    }
    if (!sar_linear_knows(m, column)) {
      sar_report(err, (SarLoc){0},
                 "positions, speeds, accelerations, forces of elements, states and values are",
                 "column '%s' is not differentiated", name);
      return false;
    }
    a->column[a->ny++] = column;
    at += n + (at[n] == ',');
  }
  return true;
}

// ---- names --------------------------------------------------------------------------------------

// "elbow.q", "car.rx": positions, rotations in space as rotation vectors
static void position_name(const SarModel* m, int dof, char* out) {
  static const char* const turn[] = {"rx", "ry", "rz"};
  const int j = m->dof_body[dof], k = dof - m->joint_vadr[j];
  const bool plain = m->joint_nq[j] == m->joint_nv[j] || k < m->joint_nv[j] - 3;
  const char* suffix = plain ? m->joint_kind[j]->q_suffix[k] : turn[k - m->joint_nv[j] + 3];
  sar_snprintf(out, SAR_LINEAR_NAME, "%.100s.%s", sar_text(m, m->joint_name[j]), suffix);
}

void sar_linear_state_name(const SarModel* m, const SarLinear* l, int i, char* out) {
  if (i < l->nq) {
    position_name(m, l->q[i], out);
  } else if (i < l->nq + l->nv) {
    const int dof = l->v[i - l->nq], j = m->dof_body[dof];
    sar_snprintf(out, SAR_LINEAR_NAME, "%.100s.%s", sar_text(m, m->joint_name[j]),
                 m->joint_kind[j]->v_suffix[dof - m->joint_vadr[j]]);
  } else {
    sar_snprintf(out, SAR_LINEAR_NAME, "%.120s", sar_text(m, m->z_name[i - l->nq - l->nv]));
  }
}

void sar_linear_input_name(const SarModel* m, const SarLinearInput* in, char* out) {
  if (in->input >= 0)
    sar_snprintf(out, SAR_LINEAR_NAME, "%.120s", sar_text(m, m->input_name[in->input]));
  else if (m->joint_nv[in->joint] == 1)
    sar_snprintf(out, SAR_LINEAR_NAME, "%.100s.tau", sar_text(m, m->joint_name[in->joint]));
  else
    sar_snprintf(out, SAR_LINEAR_NAME, "%.100s.tau%d", sar_text(m, m->joint_name[in->joint]),
                 in->component + 1);
}
