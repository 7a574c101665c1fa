// sarrus: finds the command, parses its options with getopt_long from its table, runs it.
#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_HELP = 1000, CODE_JSON, CODE_FORCE, CODE_LIMIT, CODE_FUNCTIONS, CODE_FMU, CODE_FIRST };

static const double LARGEST_LIMIT = 1e15;  // bytes

const char* cli_value(const CliArgs* args, const char* option) {
  for (int i = 0; args->command->options[i].name; i++)
    if (strcmp(args->command->options[i].name, option) == 0) return args->value[i];
  return NULL;
}

bool cli_number(const CliArgs* args, const char* option, double* value) {
  const char* text = cli_value(args, option);
  if (!text) return true;
  double x;
  if (!sar_text_to_double(text, strlen(text), &x) || !isfinite(x)) {
    cli_usage_error(args->command, "--%s: expected a number, found '%s'", option, text);
    return false;
  }
  *value = x;
  return true;
}

bool cli_positive(const CliArgs* args, const char* option, double* value) {
  const char* text = cli_value(args, option);
  if (!text) return true;
  double x;
  if (!sar_text_to_double(text, strlen(text), &x) || !isfinite(x) || x <= 0) {
    cli_usage_error(args->command, "--%s: expected a number greater than 0, found '%s'", option,
                    text);
    return false;
  }
  *value = x;
  return true;
}

// The table of a command as getopt wants it: long options with codes, short letters as a string.
static void build_getopt(const CliCommand* command, struct option* longs, char* shorts) {
  int n = 0, k = 0;
  shorts[k++] = ':';  // report a missing argument apart from an unknown option
  longs[n++] = (struct option){"help", no_argument, NULL, CODE_HELP};
  longs[n++] = (struct option){"json", no_argument, NULL, CODE_JSON};
  longs[n++] = (struct option){"force", no_argument, NULL, CODE_FORCE};
  longs[n++] = (struct option){"limit", required_argument, NULL, CODE_LIMIT};
  longs[n++] = (struct option){"functions", required_argument, NULL, CODE_FUNCTIONS};
  longs[n++] = (struct option){"fmu", required_argument, NULL, CODE_FMU};
  shorts[k++] = 'h';
  for (int i = 0; command->options[i].name; i++) {
    const CliOption* o = &command->options[i];
    longs[n++] = (struct option){o->name, o->argument ? required_argument : no_argument, NULL,
                                 CODE_FIRST + i};
    if (o->letter) shorts[k++] = o->letter;
    if (o->letter && o->argument) shorts[k++] = ':';
  }
  longs[n] = (struct option){0};
  shorts[k] = '\0';
}

static int unknown_option(const CliCommand* command, const char* word) {
  const char* meant = cli_meant_option(command, word);
  if (meant) return cli_usage_error(command, "no option '%s'; did you mean --%s?", word, meant);
  return cli_usage_error(command, "no option '%s'", word);
}

static int unknown_command(const char* word) {
  const char* meant = cli_meant_command(word);
  if (cli_is_file(word))
    return cli_usage_error(NULL, "no command '%s'; to simulate a model: sarrus run %s", word, word);
  if (meant) return cli_usage_error(NULL, "no command '%s'; did you mean '%s'?", word, meant);
  return cli_usage_error(NULL, "no command '%s'", word);
}

static int option_of_letter(const CliCommand* command, int letter) {
  for (int i = 0; command->options[i].name; i++)
    if (command->options[i].letter == letter) return i;
  return -1;
}

// Keeps every value of options that may be repeated, not only the last one; false after a message.
static bool keep_repeated(const CliCommand* command, const char* name, const char* value,
                          CliArgs* args) {
  const struct {
    const char* name;
    const char** value;
    int *count, most;
  } repeated[] = {{"set", args->set, &args->set_count, CLI_MAX_SETS},
                  {"to", args->to, &args->to_count, CLI_MAX_SETS},
                  {"vary", args->vary, &args->vary_count, CLI_MAX_SETS},
                  {"random", args->random, &args->random_count, CLI_MAX_SETS},
                  {"over", args->over, &args->over_count, CLI_MAX_SETS},
                  {"start", args->start, &args->start_count, CLI_MAX_SETS},
                  {"subject-to", args->subject, &args->subject_count, CLI_MAX_SETS},
                  {"sigma", args->sigma, &args->sigma_count, CLI_MAX_SETS},
                  {"functions", args->functions, &args->functions_count, CLI_MAX_PATHS},
                  {"fmu", args->fmu, &args->fmu_count, CLI_MAX_PATHS},
                  {"path", args->path, &args->path_count, CLI_MAX_PATHS}};
  for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++) {
    if (strcmp(repeated[i].name, name) != 0) continue;
    if (*repeated[i].count == repeated[i].most) {
      cli_usage_error(command, "more than %d times --%s", repeated[i].most, name);
      return false;
    }
    repeated[i].value[(*repeated[i].count)++] = value;
  }
  return true;
}

