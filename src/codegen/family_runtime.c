// Vectors of the members of families in generated code (families.h): PREFIX_v4 and PREFIX_v2.
//
// Where a compiler has vector types and the machine has vectors, a loop over the members is one
// pass with values of type PREFIX_v4_real; elsewhere it is a loop, and they are doubles.
#include "codegen/families.h"
#include "codegen/lanes.h"

static const char vectors_text[] =
    "typedef double @_real __attribute__((vector_size(LANES * sizeof(double))));\n"
    "typedef @_real @_lanes __attribute__((aligned(8), may_alias));\n"
    "#define @_each\n"
    "#define @_here(p) (*(@_lanes*)(p))\n"
    "#define @_there(p) (*(const @_lanes*)(p))\n"
    "#define @_step(p, n) ((@_real){STEPS})\n";

static const char loop_text[] =
    "typedef double @_real;\n"
    "#define @_each for (int k = 0; k < LANES; k++)\n"
    "#define @_here(p) ((p)[k])\n"
    "#define @_there(p) ((p)[k])\n"
    "#define @_step(p, n) ((p)[(n) * k])\n"
    "#define @_all(x) (x)\n";

static const char select_text[] =
    "static inline double @_select(double c, double x, double y) { return c != 0 ? x : y; }\n";

// Functions of one member at a time.
static void write_loop(SarWriter* w, const SarRuntime* uses) {
  sar_write(w, "%s", loop_text);
  for (int op = 0; op < SAR_OP_COUNT; op++) {
    const int arity = sar_op_arity((SarOp)op);
    const bool sign = op == SAR_OP_NEG || op == SAR_OP_ADD || op == SAR_OP_SUB ||
                      op == SAR_OP_MUL || op == SAR_OP_DIV;
    if (!uses->op[op] || sign || arity == 0) continue;
    sar_write(w, "static inline double @_%s(double x%s) { return %s; }\n",
              sar_lanes_function((SarOp)op), arity == 2 ? ", double y" : "", sar_op_c((SarOp)op));
  }
  if (uses->op[SAR_OP_SELECT]) sar_write(w, "%s", select_text);
}

void sar_family_switch(SarWriter* w, const char* model) {
  sar_write(w,
            "#if defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__)) && "
            "!defined(SARRUS_PLAIN_LANES)\n#define %s_VECTORS\n#ifdef __clang__\n"
            "#pragma clang diagnostic ignored \"-Wunknown-warning-option\"\n#endif\n"
            "#pragma GCC diagnostic ignored \"-Wpsabi\"  // vectors stay within this file\n"
            "#endif\n\n",
            model);
}

void sar_family_runtime(SarWriter* w, const char* model, int lanes, const SarRuntime* uses) {
  SarArena* arena = w->arena;
  SarWriter vectors = {.arena = arena}, named = vectors, raw = vectors, counted = vectors,
            whole = vectors;
  const char* prefix = sar_arena_printf(arena, "%s_v%d", model, lanes);
  const char *real = sar_arena_printf(arena, "%s_real", prefix),
             *number = sar_arena_printf(arena, "%d", lanes);
  if (!prefix || !real || !number) return;
  sar_lanes_runtime(&vectors, prefix, model, lanes, uses);
  sar_lanes_replace(&named, &vectors, "real", real);
  sar_write(&raw, "#ifdef %s_VECTORS\n%s", model, vectors_text);
  if (named.text.count > 0) sar_write(&raw, "%.*s", named.text.count, named.text.items);
  sar_write(&raw, "#else\n");
  write_loop(&raw, uses);
  sar_write(&raw, "#endif\n\n");
  sar_lanes_replace(&counted, &raw, "LANES", number);
  sar_lanes_replace(&whole, &counted, "STEPS",
                    lanes == 2 ? "(p)[0], (p)[n]" : "(p)[0], (p)[n], (p)[2 * (n)], (p)[3 * (n)]");
  if (arena->failed) return;
  sar_write(w, "// Members of families of %d, side by side in vectors or one after the other.\n",
            lanes);
  sar_runtime_text(w, prefix, sar_arena_strndup(arena, whole.text.items, (size_t)whole.text.count));
}
