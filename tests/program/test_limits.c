// What no input may do: take more memory than the limit, steer the terminal, or leave a lack of
// memory unsaid.
#include "support/program.h"

#include <sys/resource.h>
#include <unistd.h>

// ---- models of any size -------------------------------------------------------------------------

static FILE* open_in_folder(const char* name) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  return f;
}

static void put_flat(const char* name, int n) {
  FILE* f = open_in_folder(name);
  fprintf(f, "sarrus: 1\noutputs: [energy]\nbodies:\n");
  for (int i = 0; i < n; i++)
    fprintf(f, "  b%d: {sphere: 0.1, mass: 1, at: [%d, 0, 0], velocity: [0, 0, 1]}\n", i, i);
  fclose(f);
}

static void put_chain(const char* name, int n) {
  FILE* f = open_in_folder(name);
  fprintf(f, "sarrus: 1\noutputs: [energy]\nbodies:\n");
  for (int i = 0; i < n; i++)
    fprintf(f, "  b%d: {rod: [[%d, 0, 0], [%d, 0, 0]], mass: 1}\n", i, i, i + 1);
  fprintf(f, "joints:\n  j0: {revolute: [ground, b0], axis: y}\n");
  for (int i = 1; i < n; i++)
    fprintf(f, "  j%d: {revolute: [b%d, b%d], at: [%d, 0, 0], axis: y}\n", i, i - 1, i, i);
  fclose(f);
}

static void put_urdf(const char* name, int n) {
  FILE* f = open_in_folder(name);
  fprintf(f, "<robot name='chain'>\n<link name='l0'/>\n");
  for (int i = 1; i <= n; i++)
    fprintf(
        f,
        "<link name='l%d'><inertial><mass value='1'/><origin xyz='0.5 0 0'/><inertia ixx='0.01' "
        "iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
        "<joint name='j%d' type='revolute'><parent link='l%d'/><child link='l%d'/><origin "
        "xyz='1 0 0'/><axis xyz='0 1 0'/><limit lower='-3' upper='3' effort='9' velocity='9'/>"
        "</joint>\n",
        i, i, i - 1, i);
  fprintf(f, "</robot>\n");
  fclose(f);
}

// Runs the program and gives its largest memory in bytes.
static double memory_of(const char* const* argument, int* status) {
  char program[300];
  struct rusage used;
  snprintf(program, sizeof program, "%s/sarrus", SARRUS_BINARY_DIR);
  const pid_t pid = fork();
  if (pid == 0) {
    char err[200];
    snprintf(err, sizeof err, "%s/err", program_folder);
    if (!freopen("/dev/null", "w", stdout) || !freopen(err, "w", stderr)) _exit(99);
    execv(program, (char* const*)(uintptr_t)argument);
    _exit(99);
  }
  assert_int_equal(wait4(pid, status, 0, &used), pid);
  *status = WIFEXITED(*status) ? WEXITSTATUS(*status) : -1;
  return (double)used.ru_maxrss * 1024;
}

static void path_of(const char* name, char* path, size_t size) {
  snprintf(path, size, "%s/%s", program_folder, name);
}

// What lists that grow by halves may have taken in vain.
static const double SPARE = 20e6;

// The program itself, its libraries, and what they keep: what it takes for one body.
static double memory_of_program(void) {
  int status;
  char path[200];
  put_flat("one.yaml", 1);
  path_of("one.yaml", path, sizeof path);
  const char* const run[] = {"sarrus", "run", path,    "-f",    "aba",
                             "-i",     "rk4", "--end", "0.003", NULL};
  const double bytes = memory_of(run, &status);
  assert_int_equal(status, 0);
  return bytes + SPARE;
}

