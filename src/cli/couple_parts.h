// What the files of coupled simulators on the command line share: couple.c (the runs),
// couple_ports.c.
#pragma once
#include "cli/cli.h"

enum { COUPLE_MOST_PORTS = 16 };

typedef struct CouplePorts {
  SarCouplePort port[COUPLE_MOST_PORTS];
  int count;
  char text[COUPLE_MOST_PORTS][1024];  // simulators and addresses
} CouplePorts;

// Of --inputs, --shm, --udp, --watch. An exit status, after a message.
int couple_ports(const CliArgs* args, const SarCouple* c, CouplePorts* out);
