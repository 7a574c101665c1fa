// Tables 2 and 4 of paper 003: degree, terms and longest coefficient of the polynomials of a
// triangular system.
#include "cli/papers/003.h"

#ifdef SARRUS_HAVE_FLINT
#include "algebra/groebner.h"

#include <math.h>
#include <string.h>

enum { MOST = 10 };

// What the table says of the polynomial that gives a variable; digits 0: they belong to the
// geometry.
typedef struct Row {
  const char* variable;
  int degree, terms, digits;
} Row;

typedef struct Basis {
  const char *table, *name;
  const char* variable[SAR_ALGEBRA_VARIABLES + 1];
  const char* polynomial[MOST];
  Row row[MOST];
} Basis;

static const Basis BASES[] = {
    {"Table 2",
     "link 1",
     {"sa", "ca", "sb", "cb", "z", "y", "x", "ss", "cs", "st", "ct", "sp", "cp"},
     {"x+517/1769*cb-108553/1000000+56545/1000000*cp*ct-109714/1000000*(cp*st*ss-sp*cs)+93042/"
      "1000000*(cp*st*cs+sp*ss)",
      "y+517/1769*sa*sb+3971/10000+56545/1000000*sp*ct-109714/1000000*(sp*st*ss+cp*cs)+93042/"
      "1000000*(sp*st*cs-cp*ss)",
      "z-517/1769*ca*sb-82216/1000000-56545/1000000*st-109714/1000000*ct*ss+93042/1000000*ct*cs",
      "sa^2+ca^2-1", "sb^2+cb^2-1"},
     {{"cb", 1, 8, 0}, {"sb", 2, 28, 0}, {"ca", 1, 6, 0}, {"sa", 1, 8, 0}}},
    {"Table 4",
     "landing gear",
     {"cF", "sF", "cA", "sA", "cD", "sD", "cB", "sB", "p"},
     {"sA*sB*p-cA*cB*p+62*sA-42*cA+231+1697/100*sD+152/25*cD",
      "sA*cB*p+cA*sB*p+42*sA+62*cA-62+152/25*sD-1697/100*cD",
      "-212*sA-25*cA+231+892/5*sA*sF-892/5*cA*cF-822/5*cD",
      "25*sA-212*cA-62+892/5*sA*cF+892/5*cA*sF-822/5*sD", "sA^2+cA^2-1", "sB^2+cB^2-1",
      "sD^2+cD^2-1", "sF^2+cF^2-1"},
     {{"sB", 6, 28, 62},
      {"cB", 1, 40, 132},
      {"sD", 1, 37, 245},
      {"cD", 1, 6, 9},
      {"sA", 1, 37, 264},
      {"cA", 1, 37, 264},
      {"sF", 1, 37, 252},
      {"cF", 1, 37, 254}}},
};

static void report(PaperReport* r, const Basis* b, const SarGroebner* g) {
  for (int i = 0; i < MOST && b->row[i].variable; i++) {
    const Row* row = &b->row[i];
    int v = 0;
    while (strcmp(b->variable[v], row->variable) != 0) v++;
    const int k = sar_groebner_element(g, v);
    if (k < 0) continue;
    const SarPolyFigures f = sar_poly_figures(&g->g[k], g->ctx);
    char name[48];
    snprintf(name, sizeof name, "%s, %s", b->name, row->variable);
    paper_add(r, b->table, name, "degree", row->degree, f.degree, NULL);
    paper_add(r, b->table, name, "terms", row->terms, f.terms, NULL);
    paper_add(r, b->table, name, "digits", row->digits ? row->digits : (double)NAN, f.digits, NULL);
  }
  paper_add(r, b->table, b->name, "time [s]", b->table[6] == '2' ? 45 * 60 : (double)NAN,
            g->seconds, NULL);
  paper_add(r, b->table, b->name, "memory [MB]", (double)NAN, 1e-6 * (double)g->bytes, NULL);
}

static SarStatus make_basis(PaperReport* r, const Basis* b) {
  const SarAlgebraLimits limits = {.seconds = 100, .bytes = 500000000};
  fmpq_mpoly_ctx_t ctx;
  fmpq_mpoly_struct f[MOST];
  char why[SAR_GROEBNER_WHY];
  SarGroebner g;
  int n = 0, count = 0;
  const char* names[SAR_ALGEBRA_VARIABLES + 1];
  for (; b->variable[n]; n++) names[n] = b->variable[n];
  fmpq_mpoly_ctx_init(ctx, n, ORD_LEX);
  for (; count < MOST && b->polynomial[count]; count++) {
    fmpq_mpoly_init(&f[count], ctx);
    fmpq_mpoly_set_str_pretty(&f[count], b->polynomial[count], names, ctx);
  }
  const SarStatus st = sar_groebner(f, count, ctx, &limits, &g, why);
  if (st == SAR_OK) report(r, b, &g);
  sar_groebner_free(&g);
  for (int i = 0; i < count; i++) fmpq_mpoly_clear(&f[i], ctx);
  fmpq_mpoly_ctx_clear(ctx);
  return st;
}

SarStatus paper_003_bases(PaperReport* r, SarError* err) {
  (void)err;
  SarStatus st = SAR_OK;
  for (int i = 0; i < 2 && st == SAR_OK; i++)
    if (r->only == 0 || r->only == BASES[i].table[6] - '0') st = make_basis(r, &BASES[i]);
  return st;
}
#else
#include <math.h>

SarStatus paper_003_bases(PaperReport* r, SarError* err) {
  (void)err;
  paper_add(r, "Table 4", "landing gear", "terms", 28, (double)NAN, "built without FLINT");
  return SAR_OK;
}
#endif