// 1e5 bodies within 600 MB: 5.5 kB each, and no more as models grow.
static void memory_grows_with_the_model_alone(void** state) {
  (void)state;
  skip_if_sanitized();
  const int n = test_effort(10000);
  const double program_bytes = memory_of_program();
  static void (*const put[])(const char*, int) = {put_flat, put_chain, put_urdf};
  static const char* const file[] = {"m.yaml", "m.yaml", "m.urdf"};
  for (int k = 0; k < 3; k++) {
    char path[200];
    int status;
    put[k](file[k], n);
    path_of(file[k], path, sizeof path);
    const char* const run[] = {"sarrus", "run",    path,   "-f",    "aba",   "-i",
                               "rk4",    "--step", "1e-3", "--end", "0.003", NULL};
    const double bytes = memory_of(run, &status);
    assert_int_equal(status, 0);
    if (bytes > program_bytes + 5500.0 * n)
      fail_msg("%d: %g bytes for %d bodies", k, bytes - program_bytes, n);
  }
}

// A chain of 1e5 bodies fits into 600 MB, as the program itself counts them: read, compiled, run.
static void a_long_chain_keeps_the_limit(void** state) {
  (void)state;
  skip_if_sanitized();
  const int n = 100000;
  char arguments[200];
  put_chain("long.yaml", n);
  snprintf(arguments, sizeof arguments,
           "run @long.yaml -f aba -i rk4 --step 1e-3 --end 0.001 --limit %.0f", 6000.0 * n);
  expect_status_of(sarrus(arguments), 0);
}

// Whatever the limit, it holds, and a model that does not fit is told so with status 3.
static void the_limit_holds(void** state) {
  (void)state;
  skip_if_sanitized();
  Rng rng = rng_seed(test_seed(7));
  const int n = 4000;
  int refused = 0, done = 0;
  const double program_bytes = memory_of_program();
  put_chain("c.yaml", n);
  put_flat("f.yaml", n);
  put_urdf("u.urdf", n);
  static const char* const file[] = {"c.yaml", "f.yaml", "u.urdf"};
  static const char* const formulation[] = {"aba", "crba", "lagrange"};
  for (int k = 0; k < 2 || k < test_effort(12); k++) {
    char path[200], limit[32], err[4096];
    int status;
    // at first one that nothing fits into, then one for all of them
    const double share = k == 0 ? 0 : k == 1 ? 1 : rng_uniform(&rng, 0, 1);
    const double bytes = 1e6 * pow(200, share);
    path_of(file[rng_next(&rng) % 3], path, sizeof path);
    snprintf(limit, sizeof limit, "%.0f", bytes);
    const char* const run[] = {
        "sarrus", "run",     path,     "-f",   formulation[rng_next(&rng) % 3],
        "-i",     "rk4",     "--step", "1e-3", "--end",
        "0.001",  "--limit", limit,    NULL};
    const double most = memory_of(run, &status);
    char log[200];
    path_of("err", log, sizeof log);
    read_all(log, err, sizeof err);
    if (most > program_bytes + bytes) fail_msg("%s --limit %s: %g bytes", path, limit, most);
    if (status == 3) expect_has(err, "of memory while");
    if (status == 3) expect_has(err, "--limit");
    if (status != 0 && status != 3) fail_msg("%s --limit %s: status %d", path, limit, status);
    refused += status == 3;
    done += status == 0;
  }
  assert_true(refused > 0 && done > 0);
}

static void every_command_keeps_the_limit(void** state) {
  (void)state;
  put_chain("small.yaml", 200);
  static const char* const command[] = {"run",   "check",   "info", "static",
                                        "modes", "compare", "plot"};
  for (size_t k = 0; k < sizeof command / sizeof *command; k++) {
    char arguments[100];
    snprintf(arguments, sizeof arguments, "%s @small.yaml --limit 300k", command[k]);
    const Result* r = expect_status_of(sarrus(arguments), 3);
    expect_has(r->err, "needs more than 300 kB of memory while");
  }
  // it loads, and is too large for what is asked of it
  const Result* r = expect_status_of(sarrus("static @small.yaml --limit 4M"), 3);
  expect_has(r->err, "needs more than 4 MB of memory while looking for an equilibrium");
  r = expect_status_of(sarrus("run @small.yaml --limit 1e6 --json"), 3);
  expect_has(r->out, "\"exit_status\": 3");
  static const char* const wrong[] = {"0", "-1", "x", "1X", "G", "1e300", "nan"};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    char arguments[100];
    snprintf(arguments, sizeof arguments, "run @small.yaml --limit=%s", wrong[k]);
    expect_has(expect_status_of(sarrus(arguments), 2)->err, "--limit");
  }
}

