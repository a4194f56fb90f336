#include "opening/LaunchLimits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>

namespace haloscope::opening {

SourceRange launchIn(const std::string& text, const std::string& kernel) {
  const auto isSpace = [&](std::size_t at) { return std::isspace(static_cast<unsigned char>(text[at])) != 0; };
  for (std::size_t at = text.find("<<<"); at != std::string::npos; at = text.find("<<<", at + 3)) {
    std::size_t end = at;  // of the kernel's name
    while (end > 0 && isSpace(end - 1)) { --end; }
    if (end > 0 && text[end - 1] == '>') {
      int depth = 0;
      while (end > 0) {
        --end;
        depth += text[end] == '>' ? 1 : (text[end] == '<' ? -1 : 0);
        if (depth == 0) { break; }
      }
    }
    const std::size_t line = text.rfind('\n', at) + 1;  // the beginning of the line; 0 in the first
    if (end < kernel.size() || text.compare(end - kernel.size(), kernel.size(), kernel) != 0 ||
        text.substr(line, at - line).find("//") != std::string::npos) {
      continue;
    }
    const int number =
        1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    const int column = static_cast<int>(at - line) + 1;
    return {.line = number, .column = column, .endLine = number, .endColumn = column + 3};
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

void expectPossible(const KernelFile& file, const Program& program, const SourceRange& launched) {
  if (const std::string problem = launchProblem(file); !problem.empty()) {
    throw SourceError(file.path.string(), launched, problem);
  }
  const std::int64_t dynamic = file.configuration(file.defaults()).dynamicSharedBytes;
  const std::int64_t declared = program.sharedBytes();
  if (declared + dynamic <= kMaxSharedBytesPerBlock) { return; }
  if (dynamic > declared) {
    throw SourceError(file.path.string(), launched,
                      fmt::format("the launch gives a block {} bytes of dynamic shared memory; {} are the most, with "
                                  "the {} that are declared",
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
                    fmt::format("a block needs {} bytes of shared memory, and can have at most {}: {} alone takes {}",
                                declared + dynamic, kMaxSharedBytesPerBlock, largest.name, largest.byteCount()));
}

}  // namespace haloscope::opening
