// The state of a run as bytes, the same as in a file (sar_data_save).
#pragma once
#include "model/data.h"

size_t sar_state_size(const SarData* d);
// Into as many bytes as that.
void sar_state_encode(const SarData* d, unsigned char* bytes, size_t size);
// `name` stands for the bytes in messages. What is refused changes nothing.
SarStatus sar_state_decode(SarData* d, const unsigned char* bytes, size_t size, const char* name,
                           SarError* err);
