#pragma once
#include <stdio.h>

// A name in a CSV file: quoted, as RFC 4180 says, if it has a comma or a quote.
void sar_csv_name(FILE* f, const char* name);
