// Models from texts of MJCF, or of any format, with what the reader said of the last one.
#pragma once
#include "support/test.h"

static SarError heard;

// NULL after an error: see heard.
static inline SarModel* parse(const char* text, const char* format) {
  SarModel* m = NULL;
  sar_error_init(&heard);
  sar_model_parse(text, strlen(text), format, "model.xml", NULL, &m, &heard);
  return m;
}

static inline SarModel* good_as(const char* text, const char* format) {
  SarModel* m = parse(text, format);
  char line[1200];
  if (!m) fail_msg("%s\n%s", sar_error_format(&heard, 0, line, sizeof line), text);
  return m;
}

static inline SarModel* good(const char* text) { return good_as(text, "mjcf"); }

// How many messages hold this part.
static inline int times_said(const char* part) {
  char line[1200];
  int n = 0;
  for (int i = 0; i < heard.count; i++)
    n += strstr(sar_error_format(&heard, i, line, sizeof line), part) != NULL;
  return n;
}

static inline bool said(const char* part) { return times_said(part) > 0; }
