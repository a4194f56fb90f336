#include "figures/ProblemText.h"

#include <fmt/format.h>

#include "language/Text.h"

namespace haloscope::figures {

namespace {

std::string sentence(const KernelFile& file, std::string message) {
  if (message.starts_with(file.id + ": ")) { message.erase(0, file.id.size() + 2); }
  if (!message.ends_with('.') && !message.ends_with("。")) { message += tr("."); }
  return message;
}

}  // namespace

std::string problemText(const KernelFile& file, const UserError& error) {
  return problemText(file, error.where(), error.message());
}

std::string problemText(const KernelFile& file, const SourceRange& where, const std::string& message) {
  return sentence(file, where.valid() ? trf("Line {}: {}", where.line, message) : message);
}

}  // namespace haloscope::figures