// A number of bytes: 800000000, 500M, 1.5G (powers of 1000).
static bool read_size(const CliCommand* command, const char* text, size_t* out) {
  static const char units[] = "kKmMgGtT";
  const size_t n = strlen(text);
  const char* unit = n > 0 ? strchr(units, text[n - 1]) : NULL;
  double x = 0;
  const bool good = sar_text_to_double(text, n - (unit != NULL), &x);
  if (unit) x *= pow(1000, (double)((unit - units) / 2 + 1));
  if (!good || !(x >= 1) || !(x <= LARGEST_LIMIT)) {
    cli_usage_error(command, "--limit: expected a size like 500M or 2G, found '%s'", text);
    return false;
  }
  *out = (size_t)x;
  return true;
}

// 0: go on; otherwise the exit status + 1 (help printed or a usage error reported)
static int parse(const CliCommand* command, int argc, char** argv, CliArgs* args) {
  struct option longs[CLI_MAX_OPTIONS + CLI_MAX_COMMON + 1];
  char shorts[2 * CLI_MAX_OPTIONS + 4];
  build_getopt(command, longs, shorts);
  opterr = 0;
  optind = 1;
  for (;;) {
    int code = getopt_long(argc, argv, shorts, longs, NULL);
    if (code == -1) break;
    if (code == CODE_HELP || code == 'h') {
      cli_print_command_help(stdout, command);
      return EXIT_DONE + 1;
    }
    if (code == CODE_JSON || code == CODE_FORCE) {
      *(code == CODE_JSON ? &args->json : &args->force) = true;
      continue;
    }
    if (code == CODE_LIMIT) {
      if (!read_size(command, optarg, &args->limit)) return 1 + EXIT_USAGE;
      continue;
    }
    if (code == CODE_FUNCTIONS || code == CODE_FMU) {
      const char* name = code == CODE_FMU ? "fmu" : "functions";
      if (!keep_repeated(command, name, optarg, args)) return 1 + EXIT_USAGE;
      continue;
    }
    if (code == ':')
      return 1 + cli_usage_error(command, "option '%s' needs a value", argv[optind - 1]);
    if (code == '?') return 1 + unknown_option(command, argv[optind - 1]);
    int i = code >= CODE_FIRST ? code - CODE_FIRST : option_of_letter(command, code);
    if (i < 0) return 1 + unknown_option(command, argv[optind - 1]);
    args->value[i] = command->options[i].argument ? optarg : "";
    if (!keep_repeated(command, command->options[i].name, optarg, args)) return 1 + EXIT_USAGE;
  }
  args->operand = (const char* const*)argv + optind;
  args->operand_count = argc - optind;
  if (args->operand_count < command->min_operands)
    return 1 + cli_usage_error(command, "expected %s", command->operands);
  if (command->max_operands >= 0 && args->operand_count > command->max_operands)
    return 1 + cli_usage_error(command, "unexpected '%s'", args->operand[command->max_operands]);
  return 0;
}

static int run(int argc, char** argv) {
  if (argc < 2) {
    cli_print_help(stderr);
    return EXIT_USAGE;
  }
  const char* word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    cli_print_help(stdout);
    return EXIT_DONE;
  }
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    printf("sarrus %s\n", sar_version());
    return EXIT_DONE;
  }
  const CliCommand* command = cli_find(word);
  if (!command) return unknown_command(word);
  CliArgs args = {.command = command};
  int stop = parse(command, argc - 1, argv + 1, &args);
  if (stop) return stop - 1;
  return command->run(&args);
}

int main(int argc, char** argv) {
  cli_json_want(argc, argv);
  int status = cli_finish(argc > 1 ? cli_shown(argv[1]) : NULL, run(argc, argv));
  // a full disk or a closed pipe must not pass for success
  if (fflush(stdout) != 0 && errno != EPIPE && status == EXIT_DONE) {
    fprintf(stderr, "sarrus: writing the standard output failed: %s\n", strerror(errno));
    status = EXIT_INTERNAL;
  }
  return status;
}
