// What a model is made of: the summary, the tree, then loops, followers, forces, contact and work
// accounts.
#include "base/print.h"
#include "output/describe_page.h"

#include <stdio.h>

static const char* plural(int n, const char* one, const char* many) { return n == 1 ? one : many; }

static void size_text(size_t bytes, char* buf, size_t size) {
  if (bytes < 10240)
    sar_snprintf(buf, size, "%zu bytes", bytes);
  else if (bytes < 10 * 1048576)
    sar_snprintf(buf, size, "%.0f KiB", (double)bytes / 1024);
  else
    sar_snprintf(buf, size, "%.0f MiB", (double)bytes / 1048576);
}

// ---- summary --------------------------------------------------------------------------------

static void describe_freedoms(Page* p) {
  const SarModel* m = p->m;
  const SarDescribeFreedom* f = p->o.freedom;
  if (m->nrow == 0) {
    sar_page_addf(p, "  %d degree%s of freedom", m->nv, plural(m->nv, "", "s"));
    if (m->nq != m->nv) sar_page_addf(p, ", %d position coordinates", m->nq);
  } else if (!f) {
    sar_page_addf(p, "  %d coordinates, %d equations of constraints", m->nv, m->nrow);
  } else {
    const int freedoms = m->nv - f->rank, redundant = f->rows - f->rank;
    sar_page_addf(p, "  %d degree%s of freedom: %d coordinates - %d independent equation%s",
                  freedoms, plural(freedoms, "", "s"), m->nv, f->rank, plural(f->rank, "", "s"));
    if (f->singular) sar_page_addf(p, "; singular at the start");
    if (redundant > 0) {
      sar_page_end(p);
      sar_page_addf(p, "  %d equation%s redundant: ", redundant, plural(redundant, " is", "s are"));
      sar_page_addf(p, "%s", f->redundant);
    }
  }
  sar_page_end(p);
}

// Constraints are those of the cuts, then of the followers, then of the file.
static int first_element(const SarModel* m) { return m->ncut + m->ncoupling; }

static void describe_gravity(Page* p) {
  static const char* const FIELD[] = {"", "gravity of a point mass", "gravity by its potential",
                                      "gravity as a field"};
  _Static_assert(sizeof FIELD / sizeof *FIELD == SAR_GRAVITY_VECTOR + 1, "one for each kind");
  const SarModel* m = p->m;
  if (m->field.kind == SAR_GRAVITY_UNIFORM)
    sar_page_addf(p, "gravity [%g, %g, %g] m/s^2", m->gravity.x, m->gravity.y, m->gravity.z);
  else
    sar_page_addf(p, "%s", FIELD[m->field.kind]);
}

static void describe_summary(Page* p) {
  const SarModel* m = p->m;
  const int bodies = m->nbody + m->nfixed;
  double mass = m->ground_inertia.m;
  char size[32];
  int turned = 0;
  for (int b = 0; b < m->nbody; b++) {
    mass += m->body_inertia[b].m;
    turned += m->joint_turned[b];
  }
  size_text(m->bytes, size, sizeof size);
  sar_page_add(p, sar_text(m, m->name));
  sar_page_end(p);
  for (int i = 0; i < m->nfixed; i++) turned += m->fixed_turned[i];
  sar_page_addf(p, "  %d bod%s, %.6g kg, ", bodies, plural(bodies, "y", "ies"), mass);
  describe_gravity(p);
  sar_page_end(p);
  const int joints = bodies - m->nknot + m->ncut;
  sar_page_addf(p, "  %d joint%s", joints, plural(joints, "", "s"));
  if (m->absolute)
    sar_page_addf(p, ", absolute coordinates: %d of the bodies' own, %d as constraints", m->nbody,
                  m->ncut);
  else if (m->ncut)
    sar_page_addf(p, ": %d in the tree, %d that close%s %s", bodies, m->ncut,
                  plural(m->ncut, "s", ""), plural(m->ncut, "a loop", "loops"));
  if (m->platforms)
    sar_page_addf(p, ", mixed coordinates: %d of %s own", m->platforms,
                  plural(m->platforms, "a body's", "bodies'"));
  if (turned) sar_page_addf(p, "; %d turned round", turned);
  if (m->ncoupling) sar_page_addf(p, "; %d following others", m->ncoupling);
  if (m->nfixed > m->nknot) sar_page_addf(p, "; %d fixed, of no cost", m->nfixed - m->nknot);
  if (m->nknot) sar_page_addf(p, "; %d knot%s", m->nknot, m->nknot == 1 ? "" : "s");
  sar_page_end(p);
  describe_freedoms(p);
  sar_page_addf(p, "  %d force element%s, %d constraint%s, %d input%s, %d output column%s; %s",
                m->nforce, plural(m->nforce, "", "s"), m->nconstraint - first_element(m),
                plural(m->nconstraint - first_element(m), "", "s"), m->ninput,
                plural(m->ninput, "", "s"), m->nchannel, plural(m->nchannel, "", "s"), size);
  sar_page_end(p);
  if (m->nkey == 0) return;
  sar_page_addf(p, "  %d named start%s for --key: ", m->nkey, plural(m->nkey, "", "s"));
  for (int i = 0; i < m->nkey; i++)
    sar_page_addf(p, "%s%s", i ? ", " : "", sar_text(m, m->key_name[i]));
  sar_page_end(p);
}

