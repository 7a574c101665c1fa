// Forms (vectors that are linear in the items) and rows made of their scalar products.
#include "formulations/natural/build.h"

static const double NOTHING = 1e-14;  // a coefficient that is rounding

void sar_form_add(SarNatForm* f, double re, double im, const SarNatForm* g) {
  f->constant = v3_axpy(re, g->constant, f->constant);
  f->constant = v3_axpy(im, sar_nat_turned(g->constant), f->constant);
  for (int k = 0; k < g->num; k++) {
    const double a = re * g->re[k] - im * g->im[k], c = re * g->im[k] + im * g->re[k];
    int at = 0;
    while (at < f->num && f->item[at] != g->item[k]) at++;
    if (at == f->num) {
      SAR_ASSERT(f->num < SAR_NAT_ITEMS);
      f->item[f->num++] = g->item[k];
      f->re[at] = f->im[at] = 0;
    }
    f->re[at] += a;
    f->im[at] += c;
  }
  int kept = 0;
  for (int k = 0; k < f->num; k++) {
    if (fabs(f->re[k]) < NOTHING && fabs(f->im[k]) < NOTHING) continue;
    f->item[kept] = f->item[k], f->re[kept] = f->re[k], f->im[kept] = f->im[k];
    kept++;
  }
  f->num = kept;
}

SarNatForm sar_form_constant(V3 value) { return (SarNatForm){.constant = value}; }

SarNatForm sar_form_class(const Build* b, int class, double sign) {
  const Class* c = &b->class[class];
  if (c->item < 0) return sar_form_constant(v3_scale(sign, c->value));
  return (SarNatForm){.num = 1, .item = {c->item}, .re = {sign}};
}

SarNatForm sar_form_direction(const SarNatural* p, int part, V3 local) {
  const SarNatForm* y = p->part[part].y;
  SarNatForm f = {.num = 0};
  sar_form_add(&f, local.x, 0, &y[1]);
  sar_form_add(&f, local.y, 0, &y[2]);
  sar_form_add(&f, local.z, 0, &y[3]);
  return f;
}

SarNatForm sar_form_point(const SarNatural* p, int part, V3 local) {
  SarNatForm f = sar_form_direction(p, part, local);
  sar_form_add(&f, 1, 0, &p->part[part].y[0]);
  return f;
}

SarNatForm sar_form_difference(const SarNatForm* a, const SarNatForm* b) {
  SarNatForm f = *a;
  sar_form_add(&f, -1, 0, b);
  return f;
}

// ---- rows -----------------------------------------------------------------------------------

SarNatRow* sar_row_begin(Build* b, double constant, int body) {
  SarNatRow* r = SAR_LIST_ADD(b->arena, &b->rows);
  if (r)
    *r = (SarNatRow){.term = b->terms.count,
                     .entry = b->entries.count,
                     .constant = constant,
                     .slot = -1,
                     .row = -1,
                     .body = body};
  return r;
}

SarNatTerm* sar_row_term(Build* b, SarNatTermKind kind, double coefficient) {
  SarNatTerm* t = SAR_LIST_ADD(b->arena, &b->terms);
  if (!t) return NULL;
  *t = (SarNatTerm){.kind = kind,
                    .coefficient = coefficient,
                    .form = {-1, -1, -1, -1},
                    .q = -1,
                    .track = -1,
                    .source = -1};
  b->rows.items[b->rows.count - 1].terms++;
  return t;
}

int sar_row_place(Build* b, int item) {
  SarNatRow* r = &b->rows.items[b->rows.count - 1];
  for (int k = 0; k < r->entries; k++)
    if (b->entries.items[r->entry + k] == item) return k;
  int* e = SAR_LIST_ADD(b->arena, &b->entries);
  if (!e) return 0;
  *e = item;
  return r->entries++;
}

void sar_row_reserve(Build* b, int part) {
  for (int s = 0; s < 4; s++)
    for (int k = 0; k < b->p->part[part].y[s].num; k++)
      sar_row_place(b, b->p->part[part].y[s].item[k]);
}

static int keep_form(Build* b, const SarNatForm* f) {
  SarNatForm* to = SAR_LIST_ADD(b->arena, &b->forms);
  if (!to) return -1;
  *to = *f;
  for (int k = 0; k < f->num; k++) to->place[k] = sar_row_place(b, f->item[k]);
  return b->forms.count - 1;
}

void sar_term_product(Build* b, int which, const SarNatForm* f, const SarNatForm* g) {
  if (b->arena->failed) return;
  SarNatTerm* t = &b->terms.items[b->terms.count - 1];
  t->form[2 * which] = keep_form(b, f);
  t->form[2 * which + 1] = keep_form(b, g);
}

void sar_row_end(Build* b) {
  if (b->arena->failed) return;
  const SarNatRow* r = &b->rows.items[b->rows.count - 1];
  if (r->entries > 0) return;
  b->terms.count = r->term;
  b->rows.count--;
}

void sar_row_product(Build* b, const SarNatForm* f, const SarNatForm* g, double constant,
                     int body) {
  if (form_is_constant(f) && form_is_constant(g)) return;
  if (!sar_row_begin(b, constant, body) || !sar_row_term(b, SAR_NAT_PRODUCT, 1)) return;
  sar_term_product(b, 0, f, g);
  sar_row_end(b);
}
