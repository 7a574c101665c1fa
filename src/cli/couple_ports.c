// Ports of coupled simulators on the command line: --shm NAME is for all of them, --shm
// 'airframe:rig; tail:rotor' for those that are named.
#include "cli/couple_parts.h"

#include <string.h>

static bool is_simulator(const SarCouple* c, const char* text, size_t size) {
  for (int k = 0; k < sar_couple_count(c); k++) {
    const char* name = sar_couple_name(c, k);
    if (strlen(name) == size && strncmp(name, text, size) == 0) return true;
  }
  return false;
}

// One of the list, without blanks around it.
static bool add(CouplePorts* p, const SarCouple* c, const char* kind, const char* from,
                const char* to) {
  while (from < to && *from == ' ') from++;
  while (to > from && to[-1] == ' ') to--;
  const size_t size = (size_t)(to - from);
  if (size == 0) return true;
  if (p->count == COUPLE_MOST_PORTS || size >= sizeof p->text[0]) return false;
  char* own = p->text[p->count];
  snprintf(own, sizeof p->text[0], "%.*s", (int)size, from);
  char* colon = strchr(own, ':');
  const bool named = colon && is_simulator(c, own, (size_t)(colon - own));
  if (named) *colon = 0;
  p->port[p->count++] = (SarCouplePort){named ? own : NULL, kind, named ? colon + 1 : own};
  return true;
}

int couple_ports(const CliArgs* args, const SarCouple* c, CouplePorts* p) {
  // files first, then shared memory, then UDP: an input is driven by one port
  static const struct {
    const char *option, *kind;
  } from[] = {{"inputs", "file"}, {"shm", "shm"}, {"udp", "udp"}, {"watch", "watch"}};
  for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
    const char* at = cli_value(args, from[i].option);
    while (at && *at) {
      const char* end = at + strcspn(at, ";");
      if (!add(p, c, from[i].kind, at, end))
        return cli_usage_error(args->command,
                               "--%s: expected at most %d ports, of up to %d letters each",
                               from[i].option, COUPLE_MOST_PORTS, (int)sizeof p->text[0] - 1);
      at = *end ? end + 1 : end;
    }
  }
  return EXIT_DONE;
}
