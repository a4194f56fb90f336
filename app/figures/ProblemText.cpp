#include "figures/ProblemText.h"

#include <fmt/format.h>

namespace haloscope::figures {

namespace {

std::string sentence(const KernelFile& file, std::string message) {
  if (message.starts_with(file.id + ": ")) { message.erase(0, file.id.size() + 2); }
  if (!message.ends_with('.')) { message += '.'; }
  return message;
}

}  // namespace

std::string problemText(const KernelFile& file, const UserError& error) {
  return problemText(file, error.where(), error.message());
}

std::string problemText(const KernelFile& file, const SourceRange& where, const std::string& message) {
  return sentence(file, where.valid() ? fmt::format("Line {}: {}", where.line, message) : message);
}

}  // namespace haloscope::figures
