// What assembly says: about loops that stay open, drives that ask for too much, and the motion that
// is left. Each message stands at the constraint concerned.
#include "base/print.h"
#include "sim/assemble.h"
#include "sim/assemble_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static SarLoc loc_of(const SarModel* m, int constraint) {
  const SarPlace at = m->constraint_at[constraint];
  return (SarLoc){sar_text(m, at.file), at.line, at.column};
}

// "joint 'R6'"
static const char* owner_text(const SarModel* m, int constraint, char* buf, size_t size) {
  const SarConstraint* c = &m->constraint[constraint];
  const char* what = c->source == SAR_FROM_CUT ? "joint" : c->drive ? "drive" : "constraint";
  if (c->source == SAR_FROM_COUPLING) what = "follower";
  sar_snprintf(buf, size, "%s '%s'", what, sar_text(m, c->name));
  return buf;
}

static void append(char* buf, size_t size, const char* text) {
  const size_t used = strlen(buf);
  if (used + strlen(text) + 4 < size)
    memcpy(buf + used, text, strlen(text) + 1);
  else if (used + 4 < size && strcmp(buf + used - 3, "...") != 0)
    memcpy(buf + used, "...", 4);
}

const char* sar_redundant_text(const SarModel* m, const int* row_order, const SarFreedom* f,
                               char* buf, size_t size) {
  buf[0] = 0;
  for (int c = 0; c < m->nconstraint; c++) {
    char owner[SAR_NAMES], part[SAR_NAMES + 40];
    int rows = 0;
    for (int k = f->rank; k < f->rows; k++) rows += m->row[row_order[k]].constraint == c;
    if (rows == 0) continue;
    sar_snprintf(part, sizeof part, "%s%s (%d of %d)", buf[0] ? ", " : "",
                 owner_text(m, c, owner, sizeof owner), rows, m->constraint[c].rows);
    append(buf, size, part);
  }
  return buf;
}

// What is given, of the coordinates that move constraint c (-1: of any); of all if none of them is.
void sar_given_text(const Assembly* a, int c, const int* given, char* buf, size_t size) {
  const SarModel* m = a->m;
  buf[0] = 0;
  for (int pass = 0; pass < 2 && !buf[0]; pass++) {
    int last = -1;
    for (int i = 0; i < m->nv_all; i++) {
      bool concerned = pass == 1 || c < 0 || i >= m->nv;
      const SarConstraint* k = c >= 0 ? &m->constraint[c] : NULL;
      for (int e = k ? m->row_adr[k->row] : 0; !concerned && e < m->row_adr[k->row + k->rows]; e++)
        concerned = m->row_dof[e] == i;
      if (!given[i] || !concerned || m->dof_body[i] == last) continue;
      char part[SAR_NAMES];
      last = m->dof_body[i];
      sar_snprintf(part, sizeof part, "%s'%s'", buf[0] ? ", " : "",
                   sar_text(m, m->joint_name[last]));
      append(buf, size, part);
    }
  }
}

// By how much a joint that closes a loop misses its given value.
static SarGap missed_gap(const Assembly* a, int given, bool speed) {
  const SarModel* m = a->m;
  const int dof = a->given_dof[given], j = m->dof_body[dof];
  SarGap gap = {.constraint = -1, .size = fabs(a->residual[m->nrow + given])};
  const bool length = m->joint_kind[j]->coordinate[dof - m->joint_vadr[j]] == SAR_LENGTH;
  gap.unit = length ? (speed ? "m/s" : "m") : (speed ? "rad/s" : "rad");
  snprintf(gap.owner, sizeof gap.owner, "joint '%s'", sar_text(m, m->joint_name[j]));
  return gap;
}

SarGap sar_widest_gap(const Assembly* a, bool speed) {
  const SarModel* m = a->m;
  int worst = 0;
  double most = -1;
  for (int i = 0; i < m->nrow + a->given; i++) {
    const double size = fabs(a->residual[i]) / sar_residual_unit(a, i);
    if (size > most) most = size, worst = i;
  }
  if (worst >= m->nrow) return missed_gap(a, worst - m->nrow, speed);
  SarGap gap = {.constraint = m->row[worst].constraint, .size = fabs(a->residual[worst])};
  const bool length = a->p.unit[worst] != 1 || a->p.length == 1;
  gap.unit = length ? (speed ? "m/s" : "m") : (speed ? "rad/s" : "rad");
  owner_text(m, gap.constraint, gap.owner, sizeof gap.owner);
  gap.loc = loc_of(m, gap.constraint);
  return gap;
}

