// Modal bodies: bars between the nodes, each to the nearest one that hangs together with the frame
// already (Prim's tree over the places at rest). Points that only carry mass are not shown.
#include "output/scene.h"

#include <ctype.h>
#include <string.h>

enum { MOST_NODES = 500 };  // more would be a cloud

typedef struct Net {
  int count;
  int body[MOST_NODES +
           1];            // of the tree; the first one is that of the modes, which carry the frame
  V3 at[MOST_NODES + 1];  // in the frame of the modal body
  double radius[MOST_NODES + 1];
} Net;

// NAME_mass1 ...: compile/modal.c, model/modal_lumps.c
static bool only_carries_mass(const SarModel* m, const SarModalNode* n) {
  const char* own = strrchr(sar_text(m, m->body_name[n->body]), '_');
  return own && strncmp(own, "_mass", 5) == 0 && isdigit((unsigned char)own[5]);
}

static void collect(const SarModel* m, int modal, Net* net) {
  net->count = 1;
  net->body[0] = m->modal[modal].last;
  net->at[0] = v3_zero();
  for (int k = 0; k < m->nnode && net->count <= MOST_NODES; k++) {
    const SarModalNode* n = &m->node[k];
    if (n->modal != modal || only_carries_mass(m, n)) continue;
    net->body[net->count] = n->body;
    net->at[net->count] = m->body_X_PF[n->body].p;
    net->radius[net->count++] = m->joint_param[n->body * SAR_JOINT_MAX_PARAM];
  }
}

// All in the colour of the body. A node where another one is has no bar of its own: a ball.
static void add_bar(SceneMaker* k, const Net* net, int holder, int from, int to) {
  const double radius = net->radius[to] > 0 ? net->radius[to] : 0.8 * k->s->unit;
  const bool apart = v3_norm(v3_sub(net->at[from], net->at[to])) > 0;
  SarPart* p = sar_scene_part(k, apart ? SAR_PART_LINK : SAR_PART_ELLIPSOID, SAR_ROLE_BODY,
                              sar_holder_name(k->s->m, holder));
  p->body[0] = net->body[to];
  p->body[1] = net->body[from];
  p->holder = holder;
  p->size[0] = p->size[1] = p->size[2] = radius;
}

static void add_modal(SceneMaker* k, int modal, Net* net) {
  double nearest[MOST_NODES + 1];
  int by[MOST_NODES + 1];
  bool done[MOST_NODES + 1] = {true};
  const int holder = k->s->m->body_holder[k->s->m->modal[modal].body];
  collect(k->s->m, modal, net);
  for (int i = 1; i < net->count; i++) nearest[i] = v3_norm(net->at[i]), by[i] = 0;
  for (int step = 1; step < net->count; step++) {
    int next = 0;
    for (int i = 1; i < net->count; i++)
      if (!done[i] && (next == 0 || nearest[i] < nearest[next])) next = i;
    done[next] = true;
    add_bar(k, net, holder, by[next], next);
    for (int i = 1; i < net->count; i++) {
      const double far = v3_norm(v3_sub(net->at[i], net->at[next]));
      if (!done[i] && far < nearest[i]) nearest[i] = far, by[i] = next;
    }
  }
}

void sar_scene_add_modals(SceneMaker* k) {
  Net net = {.count = 0};
  for (int g = 0; g < k->s->m->nmodal; g++) add_modal(k, g, &net);
}
