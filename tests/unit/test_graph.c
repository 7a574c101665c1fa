// Spanning trees: valid, of least weight, independent of the order of the input.
#include "support/test.h"

#include "model/graph.h"

enum { MOST = 64 };

typedef struct Graph {
  char body_text[MOST][16], joint_text[4 * MOST][16];
  const char* body[MOST];
  SarGraphJoint joint[4 * MOST];
  int nbody, njoint;
} Graph;

static void graph_init(Graph* g, int nbody) {
  memset(g, 0, sizeof *g);
  g->nbody = nbody;
  for (int b = 0; b < nbody; b++) {
    snprintf(g->body_text[b], sizeof g->body_text[b], "b%d", b);
    g->body[b] = g->body_text[b];
  }
}

static SarGraphJoint* join(Graph* g, int parent, int child, int freedoms) {
  int j = g->njoint++;
  snprintf(g->joint_text[j], sizeof g->joint_text[j], "j%d", j);
  g->joint[j] =
      (SarGraphJoint){.name = g->joint_text[j], .body = {parent, child}, .freedoms = freedoms};
  return &g->joint[j];
}

static SarTree tree_of(SarArena* a, const Graph* g) {
  SarTree t = {0};
  assert_true(sar_graph_tree(a, g->body, g->nbody, g->joint, g->njoint, &t));
  return t;
}

// Connected or not, with loops and parallel joints.
static void random_graph(Graph* g, Rng* r, int nbody, int njoint) {
  graph_init(g, nbody);
  for (int j = 0; j < njoint; j++) {
    int a = rng_int(r, nbody + 1) - 1, b = rng_int(r, nbody + 1) - 1;
    if (a == b) continue;
    SarGraphJoint* joint = join(g, a, b, rng_int(r, 7));
    joint->started = rng_int(r, 4) == 0;
    joint->needed = rng_int(r, 4) == 0;
  }
}

static void expect_valid(const Graph* g, const SarTree* t) {
  int seen[4 * MOST] = {0};
  for (int i = 0; i < g->nbody; i++) {
    assert_int_equal(t->number[t->body[i]], i);
    assert_true(t->parent[i] < i);
    int j = t->joint[i];
    if (j < 0) {
      assert_int_equal(t->parent[i], -1);
      continue;
    }
    seen[j]++;
    int inner = g->joint[j].body[t->turned[i] ? 1 : 0],
        outer = g->joint[j].body[t->turned[i] ? 0 : 1];
    assert_int_equal(outer, t->body[i]);
    assert_int_equal(inner < 0 ? -1 : t->number[inner], t->parent[i]);
  }
  for (int k = 0; k < t->ncut; k++) seen[t->cut[k]]++;
  for (int j = 0; j < g->njoint; j++) assert_int_equal(seen[j], 1);
  // depth first: the next body hangs on this one, or on one above it
  for (int i = 1; i < g->nbody; i++) {
    int a = i - 1;
    while (a >= 0 && a != t->parent[i]) a = t->parent[a];
    assert_int_equal(a, t->parent[i]);
  }
}

static void trees_are_valid(void** state) {
  (void)state;
  Rng r = rng_seed(1);
  for (int trial = 0; trial < test_effort(500); trial++) {
    Graph g;
    SarArena a;
    sar_arena_init(&a);
    random_graph(&g, &r, 1 + rng_int(&r, 40), rng_int(&r, 90));
    SarTree t = tree_of(&a, &g);
    expect_valid(&g, &t);
    sar_arena_free(&a);
  }
}

// ---- least weight ---------------------------------------------------------------------------

static int find(int* group, int x) {
  while (group[x] != x) x = group[x];
  return x;
}

// Kruskal: needed joints first, then those of few freedoms; the sum of both is the same for every
// spanning tree of least weight.
static void least_weight(const Graph* g, int* needed, int* freedoms) {
  int group[MOST + 1];
  *needed = *freedoms = 0;
  for (int b = 0; b <= g->nbody; b++) group[b] = b;
  for (int weight = 0; weight < 14; weight++)
    for (int j = 0; j < g->njoint; j++) {
      const SarGraphJoint* joint = &g->joint[j];
      if ((joint->needed ? 0 : 7) + joint->freedoms != weight) continue;
      int a = find(group, joint->body[0] + 1), b = find(group, joint->body[1] + 1);
      if (a == b) continue;
      group[a] = b;
      *needed += joint->needed;
      *freedoms += joint->freedoms;
    }
}

