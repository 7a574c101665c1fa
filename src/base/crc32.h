// Cyclic redundancy check: CRC-32 of IEEE 802.3 (reflected polynomial 0xedb88320), as ZIP and
// Ethernet have it.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Goes on from `crc`, 0 at the beginning.
uint32_t sar_crc32(uint32_t crc, const void* bytes, size_t size);
