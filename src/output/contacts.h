// A file of contacts: one line for each point, at every output time.
#pragma once
#include "sarrus/sarrus.h"

typedef struct SarContactWriter SarContactWriter;

// CSV with the columns time, a, b (bodies), solid_a, solid_b, x, y, z, nx, ny, nz, gap, fx, fy, fz,
// normal: the force is that on b, a mean over the last step.
SarStatus sar_contacts_open(const char* path, int digits, SarContactWriter** out, SarError* err);
SarStatus sar_contacts_write(SarContactWriter* w, const SarData* d);
SarStatus sar_contacts_close(SarContactWriter* w, SarError* err);  // NULL is fine
