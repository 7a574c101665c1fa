// Commands of a viewer: one JSON object each (docs/window-protocol.md, "Text to the server"). They
// come from outside and are read strictly: a field that is unknown, given twice, missing or of
// another type is an error, and so is everything behind the object.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef enum SarCommandKind {
  SAR_DO_RUN,
  SAR_DO_PAUSE,
  SAR_DO_STEP,
  SAR_DO_RESET,
  SAR_DO_SPEED,
  SAR_DO_INPUT,
  SAR_DO_PARAMETER,
  SAR_DO_PULL,
  SAR_DO_RELEASE,
  SAR_DO_PING,
  SAR_DO_KINDS
} SarCommandKind;

enum { SAR_COMMAND_BYTES = 4096, SAR_COMMAND_NAME = 128, SAR_COMMAND_STEPS = 1000 };

typedef struct SarCommand {
  SarCommandKind kind;
  long id;     // -1: none was given
  int count;   // of steps
  int body;    // of the pull
  int target;  // which input or parameter; found by whoever knows the model
  double value;
  double point[3], to[3];
  char name[SAR_COMMAND_NAME];
} SarCommand;

// True: `out` is whole and in bounds. False: `error` says what was expected; out->id is set if it
// was read before that.
bool sar_command_parse(const char* text, size_t size, SarCommand* out, char* error, size_t room);
