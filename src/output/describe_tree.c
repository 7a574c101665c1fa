// The tree, one line for each body.
//
// A body that is the only one on its parent stands below it at the same indentation, so that a
// chain of a hundred links stays in one column; only branchings indent. Long stretches of like
// joints in a chain, and long rows of like branches, are shortened; nothing that differs is hidden.
#include "base/print.h"
#include "output/describe_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ALIKE = 7, SHOWN_FIRST = 3, DEEPEST = 12 };

// ---- shape of the tree ----------------------------------------------------------------------

static int end_of(const SarModel* m, int b) {  // first body after the subtree
  return b < 0 ? m->nbody : b + m->body_subtree[b];
}

static bool begins_branch(const SarModel* m, int b) {
  int parent = m->body_parent[b];
  return parent < 0 || m->body_subtree[parent] != 1 + m->body_subtree[parent + 1];
}

static bool has_sibling_after(const SarModel* m, int b) {
  return end_of(m, b) < end_of(m, m->body_parent[b]);
}

// ---- what a line says -----------------------------------------------------------------------

typedef struct Notes {
  char text[256];
  int used;
} Notes;

static void note(Notes* n, const char* separator, const char* a, const char* b) {
  if (n->used < (int)sizeof n->text - 1)
    n->used += sar_snprintf(n->text + n->used, sizeof n->text - (size_t)n->used, "%s%s%s",
                            n->used ? separator : "", a, b);
}

static void note_if_any(const SarModel* m, int b, const double* values, const char* word,
                        Notes* n) {
  for (int k = 0; k < m->joint_nv[b]; k++)
    if (values[m->joint_vadr[b] + k] != 0) {
      note(n, ", ", word, "");
      return;
    }
}

static bool is_driven(const SarModel* m, int b) {
  for (int k = 0; k < m->joint_nv[b]; k++)
    if (m->dof_force_slot[m->joint_vadr[b] + k] >= 0) return true;
  return false;
}

static bool has_motor(const SarModel* m, int b) {
  for (int i = 0; i < m->nmotor; i++)
    if (m->motor[i].joint == b) return true;
  return false;
}

static int loops_at(const SarModel* m, int b) {
  int n = 0;
  for (int k = 0; k < m->ncut; k++) n += (m->cut[k].body[0] == b) + (m->cut[k].body[1] == b);
  return n;
}

// "limits -1 to 1.5", "limit 2 above", or "limits" alone for several coordinates
static void note_limits(const SarModel* m, int b, Notes* n) {
  char text[64] = "";
  for (int k = 0; k < m->joint_nv[b]; k++) {
    double low = m->dof_lower[m->joint_vadr[b] + k], high = m->dof_upper[m->joint_vadr[b] + k];
    if (!isfinite(low) && !isfinite(high)) continue;
    if (m->joint_nv[b] > 1)
      sar_snprintf(text, sizeof text, "limits");
    else if (!isfinite(low))
      sar_snprintf(text, sizeof text, "limit %.4g above", high);
    else if (!isfinite(high))
      sar_snprintf(text, sizeof text, "limit %.4g below", low);
    else
      sar_snprintf(text, sizeof text, "limits %.4g to %.4g", low, high);
  }
  if (text[0]) note(n, ", ", text, "");
}

// Everything worth a word but the names of loops and leaders, which differ between like bodies.
static void note_joint(const SarModel* m, int b, Notes* n) {
  if (m->joint_turned[b]) note(n, ", ", "turned round", "");
  note_if_any(m, b, m->dof_stiffness, "spring", n);
  note_if_any(m, b, m->dof_damping, "damper", n);
  note_if_any(m, b, m->dof_friction, "friction", n);
  note_if_any(m, b, m->dof_armature, "armature", n);
  if (b < m->nbody && m->body_rotor[b]) note(n, ", ", "rotor", "");
  if (is_driven(m, b)) note(n, ", ", "driven", "");
  if (has_motor(m, b)) note(n, ", ", "motor", "");
  note_limits(m, b, n);
}

static void note_names(const SarModel* m, int b, Notes* n) {
  const char* before = m->absolute ? "joint " : "loop ";
  for (int k = 0; k < m->ncoupling; k++)
    if (m->coupling[k].joint == b)
      note(n, ", ", "follows ", sar_text(m, m->joint_name[m->coupling[k].other]));
  for (int k = 0; k < m->ncut; k++) {
    if (m->cut[k].body[0] != b && m->cut[k].body[1] != b) continue;
    note(n, before[0] ? ", " : " ", before, sar_text(m, m->cut[k].name));
    before = "";
  }
}

static bool alike(const SarModel* m, int a, int b) {
  Notes na = {.used = 0}, nb = {.used = 0};
  if (m->joint_kind[a] != m->joint_kind[b] || loops_at(m, a) != loops_at(m, b)) return false;
  note_joint(m, a, &na);
  note_joint(m, b, &nb);
  return strcmp(na.text, nb.text) == 0;
}

static bool branches_alike(const SarModel* m, int a, int b) {
  if (m->body_subtree[a] != m->body_subtree[b]) return false;
  for (int i = 0; i < m->body_subtree[a]; i++) {
    if (i > 0 && m->body_parent[a + i] - a != m->body_parent[b + i] - b) return false;
    if (!alike(m, a + i, b + i)) return false;
  }
  return true;
}

// ---- lines ----------------------------------------------------------------------------------

typedef struct Columns {
  int joint, kind, mass, notes;
} Columns;

