// The folder of resources as FMI 2 names it: an address, file:///tmp/a%20b/resources.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// The path of it; paths are taken as they are. False: it is no file of this machine, or too long.
bool sar_fmu_path_of(const char* uri, char* out, size_t size);
