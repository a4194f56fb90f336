#include <cstddef>
#include <cstdint>
#include <string>

#include "../OpenedText.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  haloscope::fuzz::openHeader(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
