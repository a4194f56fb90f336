#include "gpu/CompiledText.h"

#include <charconv>
#include <cstdint>
#include <cstring>

namespace haloscope::gpu {

namespace {

void append(std::string& bytes, std::string_view part) {
  const std::uint64_t size = part.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes.append(part);
}

/// Removes the first part from `bytes`.
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
  append(bytes, std::to_string(compiled.symbols.size()));
  for (const auto& [expression, symbol] : compiled.symbols) {
    append(bytes, expression);
    append(bytes, symbol);
  }
  for (const auto& [symbol, code] : compiled.resources) {
    append(bytes, symbol);
    append(bytes, {reinterpret_cast<const char*>(&code), sizeof code});
  }
  return bytes;
}

std::optional<CompiledText> unpacked(std::string_view bytes) {
  const auto image = take(bytes);
  const auto log = image ? take(bytes) : std::nullopt;
  const auto count = log ? take(bytes) : std::nullopt;
  std::size_t symbols = 0;
  if (!count || image->empty() || std::from_chars(count->begin(), count->end(), symbols).ec != std::errc()) {
    return std::nullopt;
  }
  CompiledText compiled{{image->begin(), image->end()}, {}, std::string(*log)};
  for (std::size_t i = 0; i < symbols; ++i) {
    const auto expression = take(bytes);
    const auto symbol = expression ? take(bytes) : std::nullopt;
    if (!symbol) { return std::nullopt; }
    compiled.symbols.emplace(*expression, *symbol);
  }
  while (!bytes.empty()) {
    const auto symbol = take(bytes);
    const auto code = symbol ? take(bytes) : std::nullopt;
    CodeResources resources;
    if (!code || code->size() != sizeof resources) { return std::nullopt; }
    std::memcpy(&resources, code->data(), sizeof resources);
    compiled.resources.emplace(*symbol, resources);
  }
  return compiled;
}

}  // namespace haloscope::gpu
