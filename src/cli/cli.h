// The command line: a table of commands, each with a table of options. Parsing, --help, the man
// page and the shell completions are all made from these tables, so they cannot disagree.
#pragma once
#include "sarrus/sarrus.h"

// The ground that all commands stand on, beside the public functions: memory, messages, texts,
// JSON.
#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "base/text.h"
#include "output/json.h"

#include <stdbool.h>
#include <stdio.h>

// Exit statuses, as documented.
enum { EXIT_DONE = 0, EXIT_INTERNAL = 1, EXIT_USAGE = 2, EXIT_MODEL = 3, EXIT_NUMERICS = 4 };

enum {
  CLI_MAX_COMMON = 7,
  CLI_MAX_OPTIONS = 48,
  CLI_MAX_SETS = 64,
  CLI_MAX_PATHS = 16,
  CLI_MAX_FUNCTIONS = 100
};

typedef struct CliOption {
  const char* name;      // without dashes: "step"
  char letter;           // short form, 0: none
  const char* argument;  // "SECONDS"; NULL: a flag
  const char* doc;       // one sentence
  const char* complete;  // "file", or the name of a sar_list to complete from; NULL: nothing
} CliOption;

// Options of every command that reads models.
// Which method makes the steps, and how errors are controlled: options of every command that runs.
// clang-format off
#define CLI_METHOD                                                                                 \
  {"formulation", 'f', "NAME", "Equations of motion to use; 'sarrus list formulations'.",          \
   "formulations"},                                                                                \
  {"integrator", 'i', "NAME", "Time stepping; 'sarrus list integrators'.", "integrators"},         \
  {"step", 's', "SECONDS", "Step where steps are fixed, first step where they adapt.", NULL}
#define CLI_TOLERANCES                                                                             \
  {"rtol", 0, "X", "Relative tolerance of adaptive steps.", NULL},                                 \
  {"atol", 0, "X", "Absolute tolerance of adaptive steps.", NULL},                                 \
  {"max-step", 0, "SECONDS", "Largest adaptive step.", NULL},                                      \
  {"fixed", 0, NULL, "Fixed steps, also with an integrator that adapts its step by itself.", NULL},\
  {"adaptive", 0, NULL,                                                                            \
   "Error control, also with an integrator that takes fixed steps by itself.", NULL}
// clang-format on
#define CLI_SET                                                                       \
  {"set", 0, "NAME=VALUE", "Set a parameter of the model; may be repeated.", NULL}, { \
    "key", 0, "NAME", "Begin at one of the named starts of the model.", NULL          \
  }
#define CLI_COORDINATES                                                                           \
  {                                                                                               \
    "coordinates", 0, "KIND",                                                                     \
        "relative (a tree and its loops), mixed (platforms their own) or absolute (all bodies).", \
        NULL                                                                                      \
  }
#define CLI_PATH                                                                              \
  {                                                                                           \
    "path", 'I', "FOLDER",                                                                    \
        "Where to look for included files and package:// resources; may be repeated.", "file" \
  }

typedef struct CliArgs CliArgs;

typedef struct CliCommand {
  const char* name;
  const char* operands;  // "MODEL", "RESULT..."
  int min_operands, max_operands;
  const char* summary;       // one line
  const char* text;          // a few paragraphs
  const char* examples;      // one per line, "command\twhat it does"
  const CliOption* options;  // ended by an entry without name; those of cli_common are added to all
  int (*run)(const CliArgs* args);
  bool keep_fixed;  // looks at every body and joint: SarLoadOptions.keep_fixed
  const char* const* (*words)(int* count);  // what the operand is one of; NULL: a file
} CliCommand;

// A parsed command line. value[i] belongs to command->options[i]; flags have the value "".
struct CliArgs {
  const CliCommand* command;
  const char* value[CLI_MAX_OPTIONS];  // NULL: not given
  const char* set[CLI_MAX_SETS];       // every --set, in order
  int set_count;
  const char* path[CLI_MAX_PATHS];  // every --path, in order
  int path_count;
  const char* functions[CLI_MAX_PATHS];  // every --functions, in order
  int functions_count;
  const char* fmu[CLI_MAX_PATHS];  // every --fmu, in order
  int fmu_count;
  const char* to[CLI_MAX_SETS];  // every --to, in order
  int to_count;
  const char* vary[CLI_MAX_SETS];  // every --vary, in order
  int vary_count;
  const char* random[CLI_MAX_SETS];  // every --random, in order
  int random_count;
  const char* over[CLI_MAX_SETS];  // every --over, in order
  int over_count;
  const char* start[CLI_MAX_SETS];  // every --start, in order
  int start_count;
  const char* subject[CLI_MAX_SETS];  // every --subject-to, in order
  int subject_count;
  const char* sigma[CLI_MAX_SETS];  // every --sigma, in order
  int sigma_count;
  const char* const* operand;
  int operand_count;
  bool json, force;
  size_t limit;  // --limit, bytes; 0: not given
};