// ---- control characters -------------------------------------------------------------------------

static void expect_printable(const char* text, const char* what) {
  for (const unsigned char* c = (const unsigned char*)text; *c; c++) {
    const bool c1 = c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0;
    if ((*c < 0x20 && *c != '\n') || *c == 0x7F || *c == 0xFF || c1)
      fail_msg("%s: character %d in: %s", what, *c, text);
  }
}

static void nothing_steers_the_terminal(void** state) {
  (void)state;
  static const char* const text[] = {
      "sarrus: 1\nname: \"a\\e[31m\"\nbodies: {a: {sphere: 1, mass: 1}}\n",
      "sarrus: 1\nbodies: {\"b\\e[2J\": {sphere: 1, mass: 1}}\n",
      "sarrus: 1\nbodies: {a: {sphere: \"\\e]0;x\\a\", mass: 1}}\n",
      "sarrus: 1\nbodies: {a: {sphere: 1, mass: \"q\\x9b + 1\"}}\n",
      "sarrus: 1\ninclude: [\"\\e[1m.yaml\"]\nbodies: {a: {sphere: 1, mass: 1}}\n",
      "sarrus: 1\nbodies: {a: {sphere: 1, mass: 1, \"ma\\x7fss\": 2}}\n",
      "sarrus: 1\nbodies: {a: {sphere: 1, mass: 1}}\noutputs: [{value: t, name: \"\\e[5m\"}]\n",
      "sarrus: 1\nbodies: {a: \033[31m}\n",
      "sarrus: 1\nbodies: {a: \xff}\n",
  };
  for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
    write_file("e.yaml", text[k]);
    const Result* r = expect_status_of(sarrus("check @e.yaml"), 3);
    expect_printable(r->err, text[k]);
    r = expect_status_of(sarrus("run @e.yaml --json"), 3);
    expect_printable(r->err, text[k]);
    expect_printable(r->out, text[k]);
  }
  write_file("e.urdf",
             "<robot name='r'><link name='a\xc2\x9b"
             "31m'/></robot>");
  expect_printable(expect_status_of(sarrus("info @e.urdf"), 3)->err, "URDF");
  write_file("\033[31m\xff.yaml",
             "sarrus: 1\nbodies: {a: {sphere: 1, mass: 1, velocity: [1, 0, 0]}}\n");
  static const char* const command[] = {"run", "check", "static", "modes"};
  for (int k = 0; k < 4; k++) {
    char arguments[100];
    snprintf(arguments, sizeof arguments, "%s '@\033[31m\xff.yaml'", command[k]);
    const Result* r = sarrus(arguments);
    expect_printable(r->out, command[k]);
    expect_printable(r->err, command[k]);
  }
  expect_printable(expect_status_of(sarrus("run 'no\033[1m.yaml'"), 2)->err, "path");
  expect_printable(expect_status_of(sarrus("list 'no\033[1m'"), 2)->err, "list");
  expect_printable(expect_status_of(sarrus("'no\033[1m'"), 2)->err, "command");
}

// ---- lack of memory -----------------------------------------------------------------------------

// One run with allocation n refused (0: none); blocks that were never given back.
static const Result* starved(const char* arguments, long n, long* count, long* live) {
  static Result r;
  char command[1000], report[160], out[160], err[160];
  int refused;
  path_of("report", report, sizeof report);
  path_of("out", out, sizeof out);
  path_of("err", err, sizeof err);
  unlink(report);
  snprintf(command, sizeof command,
           "cd '%s' && LD_PRELOAD=%s/tests/libsarrus_alloc.so SARRUS_ALLOC_FAIL=%ld "
           "SARRUS_ALLOC_REPORT=%s %s/sarrus %s >%s 2>%s",
           program_folder, SARRUS_BINARY_DIR, n, report, SARRUS_BINARY_DIR, arguments, out, err);
  const int status = system(command);
  r.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  read_all(out, r.out, sizeof r.out);
  read_all(err, r.err, sizeof r.err);
  FILE* f = fopen(report, "r");
  if (!f || fscanf(f, "%ld %d %ld", count, &refused, live) != 3) *count = *live = -1;
  if (f) fclose(f);
  return &r;
}

