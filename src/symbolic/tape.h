// Tapes: flat lists of three-address instructions over doubles, several results in one pass. No
// pointers inside, so that they can be copied into a model block; symbols have become slot numbers.
// An instruction costs about 2 ns, plus the function itself.
#pragma once

typedef struct SarInstr {
  unsigned short op;       // SarOp
  unsigned short a, b, c;  // registers: a <- op(b, c), with `value` in place of one, or a slot
  union {
    double value;
    int index;
  };
} SarInstr;

// One result.
typedef struct SarProgram {
  int count;      // instructions; 0 = the constant 0
  int registers;  // scratch doubles needed by an evaluation
  int result;     // register of the result
} SarProgram;

// Several results, each stored by a SAR_OP_RESULT as soon as it is known.
typedef struct SarTape {
  int count, registers, results;
  SarInstr* instr;
} SarTape;

enum { SAR_TAPE_MAX_REGISTERS = 65535 };

// No allocation; the work does not depend on the values. `scratch` holds `registers` doubles. Both
// give the same bits as folding constants in a graph.
double sar_program_eval(const SarProgram* p, const SarInstr* instrs, const double* slots,
                        double* scratch);
void sar_tape_eval(const SarTape* tape, const double* slots, double* scratch, double* results);

// The derivative of a program's value along a direction (forward mode), by the rules of
// functions.def, which sar_rates_new compiles once; NULL: no memory. At a kink: of the branch that
// holds.
typedef struct SarRates SarRates;
SarRates* sar_rates_new(void);
void sar_rates_free(SarRates* rates);  // NULL is fine
// slot_rates: the rates of the slots. Scratch as for sar_program_eval, twice. value Nullable. No
// allocation.
double sar_program_rate(const SarRates* rates, const SarProgram* p, const SarInstr* instrs,
                        const double* slots, const double* slot_rates, double* scratch,
                        double* scratch_rates, double* value);