// ---- lists ----------------------------------------------------------------------------------

static const char* cut_name(const SarModel* m, int i) { return sar_text(m, m->cut[i].name); }
static const char* force_name(const SarModel* m, int i) { return sar_text(m, m->force_name[i]); }

// ", 2 equations (3 more always hold)"
static void add_equations(Page* p, SarConstraintSource source, int index) {
  const SarModel* m = p->m;
  for (int i = 0; i < m->nconstraint; i++) {
    const SarConstraint* c = &m->constraint[i];
    if (c->source != source || c->index != index) continue;
    sar_page_addf(p, ", %d equation%s", c->rows, plural(c->rows, "", "s"));
    if (c->identical)
      sar_page_addf(p, " (%d more always hold%s)", c->identical, plural(c->identical, "s", ""));
  }
}

// ", from 2 s until 6 s"
static void add_gate(Page* p, SarGateTarget target, int index) {
  const SarModel* m = p->m;
  for (int g = 0; g < m->ngate; g++) {
    const SarGate* gate = &m->gate[g];
    const SarTrigger *from = &gate->from, *until = &gate->until;
    if (gate->target != target || gate->index != index) continue;
    if (from->slot >= 0)
      sar_page_addf(p, gate->latched ? ", from a condition on" : ", while a condition holds");
    else if (isfinite(from->time))
      sar_page_addf(p, ", from %g s", from->time);
    else if (from->time > 0)
      sar_page_addf(p, ", switched off");
    if (until->slot >= 0)
      sar_page_addf(p, ", until a condition");
    else if (isfinite(until->time))
      sar_page_addf(p, "%s until %g s", isfinite(from->time) ? "" : ",", until->time);
    if (gate->hold) sar_page_addf(p, ", held as found");
  }
}

static const char* fixed_name(const SarModel* m, int i) { return sar_text(m, m->fixed_name[i]); }
static const char* fixed_joint_name(const SarModel* m, int i) {
  return sar_text(m, m->fixed_joint_name[i]);
}

static void fixed_row(Page* p, int i) {
  const SarModel* m = p->m;
  const int width = sar_page_width_of(p, m->nfixed, fixed_name);
  const int joint = sar_page_width_of(p, m->nfixed, fixed_joint_name);
  sar_page_tab(p, 2);
  sar_page_clip(p, fixed_name(m, i), width);
  sar_page_tab(p, 4 + width);
  sar_page_clip(p, fixed_joint_name(m, i), joint);
  sar_page_tab(p, 6 + width + joint);
  if (m->fixed_mass[i] != 0)
    sar_page_addf(p, "%.4g kg", m->fixed_mass[i]);
  else
    sar_page_add(p, "massless");
  sar_page_tab(p, 19 + width + joint);
  if (sar_is_knot(m, m->fixed_body[i])) {
    sar_page_add(p, "a knot, which forces alone hold");
    return;
  }
  sar_page_addf(p, "on %s", sar_holder_name(m, m->fixed_holder[i]));
  if (m->fixed_turned[i]) sar_page_add(p, ", turned round");
}

static void loop_row(Page* p, int i) {
  const SarModel* m = p->m;
  const SarCut* cut = &m->cut[i];
  int width = sar_page_width_of(p, m->ncut, cut_name);
  sar_page_tab(p, 2);
  sar_page_clip(p, cut_name(m, i), width);
  sar_page_tab(p, 4 + width);
  sar_page_add(p, cut->kind->name);
  sar_page_tab(p, 17 + width);
  sar_page_addf(p, "%s %s %s", sar_holder_name(m, cut->holder[0]), sar_page_glyph(p, "—", "-"),
                sar_holder_name(m, cut->holder[1]));
  add_equations(p, SAR_FROM_CUT, i);
  add_gate(p, SAR_GATE_CONSTRAINT, i);
}

static void coupling_row(Page* p, int i) {
  const SarModel* m = p->m;
  const SarCoupling* c = &m->coupling[i];
  sar_page_addf(p, "  %s = %g * %s", sar_text(m, m->joint_name[c->joint]), c->multiplier,
                sar_text(m, m->joint_name[c->other]));
  if (c->offset != 0) sar_page_addf(p, " %c %g", c->offset < 0 ? '-' : '+', fabs(c->offset));
}

static const char* element_name(const SarModel* m, int i) {
  return sar_text(m, m->constraint[first_element(m) + i].name);
}