void sar_report_open(const SarGap* gap, bool speed, SarError* err) {
  if (speed)
    sar_report(err, gap->loc, "see which way its joints let it move; 'sarrus info' shows the loops",
               "no motion keeps the loops closed: %s opens with %.3g %s", gap->owner, gap->size,
               gap->unit);
  else
    sar_report(err, gap->loc,
               "check points and axes of the loop; 'sarrus info' shows the tree and its cuts",
               "the mechanism cannot be assembled: %s stays open by %.3g %s", gap->owner, gap->size,
               gap->unit);
}

// ---- drives -------------------------------------------------------------------------------------

typedef struct Drives {
  int count;              // drives of the model
  int free;               // degrees of freedom that they share
  int surplus;            // the first one too many; -1: none
  char names[SAR_NAMES];  // of all that are
} Drives;

// Rows are counted with drives last (rank.c), so that a drive among the redundant rows is one too
// many.
static Drives count_drives(const Assembly* a, const int* row_order, int rank) {
  const SarModel* m = a->m;
  Drives d = {.free = m->nv - rank, .surplus = -1};
  for (int c = 0; c < m->nconstraint; c++)
    d.count += m->constraint[c].drive && a->d->constraint_on[c];
  for (int k = 0; k < a->d->nactive; k++) {
    const int c = m->row[row_order[k]].constraint;
    if (!m->constraint[c].drive) continue;
    if (k < rank) {
      d.free++;
      continue;
    }
    char owner[SAR_NAMES], part[SAR_NAMES + 8];
    sar_snprintf(part, sizeof part, "%s%s", d.names[0] ? ", " : "",
                 owner_text(m, c, owner, sizeof owner));
    append(d.names, sizeof d.names, part);
    if (d.surplus < 0) d.surplus = c;
  }
  return d;
}

static const char* plural(int n) { return n == 1 ? "" : "s"; }

bool sar_report_overdriven(const Assembly* a, int rank, const SarGap* gap, SarError* err) {
  const Drives d = count_drives(a, a->rank.order, rank);
  if (d.surplus < 0) return false;
  sar_report(err, loc_of(a->m, d.surplus), "leave it out, or let a force do it",
             "over-driven: %d drive%s for %d degree%s of freedom; %s contradicts joints and other "
             "drives (%s misses by %.3g %s)",
             d.count, plural(d.count), d.free, plural(d.free), d.names, gap->owner, gap->size,
             gap->unit);
  return true;
}

// ---- remarks ------------------------------------------------------------------------------------

// Rows stand in the order of the file: the last independent one took the last freedom.
static void remark_locked(const SarModel* m, const SarFreedom* f, const int* row_order,
                          SarError* err) {
  const int last = m->row[row_order[f->rank - 1]].constraint;
  char owner[SAR_NAMES];
  sar_warn(err, loc_of(m, last), "'sarrus info' lists the constraints",
           "locked: the constraints leave no degree of freedom, nothing will move; %s takes the "
           "last one",
           owner_text(m, last, owner, sizeof owner));
}

void sar_remark_freedom(const Assembly* a, const SarFreedom* f, const int* row_order,
                        SarError* err) {
  const SarModel* m = a->m;
  const Drives d = count_drives(a, row_order, f->rank);
  if (d.surplus >= 0)
    sar_warn(err, loc_of(m, d.surplus), "leave it out, or let a force do it",
             "over-driven: %d drive%s for %d degree%s of freedom; %s prescribes what is prescribed "
             "already",
             d.count, plural(d.count), d.free, plural(d.free), d.names);
  // a tree that cannot move anyway has no freedom to take
  const bool locked = f->rank > 0 && m->nv == f->rank;
  if (locked && d.count == 0 && m->ngate == 0) remark_locked(m, f, row_order, err);
  if (f->rank_here < f->rank)
    sar_warn(err, loc_of(m, m->row[row_order[f->rank - 1]].constraint),
             "give speeds to say which way it goes",
             "the start is a singular position: %d degrees of freedom there, %d around it",
             m->nv - f->rank_here, m->nv - f->rank);
}
