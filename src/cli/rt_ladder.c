// The rungs of sarrus rt --ladder.
#include "cli/rt.h"

#include <math.h>
#include <string.h>

enum { TEXT = 400 };

// One "name=value" of a rung. Names live as long as the options that they are put into.
static bool set(const CliArgs* args, char* item, SarSimOptions* o) {
  char* equals = strchr(item, '=');
  double x;
  if (!equals) {
    cli_usage_error(args->command, "--ladder: expected NAME=VALUE, found '%s'", cli_shown(item));
    return false;
  }
  *equals = '\0';
  const char* value = equals + 1;
  if (strcmp(item, "formulation") == 0) return (o->formulation = value) != NULL;
  if (strcmp(item, "integrator") == 0) return (o->integrator = value) != NULL;
  const bool number = sar_parse_number(value, &x) == SAR_OK && x > 0;
  if (number && strcmp(item, "step") == 0) return (o->step = x) > 0;
  if (number && strcmp(item, "budget") == 0) return (o->budget = x) > 0;
  if (number && strcmp(item, "impulse-tolerance") == 0) return (o->impulse_tolerance = x) > 0;
  if (number && strcmp(item, "newton-tolerance") == 0) return (o->newton_tolerance = x) > 0;
  if (number && x == floor(x) && x < 1e6 && strcmp(item, "max-iterations") == 0)
    return (o->max_iterations = (int)x) > 0;
  cli_usage_error(args->command,
                  "--ladder: '%s=%s': expected formulation, integrator, step, max-iterations, "
                  "budget, impulse-tolerance or newton-tolerance with a value > 0",
                  cli_shown(item), cli_shown(value));
  return false;
}

// Items of a rung are set one after the other over those of the rung above.
bool rt_ladder(const CliArgs* args, const SarSimOptions* first, SarSimOptions* rung, int most,
               int* count) {
  static char text[TEXT];  // of the program's one ladder
  const char* value = cli_value(args, "ladder");
  *count = 0;
  if (!value) return true;
  if (strlen(value) >= sizeof text) {
    cli_usage_error(args->command, "--ladder: more than %d characters", TEXT);
    return false;
  }
  strcpy(text, value);
  char *next_rung = text, *next;
  for (char* r; (r = strsep(&next_rung, ";"));) {
    if (*count == most) {
      cli_usage_error(args->command, "--ladder: expected at most %d rungs", most);
      return false;
    }
    rung[*count] = *count > 0 ? rung[*count - 1] : *first;
    next = r;
    for (char* item; (item = strsep(&next, ", "));)
      if (item[0] && !set(args, item, &rung[*count])) return false;
    ++*count;
  }
  return true;
}
