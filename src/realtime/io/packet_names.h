// Private to io/.
#pragma once
#include "realtime/io/arrivals.h"
#include "realtime/io/packet.h"

// Of what the port took.
SarStatus sar_packet_names_init(SarPacketNames* n, const SarPort* p, const SarPortLayout* l,
                                const SarArrivals* a);
void sar_packet_names_free(SarPacketNames* n);
