#include "gpu/CompiledText.h"

#include <cstdint>
#include <cstring>

namespace haloscope::gpu {

namespace {

void append(std::string& bytes, std::string_view part) {
  const std::uint64_t size = part.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes.append(part);
}

/// Takes the first part off `bytes`.
std::optional<std::string_view> take(std::string_view& bytes) {
  std::uint64_t size = 0;
  if (bytes.size() < sizeof size) { return std::nullopt; }
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  if (size > bytes.size()) { return std::nullopt; }
  const std::string_view part = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return part;
}

}  // namespace

std::string packed(const CompiledText& compiled) {
  std::string bytes;
  append(bytes, {compiled.image.data(), compiled.image.size()});
  append(bytes, compiled.log);
  for (const auto& [expression, symbol] : compiled.symbols) {
    append(bytes, expression);
    append(bytes, symbol);
  }
  return bytes;
}

std::optional<CompiledText> unpacked(std::string_view bytes) {
  const auto image = take(bytes);
  const auto log = image ? take(bytes) : std::nullopt;
  if (!log || image->empty()) { return std::nullopt; }
  CompiledText compiled{{image->begin(), image->end()}, {}, std::string(*log)};
  while (!bytes.empty()) {
    const auto expression = take(bytes);
    const auto symbol = expression ? take(bytes) : std::nullopt;
    if (!symbol) { return std::nullopt; }
    compiled.symbols.emplace(*expression, *symbol);
  }
  return compiled;
}

}  // namespace haloscope::gpu