static void trees_have_the_least_weight(void** state) {
  (void)state;
  Rng r = rng_seed(2);
  for (int trial = 0; trial < test_effort(500); trial++) {
    Graph g;
    SarArena a;
    int needed, freedoms;
    sar_arena_init(&a);
    random_graph(&g, &r, 1 + rng_int(&r, 20), rng_int(&r, 60));
    SarTree t = tree_of(&a, &g);
    least_weight(&g, &needed, &freedoms);
    for (int i = 0; i < g.nbody; i++)
      if (t.joint[i] >= 0) {
        needed -= g.joint[t.joint[i]].needed;
        freedoms -= g.joint[t.joint[i]].freedoms;
      }
    assert_int_equal(needed, 0);
    assert_int_equal(freedoms, 0);
    sar_arena_free(&a);
  }
}

// ---- order ----------------------------------------------------------------------------------

static void shuffle(Graph* g, Rng* r, int* body_to) {
  Graph old = *g;
  int at[MOST];
  for (int b = 0; b < g->nbody; b++) at[b] = b;
  for (int b = g->nbody - 1; b > 0; b--) {
    int k = rng_int(r, b + 1), swap = at[b];
    at[b] = at[k], at[k] = swap;
  }
  for (int b = 0; b < g->nbody; b++) {
    body_to[b] = at[b];
    g->body[at[b]] = old.body[b];
  }
  for (int j = 0; j < g->njoint; j++)
    for (int k = 0; k < 2; k++)
      if (g->joint[j].body[k] >= 0) g->joint[j].body[k] = at[g->joint[j].body[k]];
  for (int j = g->njoint - 1; j > 0; j--) {
    int k = rng_int(r, j + 1);
    SarGraphJoint swap = g->joint[j];
    g->joint[j] = g->joint[k], g->joint[k] = swap;
  }
}

static void order_of_the_input_does_not_matter(void** state) {
  (void)state;
  Rng r = rng_seed(3);
  for (int trial = 0; trial < test_effort(500); trial++) {
    Graph g, h;
    SarArena a;
    int to[MOST];
    sar_arena_init(&a);
    random_graph(&g, &r, 1 + rng_int(&r, 30), rng_int(&r, 80));
    h = g;
    for (int b = 0; b < g.nbody; b++) h.body[b] = g.body[b];
    shuffle(&h, &r, to);
    SarTree t = tree_of(&a, &g), u = tree_of(&a, &h);
    for (int i = 0; i < g.nbody; i++) {
      assert_string_equal(g.body[t.body[i]], h.body[u.body[i]]);
      assert_int_equal(t.parent[i], u.parent[i]);
      assert_int_equal(t.turned[i], u.turned[i]);
      const char* want = t.joint[i] < 0 ? "" : g.joint[t.joint[i]].name;
      assert_string_equal(want, u.joint[i] < 0 ? "" : h.joint[u.joint[i]].name);
    }
    assert_int_equal(t.ncut, u.ncut);
    for (int k = 0; k < t.ncut; k++)
      assert_string_equal(g.joint[t.cut[k]].name, h.joint[u.cut[k]].name);
    sar_arena_free(&a);
  }
}

static void names_count_as_people_count(void** state) {
  (void)state;
  Graph g;
  SarArena a;
  sar_arena_init(&a);
  graph_init(&g, 12);
  for (int b = 0; b < 12; b++) join(&g, -1, 11 - b, 1);  // j0 carries b11, j10 carries b1
  SarTree t = tree_of(&a, &g);
  for (int i = 0; i < 12; i++) assert_int_equal(t.joint[i], i);  // j2 before j10
  sar_arena_free(&a);
}

// ---- choices --------------------------------------------------------------------------------

