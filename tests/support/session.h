// Commands to a session of the window, and what it notes.
#pragma once
#include "support/test.h"

#include "base/clock.h"
#include "view/session.h"

#include <string.h>
#include <time.h>

static inline void nap(void) {
  const struct timespec t = {.tv_nsec = 2000000};
  nanosleep(&t, NULL);
}

static inline bool command(SarSession* s, const char* text, char* error, size_t size) {
  SarCommand c;
  return sar_command_parse(text, strlen(text), &c, error, size) &&
         sar_session_command(s, &c, error, size);
}

static inline void tell(SarSession* s, const char* text) {
  char error[200] = "";
  if (!command(s, text, error, sizeof error)) fail_msg("%s: %s", text, error);
}

// Waits for a note of the log that begins so; a minute of wall time at most.
static inline SarNote wait_for_log(SarSession* s, const char* words) {
  SarNote note = {.time = (double)NAN};
  for (double until = sar_clock_wall() + 60; sar_clock_wall() < until; nap())
    while (sar_session_note(s, &note))
      if (note.kind == SAR_NOTE_LOG && strncmp(note.text, words, strlen(words)) == 0) return note;
  fail_msg("no note '%s'", words);
  return note;
}