// Every command with one allocation refused: status 1 and words, or what it does otherwise
// (libraries do without some); nothing is leaked.
static void a_lack_of_memory_is_said(void** state) {
  (void)state;
  skip_if_sanitized();
  static const char* const command[] = {"run p.yaml --end 0.02 --out o.csv -q",
                                        "run p.yaml --end 0.02 --save s.state -q",
                                        "run d.yaml --end 0.01 --step 1e-3 -q",
                                        "run d.yaml --end 0.01 --step 1e-3 -q -f global",
                                        "check d.yaml",
                                        "check d.yaml --json",
                                        "info d.yaml",
                                        "kinematics d.yaml --points 4 --out k.csv",
                                        "kinematics d.yaml --points 3 --branches --trials 3",
                                        "inverse d.yaml --points 4 --out k.csv",
                                        "static p.yaml",
                                        "modes p.yaml",
                                        "compare p.yaml --end 0.02 -f aba -i rk4 --steps 1e-2 -q",
                                        "check r.urdf"};
  write_file("p.yaml",
             "sarrus: 1\nbodies: {rod: {rod: [[0, 0, 0], [0, 0, -1]], mass: 1}}\n"
             "joints: {hinge: {revolute: [ground, rod], axis: y, damping: 1}}\n");
  write_file(
      "d.yaml",
      "sarrus: 1\nplanar: xy\nbodies:\n  a: {rod: [[0, 0, 0], [0, 1, 0]], mass: 1}\n"
      "  b: {rod: [[0, 1, 0], [2, 1, 0]], mass: 1}\n  c: {rod: [[2, 1, 0], [2, 0, 0]], mass: 1}\n"
      "joints:\n  A: {revolute: [ground, a], at: [0, 0, 0]}\n  B: {revolute: [a, b], at: [0, 1, "
      "0]}\n"
      "  C: {revolute: [b, c], at: [2, 1, 0]}\n  D: {revolute: [ground, c], at: [2, 0, 0]}\n"
      "constraints:\n  drive: {motion: A, value: 'sin(t)/3'}\noutputs: [joints]\n");
  put_urdf("r.urdf", 3);
  Rng rng = rng_seed(test_seed(11));
  for (size_t k = 0; k < sizeof command / sizeof *command; k++) {
    long count = 0, live = 0, count_now, live_now;
    static Result usual;
    usual = *starved(command[k], 0, &count, &live);
    assert_int_equal(usual.status, 0);
    assert_true(count > 0);
    const int trials = test_effort(15);
    for (int i = 0; i < trials; i++) {
      const long n = trials >= count ? 1 + i % count : 1 + (long)(rng_next(&rng) % (unsigned)count);
      const Result* r = starved(command[k], n, &count_now, &live_now);
      const bool said = strstr(r->err, "out of memory") || strstr(r->out, "out of memory");
      if (r->status != 0 && (r->status != 1 || !said))
        fail_msg("%s, allocation %ld: status %d, %s", command[k], n, r->status, r->err);
      // runs and comparisons print times
      const bool fixed =
          strncmp(command[k], "run", 3) != 0 && strncmp(command[k], "compare", 7) != 0;
      if (r->status == 0 && fixed && strcmp(r->out, usual.out) != 0)
        fail_msg("%s, allocation %ld: another result: %s", command[k], n, r->out);
      if (live_now > live)
        fail_msg("%s, allocation %ld: %ld blocks leaked", command[k], n, live_now - live);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_grows_with_the_model_alone),
      cmocka_unit_test(a_long_chain_keeps_the_limit),
      cmocka_unit_test(the_limit_holds),
      cmocka_unit_test(a_lack_of_memory_is_said),
      cmocka_unit_test(every_command_keeps_the_limit),
      cmocka_unit_test(nothing_steers_the_terminal),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
