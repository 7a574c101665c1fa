// Models for tests: from a file of tests/models or examples, or from a text. What cannot be loaded
// fails the test with all its messages.
#pragma once
#include "support/test.h"

static inline const char* model_path(char* path, size_t size, const char* name) {
  static const char* const folders[] = {"tests/models", "examples"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    snprintf(path, size, "%s/%s/%s", SARRUS_SOURCE_DIR, folders[i], name);
    FILE* f = fopen(path, "rb");
    if (!f) continue;
    fclose(f);
    return path;
  }
  fail_msg("no model file '%s' in tests/models or examples", name);
  return NULL;
}

// "pendulum.yaml"; `o` Nullable.
static inline SarModel* model_file(const char* name, const SarLoadOptions* o) {
  char path[512];
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_load(model_path(path, sizeof path, name), o, &m, &err), &err);
  return m;
}

// A whole text in YAML; `o` Nullable.
static inline SarModel* model_parse(const char* text, const SarLoadOptions* o) {
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_parse(text, strlen(text), "yaml", "text.yaml", o, &m, &err), &err);
  return m;
}

// A text in YAML, without the line `sarrus: 1`; `o` Nullable.
static inline SarModel* model_text_with(const char* yaml, const SarLoadOptions* o) {
  char text[16384];
  // the version goes behind, so that lines in messages are those of the text
  int n = snprintf(text, sizeof text, "%s\nsarrus: 1\n", yaml);
  assert_in_range(n, 1, sizeof text - 1);
  return model_parse(text, o);
}

static inline SarModel* model_text(const char* yaml) { return model_text_with(yaml, NULL); }
