#include "opening/LaunchLimits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/SourceTokens.h"
#include "language/Text.h"

namespace haloscope::opening {

SourceRange launchIn(const std::string& text, const std::string& kernel) {
  const frontend::SourceTokens source(text);
  const std::vector<frontend::SourceToken>& tokens = source.all();
  for (std::size_t at = 1; at < tokens.size(); ++at) {
    if (tokens[at].spelling != "<<<") { continue; }
    std::size_t name = at - 1;
    int depth = 0;  // of the template arguments before it
    while (name > 0) {
      const std::string_view token = tokens[name].spelling;
      if (token.find_first_not_of('>') == std::string_view::npos) { depth += static_cast<int>(token.size()); }
      if (depth == 0) { break; }
      depth -= token == "<" ? 1 : 0;
      --name;
    }
    if (tokens[name].spelling != kernel) { continue; }
    const auto [line, column] = std::pair(tokens[at].line, tokens[at].column);
    return {.line = line, .column = column, .endLine = line, .endColumn = column + 3};
  }
  return {};
}

std::string launchProblem(const KernelFile& file) {
  try {
    static_cast<void>(file.configuration(file.defaults()));
    return {};
  } catch (const InputError& error) {
    const std::string text = error.what();
    return text.starts_with(file.id + ": ") ? text.substr(file.id.size() + 2) : text;
  }
}

bool hasTooManyThreads(const KernelFile& file) {
  double threads = 1;
  try {
    for (const Expression& edge : file.block) { threads *= edge.evaluate(file.defaults()); }
  } catch (const InputError&) { return false; }
  return threads > kMaxThreadsPerBlock;
}

void requireValidLaunch(const KernelFile& file, const Program& program, const SourceRange& launched) {
  if (const std::string problem = launchProblem(file); !problem.empty()) {
    throw SourceError(file.path.string(), launched, problem);
  }
  const Dim3 block = file.configuration(file.defaults()).block;
  if (program.maxThreads > 0 && block.count() > program.maxThreads) {
    throw SourceError(file.path.string(), launched,
                      trf("a block of {}×{}×{} has {} threads; the kernel's __launch_bounds__ allow {}", block.x,
                          block.y, block.z, block.count(), program.maxThreads));
  }
  const std::int64_t dynamic = file.configuration(file.defaults()).dynamicSharedBytes;
  const std::int64_t declared = program.sharedBytes();
  if (declared + dynamic <= kMaxSharedBytesPerBlock) { return; }
  if (dynamic > declared) {
    throw SourceError(file.path.string(), launched,
                      trf("the launch gives a block {} bytes of dynamic shared memory; at most {} are possible, "
                          "including the {} that are declared",
                          dynamic, kMaxSharedBytesPerBlock, declared));
  }
  const auto isLarger = [](const MemoryObject& a, const MemoryObject& b) {
    const auto bytes = [](const MemoryObject& one) {
      return one.space == MemorySpace::Shared && !one.extentsAtLaunch ? one.byteCount() : 0;
    };
    return bytes(a) < bytes(b);
  };
  const MemoryObject& largest = *std::ranges::max_element(program.objects, isLarger);
  throw SourceError(file.path.string(), largest.declared,
                    trf("a block needs {} bytes of shared memory, and can have at most {}: {} alone takes {}",
                        declared + dynamic, kMaxSharedBytesPerBlock, largest.name, largest.byteCount()));
}

}  // namespace haloscope::opening