// The branches that lead to b, from the outside in; b's own connector last.
static void draw_prefix(Page* p, int b, bool connector) {
  const SarModel* m = p->m;
  int head[DEEPEST], n = 0;
  for (int a = b; a >= 0; a = m->body_parent[a])
    if (begins_branch(m, a)) {
      if (n == DEEPEST) memmove(head, head + 1, sizeof head - sizeof head[0]), n--;
      head[n++] = a;
    }
  for (int i = n - 1; i >= 0; i--) {
    bool more = has_sibling_after(m, head[i]);
    if (connector && head[i] == b)
      sar_page_add(p, more ? sar_page_glyph(p, "├─ ", "+- ") : sar_page_glyph(p, "└─ ", "`- "));
    else
      sar_page_add(p, more ? sar_page_glyph(p, "│  ", "|  ") : "   ");
  }
}

static int prefix_columns(const SarModel* m, int b) {
  int n = 0;
  for (int a = b; a >= 0 && n < DEEPEST; a = m->body_parent[a]) n += begins_branch(m, a);
  return 3 * n;
}

static void draw_body(Page* p, const Columns* at, int b) {
  const SarModel* m = p->m;
  Notes n = {.used = 0};
  draw_prefix(p, b, true);
  sar_page_clip(p, sar_text(m, m->body_name[b]), at->joint - 2 - p->column);
  sar_page_tab(p, at->joint);
  sar_page_clip(p, sar_text(m, m->joint_name[b]), at->kind - 2 - at->joint);
  sar_page_tab(p, at->kind);
  sar_page_add(p, m->joint_kind[b]->name);
  sar_page_tab(p, at->mass);
  if (m->body_inertia[b].m != 0)
    sar_page_addf(p, "%.4g kg", m->body_inertia[b].m);
  else
    sar_page_add(p, "massless");
  note_joint(m, b, &n);
  note_names(m, b, &n);
  if (n.used) {
    sar_page_tab(p, at->notes);
    sar_page_add(p, n.text);
  }
  sar_page_end(p);
}

static void draw_omission(Page* p, int b, int count, const char* what, int first, int last) {
  const SarModel* m = p->m;
  draw_prefix(p, b, false);
  sar_page_addf(p, "%s  %d more %s: %s %s %s", sar_page_glyph(p, "⋮", ":"), count, what,
                sar_text(m, m->body_name[first]), sar_page_glyph(p, "…", "..."),
                sar_text(m, m->body_name[last]));
  sar_page_end(p);
}

// How many bodies of the chain from b on are like b.
static int stretch_of(const SarModel* m, int b) {
  int n = 1;
  while (m->body_subtree[b + n - 1] > 1 && !begins_branch(m, b + n) && alike(m, b, b + n)) n++;
  return n;
}

// How many branches from b on are like b's, and where the last one begins.
static int row_of(const SarModel* m, int b, int* last) {
  int n = 1;
  *last = b;
  while (has_sibling_after(m, *last) && branches_alike(m, b, end_of(m, *last))) {
    *last = end_of(m, *last);
    n++;
  }
  return n;
}

static Columns measure(const Page* p) {
  const SarModel* m = p->m;
  int body = 6, joint = 5, kind = 4;
  for (int b = 0; b < m->nbody; b++) {
    int n = prefix_columns(m, b) + sar_page_columns(sar_text(m, m->body_name[b]));
    int j = sar_page_columns(sar_text(m, m->joint_name[b]));
    int k = (int)strlen(m->joint_kind[b]->name);
    if (n > body) body = n;
    if (j > joint) joint = j;
    if (k > kind) kind = k;
  }
  // room for the notes comes first: long names give way
  if (body > 45) body = 45;
  if (joint > 20) joint = 20;
  Columns at = {.joint = body + 2};
  at.kind = at.joint + joint + 2;
  at.mass = at.kind + kind + 2;
  at.notes = at.mass + 13;
  return at;
}

void sar_describe_tree(Page* p) {
  const SarModel* m = p->m;
  Columns at = measure(p);
  sar_page_add(p, "ground");
  sar_page_tab(p, at.joint);
  sar_page_add(p, "joint");
  sar_page_tab(p, at.kind);
  sar_page_add(p, "kind");
  sar_page_tab(p, at.mass);
  sar_page_add(p, "mass");
  sar_page_end(p);
  int row_end = -1;      // bodies before this one belong to a row that has been shortened already
  int stretch_end = -1;  // likewise for a chain
  for (int b = 0; b < m->nbody; b++) {
    int last, n = begins_branch(m, b) && b >= row_end && !p->o.full ? row_of(m, b, &last) : 0;
    if (n > MOST_ALIKE) {
      // the first few are drawn as they come, then those up to the last are left out
      int skip = b;
      for (int i = 0; i < SHOWN_FIRST; i++) skip = end_of(m, skip);
      for (int k = b; k < skip; k++) draw_body(p, &at, k);
      draw_omission(p, b, n - SHOWN_FIRST - 1, "branches like these", skip, last - 1);
      row_end = end_of(m, last);
      b = last;
    }
    draw_body(p, &at, b);
    if (b < stretch_end || p->o.full) continue;
    int chain = stretch_of(m, b);
    stretch_end = b + chain;
    if (chain <= MOST_ALIKE) continue;
    for (int i = 1; i < SHOWN_FIRST; i++) draw_body(p, &at, b + i);
    char what[64];
    sar_snprintf(what, sizeof what, "%s joints in a chain", m->joint_kind[b]->name);
    draw_omission(p, b, chain - SHOWN_FIRST - 1, what, b + SHOWN_FIRST, b + chain - 2);
    b += chain - 2;
  }
}