extern const CliOption cli_common[];            // options of every command, ended as the others
extern const CliCommand* const cli_commands[];  // ended by NULL, in the order of the help

const CliCommand* cli_find(const char* name);
// What was meant by a word that is no command, or no option of one: near to it, or its name
// elsewhere. NULL: nothing is known (words.c).
const char* cli_meant_command(const char* word);
const char* cli_meant_option(const CliCommand* command, const char* word);
bool cli_is_file(const char* word);  // by its ending: a model
// "body", "bodies"
static inline const char* cli_plural(int n, const char* one, const char* many) {
  return n == 1 ? one : many;
}
const char* cli_value(const CliArgs* args, const char* option);  // NULL: not given
// The option's value as a number > 0 (fallback when not given); false after a message.
bool cli_positive(const CliArgs* args, const char* option, double* value);
// The same for any number.
bool cli_number(const CliArgs* args, const char* option, double* value);
// "error: ..." to stderr with the command's name and a pointer to --help; returns EXIT_USAGE.
int cli_usage_error(const CliCommand* command, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// report.c: what --json promises. Is it wanted? An object that a command prints begins with
// cli_json_begin; a message that goes to stderr is kept; and what ends without an object gets one
// from cli_finish, which returns the exit status. A path or another text from outside as it may be
// printed: control characters made visible. Good until the fourth call after it.
const char* cli_shown(const char* text);
void cli_json_want(int argc, char** argv);
void cli_json_begin(SarJson* j);
void cli_keep_message(const SarDiag* message);
// The model that was read: messages without a place are about it from then on.
void cli_is_about(const char* path);
const char* cli_about(void);  // "": none
void cli_json_messages(SarJson* j, const SarError* err);
int cli_finish(const char* command, int status);

// lists.c: comma-separated values
enum { CLI_MAX_LIST = 64, CLI_LIST_TEXT = 1024 };
typedef struct CliNames {
  int count;
  const char* item[CLI_MAX_LIST];
  char text[CLI_LIST_TEXT];
} CliNames;
typedef struct CliNumbers {
  int count;
  double item[CLI_MAX_LIST];
} CliNumbers;
// The option's names, each one of the sar_list `list`; "all" stands for every one. `otherwise` is
// its value when it is not given; NULL: none. False after a message.
bool cli_names(const CliArgs* args, const char* option, const char* otherwise, const char* list,
               CliNames* out);
// The same for words out of `known` (ended by NULL), and for numbers > 0.
bool cli_words(const CliArgs* args, const char* option, const char* otherwise,
               const char* const* known, CliNames* out);
bool cli_numbers(const CliArgs* args, const char* option, CliNumbers* out);

// help.c
void cli_print_help(FILE* out);
void cli_print_command_help(FILE* out, const CliCommand* command);

// model.c: what every command that reads a model does
// {model, ok, status, errors, messages}: what there is to say about a model.
void cli_json_verdict(SarJson* j, const char* path, SarStatus status, const SarError* err);
// "sarrus modes: PATH: out of memory" to stderr, where no message says more.
void cli_say_status(const char* who, const char* path, SarStatus status);
// All messages to stderr; with --json a failure is a document on stdout too.
void cli_report(const CliArgs* args, const char* path, SarStatus status, const SarError* err);
// Does the formulation of this name need a model in absolute coordinates?
bool cli_needs_absolute(const char* formulation);
// Loads with --set, --path and --coordinates (or those that --formulation and --kinematics need);
// prints messages to stderr. Sets *status to the exit status when NULL comes back.
SarModel* cli_load(const CliArgs* args, const char* path, int* status);
// The same with parameters and columns of the program's own.
typedef struct CliLoad {
  const char* coordinates;         // NULL: the file's
  const SarParameter* parameters;  // over those of --set
  int parameter_count;
  const SarExpression* columns;
  int column_count;
  bool quiet;  // no messages
} CliLoad;
SarModel* cli_load_as(const CliArgs* args, const char* path, const CliLoad* how, int* status);
// What --set, --path, --limit and `how` (Nullable) ask for, as options that point into *out; false
// after a message.
typedef struct CliLoading {
  char name[CLI_MAX_SETS][64];
  SarParameter parameter[2 * CLI_MAX_SETS];
  SarUserFunction function[CLI_MAX_FUNCTIONS];
  SarLoadOptions o;
} CliLoading;
bool cli_load_options(const CliArgs* args, const CliLoad* how, CliLoading* out);
// The same in the coordinates given here; NULL: the file's.
SarModel* cli_load_in(const CliArgs* args, const char* path, const char* coordinates, int* status);
// Is this process one of an MPI job? Of how many, as far as its environment says; 0: no.
// (sweep_mpi.c)
int cli_mpi_ranks(void);
void cli_print_messages(const SarError* err);
int cli_exit_status(SarStatus status);
