#include "running/GivenMacros.h"

#include <algorithm>
#include <string>

#include "frontend/SourceTokens.h"

namespace haloscope::running {

host::HostProgram withGivenMacros(host::HostProgram program) {
  const auto give = [&](std::string& text) {
    const frontend::SourceTokens tokens(text);
    for (const frontend::SourceTokens::Directive& one : tokens.directives()) {
      if (one.word != "define" || !program.defines.contains(one.name)) { continue; }
      std::replace_if(
          text.begin() + static_cast<std::ptrdiff_t>(one.where.begin),
          text.begin() + static_cast<std::ptrdiff_t>(one.where.end), [](char at) { return at != '\n'; }, ' ');
    }
  };
  if (program.defines.empty()) { return program; }
  for (host::HostProgram::File& file : program.files) { give(file.text); }
  for (auto& [name, text] : program.headers) { give(text); }
  return program;
}

}  // namespace haloscope::running
