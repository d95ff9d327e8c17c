#include "structured/format/crc32.h"

#include <array>
#include <bit>
#include <cstring>

namespace structured::detail {
namespace {

/// Tables of "slicing by 8" (Kounavis and Berry, 2005): `tables[k][byte]` is the checksum of `byte` and `k` zero bytes.
using Tables = std::array<std::array<uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320U : 0U);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}
constexpr Tables kTables = make_tables();

}  // namespace

uint32_t crc32(uint32_t crc, const void* data, std::size_t nbytes) {
  static_assert(std::endian::native == std::endian::little);
  const auto* at = static_cast<const unsigned char*>(data);
  crc = ~crc;
  for (; nbytes >= 8; nbytes -= 8, at += 8) {
    uint32_t low, high;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + 4, 4);
    low ^= crc;
    crc = kTables[7][low & 0xff] ^ kTables[6][low >> 8 & 0xff] ^ kTables[5][low >> 16 & 0xff] ^ kTables[4][low >> 24] ^
          kTables[3][high & 0xff] ^ kTables[2][high >> 8 & 0xff] ^ kTables[1][high >> 16 & 0xff] ^
          kTables[0][high >> 24];
  }
  for (; nbytes > 0; --nbytes, ++at) crc = (crc >> 8) ^ kTables[0][(crc ^ *at) & 0xff];
  return ~crc;
}

}  // namespace structured::detail