static void element_row(Page* p, int i) {
  const SarModel* m = p->m;
  const SarConstraint* c = &m->constraint[first_element(m) + i];
  int width = sar_page_width_of(p, m->nconstraint - first_element(m), element_name);
  sar_page_tab(p, 2);
  sar_page_clip(p, element_name(m, i), width);
  sar_page_tab(p, 4 + width);
  sar_page_addf(p, "%s%s", c->kind->name, c->drive ? ", driven" : "");
  add_equations(p, SAR_FROM_ELEMENT, c->index);
  add_gate(p, SAR_GATE_CONSTRAINT, first_element(m) + i);
}

static void force_row(Page* p, int i) {
  const SarModel* m = p->m;
  const SarForceKind* kind = m->force_kind[i];
  int width = sar_page_width_of(p, m->nforce, force_name);
  const char* separator = "";
  sar_page_tab(p, 2);
  sar_page_clip(p, force_name(m, i), width);
  sar_page_tab(p, 4 + width);
  sar_page_add(p, kind->name);
  sar_page_tab(p, 20 + width);
  for (int k = 0; k < kind->nattr; k++) {
    const SarAttrValue* a = sar_force_attr(m, i, k);
    SarAttrType type = kind->attr[k].type;
    if (type != SAR_ATTR_BODY && type != SAR_ATTR_POINT && type != SAR_ATTR_JOINT) continue;
    bool joint = type == SAR_ATTR_JOINT;
    sar_page_addf(p, "%s%s", separator,
                  joint ? sar_text(m, m->joint_name[a->index]) : sar_holder_name(m, a->holder));
    separator = ", ";
  }
  add_gate(p, SAR_GATE_FORCE, i);
}

// Who gives and takes energy, as one sentence.
static void describe_work(Page* p) {
  const SarModel* m = p->m;
  char word[160];
  sar_page_end(p);
  sar_page_add(p, "Work accounts");
  sar_page_end(p);
  for (int i = 0; i < m->nwork; i++) {
    const SarWorkSource* w = &m->work[i];
    const char* end = i + 1 < m->nwork ? "," : "";
    if (i == 30 && !p->o.full && m->nwork > 36) {
      sar_snprintf(word, sizeof word, "and %d more", m->nwork - i);
      sar_page_word(p, word, 2);
      break;
    }
    switch (w->kind) {
      case SAR_WORK_HOST: sar_snprintf(word, sizeof word, "host program%s", end); break;
      case SAR_WORK_FORCE:
        sar_snprintf(word, sizeof word, "force %s%s", sar_text(m, m->force_name[w->index]), end);
        break;
      case SAR_WORK_DISSIPATION:
        sar_snprintf(word, sizeof word, "losses in %s%s", sar_text(m, m->joint_name[w->index]),
                     end);
        break;
      case SAR_WORK_DRIVE:
        sar_snprintf(word, sizeof word, "drive of %s%s", sar_text(m, m->joint_name[w->index]), end);
        break;
      case SAR_WORK_CONSTRAINT:
        sar_snprintf(word, sizeof word, "motion %s%s", sar_text(m, m->constraint[w->index].name),
                     end);
        break;
      case SAR_WORK_GRAVITY: sar_snprintf(word, sizeof word, "gravity%s", end); break;
      case SAR_WORK_IMPACT: sar_snprintf(word, sizeof word, "impacts%s", end); break;
      case SAR_WORK_SWITCHING: sar_snprintf(word, sizeof word, "switching%s", end); break;
      case SAR_WORK_CONTACT_NORMAL:
        sar_snprintf(word, sizeof word, "impacts of contacts%s", end);
        break;
      case SAR_WORK_CONTACT_FRICTION:
        sar_snprintf(word, sizeof word, "friction of contacts%s", end);
        break;
      case SAR_WORK_LIMITS: sar_snprintf(word, sizeof word, "limits of joints%s", end); break;
      case SAR_WORK_CONTACT_OVERLAP:
        sar_snprintf(word, sizeof word, "overlaps of contacts%s", end);
        break;
    }
    sar_page_word(p, word, 2);
  }
  sar_page_end(p);
}

void sar_describe(const SarModel* m, const SarDescribeOptions* o, SarDescribeLine* line,
                  void* context) {
  Page p = {.m = m, .emit = line, .context = context};
  if (o) p.o = *o;
  if (p.o.width <= 0) p.o.width = 100;
  if (p.o.width > PAGE_WIDEST) p.o.width = PAGE_WIDEST;
  describe_summary(&p);
  sar_page_end(&p);
  sar_describe_tree(&p);
  sar_page_rows(
      &p, m->nknot == m->nfixed ? "Held by forces alone" : "Fixed to others, one body with them",
      m->nfixed, fixed_row);
  sar_page_rows(&p, m->absolute ? "Joints" : "Loops", m->ncut, loop_row);
  sar_page_rows(&p, "Followers", m->ncoupling, coupling_row);
  sar_page_rows(&p, "Constraints", m->nconstraint - first_element(m), element_row);
  sar_page_rows(&p, "Forces", m->nforce, force_row);
  sar_describe_contact(&p);
  describe_work(&p);
}
