// CRC-32, four bits at a time: a table of 16 entries instead of 256, at half the speed.
#include "base/crc32.h"

uint32_t sar_crc32(uint32_t crc, const void* bytes, size_t size) {
  // remainders of 0 ... 15 after four shifts
  static const uint32_t part[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                    0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                    0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  const unsigned char* at = bytes;
  crc = ~crc;
  for (size_t i = 0; i < size; i++) {
    crc ^= at[i];
    crc = part[crc & 15] ^ crc >> 4;
    crc = part[crc & 15] ^ crc >> 4;
  }
  return ~crc;
}
