// Where the files of a model may be: one rule for includes of included files, tables and meshes,
// tried with every way out of the folder: absolute names, .., symbolic links to files and folders,
// and a folder whose name begins like the model's.
#include "support/test.h"

#include "sarrus/sarrus.h"

#include <sys/stat.h>
#include <unistd.h>

static char root[256];

static const char* at(const char* name) {
  static char path[8][512];
  static int turn;
  char* p = path[turn++ % 8];
  snprintf(p, sizeof path[0], "%s/%s", root, name);
  return p;
}

static void put(const char* name, const char* text) {
  FILE* f = fopen(at(name), "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static const char part[] = "sarrus: 1\nbodies: {x: {mass: 1, inertia: [1, 1, 1]}}\n";
static const char table[] = "x,y\n0,0\n1,1\n";
static const char mesh[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static int make_folders(void** state) {
  (void)state;
  snprintf(root, sizeof root, "/tmp/sarrus_find_XXXXXX");
  if (!mkdtemp(root)) return -1;
  static const char* const folders[] = {"model", "model/parts", "model_2", "other"};
  for (size_t i = 0; i < 4; i++) mkdir(at(folders[i]), 0700);
  static const char* const places[] = {"model", "model/parts", "model_2", "other"};
  for (size_t i = 0; i < 4; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s/f.yaml", places[i]), put(name, part);
    snprintf(name, sizeof name, "%s/f.csv", places[i]), put(name, table);
    snprintf(name, sizeof name, "%s/f.obj", places[i]), put(name, mesh);
  }
  static const char* const endings[] = {"yaml", "csv", "obj"};
  for (size_t i = 0; i < 3; i++) {
    char to[64], link[64];
    snprintf(to, sizeof to, "../../other/f.%s", endings[i]);
    snprintf(link, sizeof link, "model/parts/link.%s", endings[i]);
    if (symlink(to, at(link)) != 0) return -1;
    snprintf(to, sizeof to, "../f.%s", endings[i]);
    snprintf(link, sizeof link, "model/parts/inner.%s", endings[i]);
    if (symlink(to, at(link)) != 0) return -1;
  }
  return symlink("../../other", at("model/parts/away"));
}

static int remove_folders(void** state) {
  (void)state;
  char command[300];
  snprintf(command, sizeof command, "rm -r '%s'", root);
  return system(command);
}

// A model in model/parts that names `file` in each of three ways; model/m.yaml includes it.
static SarStatus load(int way, const char* file, const SarLoadOptions* o, SarError* err) {
  static const char* const forms[] = {
      "sarrus: 1\ninclude: [{file: \"%s.yaml\", prefix: q_}]\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n",
      "sarrus: 1\ntables: {c: {file: \"%s.csv\", columns: [x, y]}}\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n",
      "sarrus: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1], contact: {hull: \"%s.obj\"}}}\n"};
  char text[1024];
  SarModel* m = NULL;
  snprintf(text, sizeof text, forms[way], file);
  put("model/parts/named.yaml", text);
  put("model/m.yaml", "sarrus: 1\ninclude: [parts/named.yaml]\n");
  sar_error_init(err);
  const SarStatus st = sar_model_load(at("model/m.yaml"), o, &m, err);
  sar_model_free(m);
  return st;
}

static void ways_in_and_out(void** state) {
  (void)state;
  char absolute_in[300], absolute_out[300];
  snprintf(absolute_in, sizeof absolute_in, "%s/model/f", root);
  snprintf(absolute_out, sizeof absolute_out, "%s/other/f", root);
  const struct {
    const char* name;
    bool inside;
  } cases[] = {{"f", true},
               {"./f", true},
               {"../f", true},  // of the folder of the model
               {"../parts/f", true},
               {"inner", true},  // a link that stays inside
               {absolute_in, true},
               {"../../other/f", false},
               {"../../model_2/f", false},
               {"link", false},
               {"away/f", false},
               {absolute_out, false}};
  for (int way = 0; way < 3; way++)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      SarError err;
      char line[1200] = "";
      const SarStatus st = load(way, cases[i].name, NULL, &err);
      if (err.count) sar_error_format(&err, 0, line, sizeof line);
      if ((st == SAR_OK) != cases[i].inside)
        fail_msg("way %d, '%s': %s %s", way, cases[i].name, sar_status_text(st), line);
      if (!cases[i].inside && !strstr(line, "is outside the folder of the model"))
        fail_msg("way %d, '%s': %s", way, cases[i].name, line);
    }
}

static void search_paths_open_folders(void** state) {
  (void)state;
  char other[300];
  snprintf(other, sizeof other, "%s/other", root);
  const char* const paths[] = {other};
  const SarLoadOptions o = {.search_paths = paths, .search_path_count = 1};
  for (int way = 0; way < 3; way++) {
    SarError err;
    EXPECT_OK_OR(load(way, "link", &o, &err), &err);
    EXPECT_OK_OR(load(way, "away/f", &o, &err), &err);
    EXPECT_STATUS(load(way, "../../model_2/f", &o, &err), SAR_BAD_MODEL);
  }
}

// What the model itself includes is its author's choice.
static void the_model_includes_from_anywhere(void** state) {
  (void)state;
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  put("model/m.yaml", "sarrus: 1\ninclude: [../other/f.yaml]\n");
  EXPECT_OK_OR(sar_model_load(at("model/m.yaml"), NULL, &m, &err), &err);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ways_in_and_out),
      cmocka_unit_test(search_paths_open_folders),
      cmocka_unit_test(the_model_includes_from_anywhere),
  };
  return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