static void loops_are_cut_at_the_far_end(void** state) {
  (void)state;
  Graph g;
  SarArena a;
  sar_arena_init(&a);
  graph_init(&g, 3);  // a four-bar: both sides grow from ground, the last joint closes it
  join(&g, -1, 0, 1), join(&g, 0, 1, 1), join(&g, 1, 2, 1), join(&g, -1, 2, 1);
  SarTree t = tree_of(&a, &g);
  assert_int_equal(t.ncut, 1);
  assert_int_equal(t.cut[0], 2);
  // a ball joint in the loop is the one to cut, wherever it is
  g.joint[3].freedoms = 3;
  t = tree_of(&a, &g);
  assert_int_equal(t.cut[0], 3);
  // unless something depends on its coordinates
  g.joint[3].needed = true;
  t = tree_of(&a, &g);
  assert_int_equal(t.cut[0], 2);
  sar_arena_free(&a);
}

static void given_starts_stay_in_the_tree(void** state) {
  (void)state;
  Graph g;
  SarArena a;
  sar_arena_init(&a);
  graph_init(&g, 3);
  join(&g, -1, 0, 1), join(&g, 0, 1, 1), join(&g, 1, 2, 1)->started = true, join(&g, -1, 2, 1);
  SarTree t = tree_of(&a, &g);
  assert_int_equal(t.ncut, 1);
  assert_true(t.cut[0] != 2);
  sar_arena_free(&a);
}

static void one_way_joints_are_not_turned_if_that_can_be(void** state) {
  (void)state;
  Graph g;
  SarArena a;
  sar_arena_init(&a);
  graph_init(&g, 2);
  join(&g, 1, 0, 3)->one_way = true;  // b1 -> b0
  join(&g, -1, 0, 3), join(&g, -1, 1, 6);
  SarTree t = tree_of(&a, &g);  // without the rule: ground -> b0, then b0 -> b1 backwards
  for (int i = 0; i < 2; i++)
    if (t.joint[i] == 0) assert_false(t.turned[i]);
  g.njoint = 2;  // now there is no other way in
  t = tree_of(&a, &g);
  assert_true(t.turned[t.number[1]]);
  sar_arena_free(&a);
}

static void floating_parts_hang_on_their_first_parent(void** state) {
  (void)state;
  Graph g;
  SarArena a;
  sar_arena_init(&a);
  graph_init(&g, 5);
  join(&g, 3, 1, 1), join(&g, 4, 1, 1), join(&g, 2, 0, 1), join(&g, 0, 2, 1);
  SarTree t = tree_of(&a, &g);
  assert_int_equal(t.joint[t.number[3]], -1);  // b3 and b4 are no one's children; b3 comes first
  assert_true(t.joint[t.number[4]] >= 0);
  assert_int_equal(t.joint[t.number[0]], -1);  // b0 and b2 carry each other; b0 comes first
  assert_true(t.joint[t.number[2]] >= 0);
  assert_int_equal(t.ncut, 1);
  sar_arena_free(&a);
}

static void long_chains_need_no_stack(void** state) {
  (void)state;
  enum { N = 100000 };
  SarArena a;
  SarTree t = {0};
  sar_arena_init(&a);
  const char** names = SAR_ARENA_ARRAY(&a, const char*, N);
  SarGraphJoint* joints = SAR_ARENA_ARRAY(&a, SarGraphJoint, N);
  for (int i = 0; i < N; i++) {
    names[i] = sar_arena_printf(&a, "b%d", i);
    joints[i] = (SarGraphJoint){.name = names[i], .body = {i - 1, i}, .freedoms = 1};
  }
  assert_true(sar_graph_tree(&a, names, N, joints, N, &t));
  assert_int_equal(t.parent[N - 1], N - 2);
  sar_arena_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trees_are_valid),
      cmocka_unit_test(trees_have_the_least_weight),
      cmocka_unit_test(order_of_the_input_does_not_matter),
      cmocka_unit_test(names_count_as_people_count),
      cmocka_unit_test(loops_are_cut_at_the_far_end),
      cmocka_unit_test(given_starts_stay_in_the_tree),
      cmocka_unit_test(one_way_joints_are_not_turned_if_that_can_be),
      cmocka_unit_test(floating_parts_hang_on_their_first_parent),
      cmocka_unit_test(long_chains_need_no_stack),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
