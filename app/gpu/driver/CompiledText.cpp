#include "driver/CompiledText.h"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "program/Cbor.h"
#include "program/SourceLocation.h"

namespace haloscope::gpu {

std::string cacheEntry(const CompiledText& compiled) {
  nlohmann::json resources = nlohmann::json::object();
  for (const auto& [symbol, code] : compiled.resources) {
    resources[symbol] = {code.registers, code.sharedBytes, code.stackBytes, code.spillBytes};
  }
  const std::vector<std::byte> bytes =
      toCbor({{"image", nlohmann::json::binary({compiled.image.begin(), compiled.image.end()})},
              {"symbols", compiled.symbols},
              {"log", compiled.log},
              {"resources", resources}});
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::optional<CompiledText> compiledTextIn(std::string_view entry) {
  try {
    const nlohmann::json from = fromCbor(std::as_bytes(std::span(entry)), "compiled code in the cache");
    CompiledText compiled;
    const nlohmann::json::binary_t& image = from.at("image").get_binary();
    compiled.image.assign(image.begin(), image.end());
    from.at("symbols").get_to(compiled.symbols);
    from.at("log").get_to(compiled.log);
    for (const auto& [symbol, code] : from.at("resources").items()) {
      compiled.resources[symbol] = {code.at(0).get<int>(), code.at(1).get<int>(), code.at(2).get<int>(),
                                    code.at(3).get<int>()};
    }
    return compiled.image.empty() ? std::nullopt : std::optional(std::move(compiled));
  } catch (const InputError&) { return std::nullopt; } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace haloscope::gpu
