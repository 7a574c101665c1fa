// What is known of the partition before a run (dependent.h): numbers where it begins, and an order
// of the flow's rows, coordinates and polynomials that twins share.
#include "codegen/dependent.h"
#include "codegen/polynomial.h"
#include "codegen/slots.h"
#include "dynamics/projection.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static int slot_of(void* context, const char* name) { return sar_symbols_slot(context, name); }

// Psi in numbers.
static bool evaluate(SarSymbols* s, const SarData* d, double* Psi) {
  const SarModel* m = s->m;
  SarArena scratch;
  SarTape tape;
  sar_arena_beside(&scratch, s->arena);
  double* slot = SAR_ARENA_ARRAY(&scratch, double, sar_symbols_slots(m) + 1);
  SarNode* node = SAR_ARENA_ARRAY(&scratch, SarNode, m->nrow_dof + 1);
  SarGraph* g = sar_graph_new(&scratch);
  bool done = slot && node && g &&
              sar_twins_put_numbers(s->twins, s->g, m->nrow_dof, s->Psi, g, node) &&
              sar_tape_build(&scratch, g, m->nrow_dof, node, slot_of, (void*)(uintptr_t)m, &tape);
  double* registers = done ? SAR_ARENA_ARRAY(&scratch, double, tape.registers + 1) : NULL;
  if (registers) {
    sar_symbols_load(m, d, slot);
    sar_tape_eval(&tape, slot, registers, Psi);
  }
  done = registers != NULL;
  sar_arena_end(&scratch, s->arena);
  return done;
}

static void measure_rows(SarPartition* p, const SarModel* m) {
  for (int i = 0; i < m->nrow; i++) {
    double sum = 0;
    for (int e = m->row_adr[i]; e < m->row_adr[i + 1]; e++) {
      const double x = p->Psi[e] * p->unit[m->row_dof[e]];
      sum += x * x;
    }
    p->scale[i] = sum > 0 ? sqrt(sum) : 1;
    p->left_out[i] = true;
  }
  for (int b = 0; b < p->flow->blocks; b++)
    for (int i = 0; i < p->flow->block[b].size; i++) p->left_out[p->flow->block[b].row[i]] = false;
}

static void sort(int n, int* x) {
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && x[k - 1] > x[k]; k--) {
      const int y = x[k];
      x[k] = x[k - 1], x[k - 1] = y;
    }
}

static int* sorted_copy(SarArena* arena, int n, const int* from) {
  int* x = SAR_ARENA_ARRAY(arena, int, n + 1);
  if (!x) return NULL;
  if (n > 0) memcpy(x, from, (size_t)n * sizeof *x);
  sort(n, x);
  return x;
}

// The flow with rows and coordinates of blocks in the order of the model, which is that of twins
// too.
static const SarLoopFlow* sorted_flow(SarArena* arena, const SarLoopFlow* from) {
  SarLoopFlow* f = SAR_ARENA_NEW(arena, SarLoopFlow);
  SarLoopBlock* block = SAR_ARENA_ARRAY(arena, SarLoopBlock, from->blocks + 1);
  if (!f || !block) return NULL;
  *f = *from;
  f->block = block;
  for (int i = 0; i < f->blocks; i++) {
    block[i] = from->block[i];
    block[i].row = sorted_copy(arena, block[i].size, from->block[i].row);
    block[i].dof = sorted_copy(arena, block[i].size, from->block[i].dof);
    if (!sar_polynomials_sort(arena, &block[i])) return NULL;
  }
  return arena->failed ? NULL : f;
}

SarPartition* sar_partition_new(SarSymbols* s, const SarData* d, const SarLoopFlow* flow) {
  const SarModel* m = s->m;
  SarArena* arena = s->arena;
  SarPartition* p = SAR_ARENA_ARRAY(arena, SarPartition, 1);
  double *q = SAR_ARENA_ARRAY(arena, double, m->nq + 1),
         *Psi = SAR_ARENA_ARRAY(arena, double, m->nrow_dof + 1);
  if (!p || !q || !Psi) return NULL;
  flow = sorted_flow(arena, flow);
  if (!flow) return NULL;
  *p = (SarPartition){.flow = flow, .q = q, .Psi = Psi};
  p->unit = SAR_ARENA_ARRAY(arena, double, m->nv + 1);
  p->scale = SAR_ARENA_ARRAY(arena, double, m->nrow + 1);
  p->left_out = SAR_ARENA_ARRAY(arena, bool, m->nrow + 1);
  p->dof = SAR_ARENA_ARRAY(arena, int, m->nv + 1);
  p->place = SAR_ARENA_ARRAY(arena, int, m->nv + 1);
  if (arena->failed || !evaluate(s, d, Psi)) return NULL;
  memcpy(q, d->q, (size_t)m->nq * sizeof *q);
  sar_dof_units(m, p->unit);
  for (int i = 0; i < m->nv; i++) {
    p->place[i] = flow->dof_block[i] < 0 ? p->free : -1;
    if (flow->dof_block[i] < 0) p->dof[p->free++] = i;
  }
  measure_rows(p, m);
  return p;
}

// ---- twins --------------------------------------------------------------------------------------

// The member's own coordinates first: those of the common body stand before them or behind.
static void note_row(const SarSymbols* s, const SarFamilies* f, SarTwinPlace of, int row) {
  for (int own = 1; own >= 0; own--)
    for (int e = s->m->row_adr[row]; e < s->m->row_adr[row + 1]; e++)
      if ((f->twins->body[s->m->dof_body[s->m->row_dof[e]]].group == of.group) == own)
        sar_families_note(f, of, s->Psi[e]);
  sar_families_note(f, of, s->Phi[row]);
  sar_families_note(f, of, s->gamma[row]);
}

// The coordinates of a branch follow one another.
static void note_branch(const SarSymbols* s, const SarFamilies* f, SarTwinPlace of, int from,
                        int end) {
  for (int i = from; i < end; i++) {
    sar_families_note(f, of, s->rest[i]);
    for (int k = from; s->mass && k <= i; k++) sar_families_note(f, of, s->mass[i * s->m->nv + k]);
  }
}

void sar_symbols_note_twins(const SarSymbols* s, const SarFamilies* f) {
  const SarModel* m = s->m;
  for (int g = 0; g < f->twins->group.count; g++) {
    const SarTwinGroup* group = &f->twins->group.items[g];
    for (int k = 0; k < group->members; k++) {
      const SarTwinPlace of = {g, k, 0};
      const int first = group->body[k], last = first + group->bodies - 1;
      for (int i = 0; i < group->pairs; i++) {
        const SarPair* p = &m->pair[group->pair[k * group->pairs + i]];
        for (int t = p->term; t < p->term + p->terms; t++) note_row(s, f, of, m->term[t].row);
      }
      note_branch(s, f, of, m->joint_vadr[first], m->joint_vadr[last] + m->joint_nv[last]);
    }
  }
}

void sar_symbols_note_rows(const SarSymbols* s, const SarFamilies* f, const SarNode* e) {
  const SarModel* m = s->m;
  for (int g = 0; g < f->twins->group.count; g++) {
    const SarTwinGroup* group = &f->twins->group.items[g];
    for (int k = 0; k < group->members; k++)
      for (int i = 0; i < group->pairs; i++) {
        const SarPair* p = &m->pair[group->pair[k * group->pairs + i]];
        for (int t = p->term; t < p->term + p->terms; t++)
          sar_families_note(f, (SarTwinPlace){g, k, 0}, e[m->term[t].row]);
      }
  }
}
