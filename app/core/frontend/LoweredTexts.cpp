#include "frontend/LoweredTexts.h"

#include <algorithm>

namespace haloscope::frontend {

namespace {

/// A comparison takes four variants and a file, each with and without a barrier.
constexpr std::size_t kMost = 16;
/// A text with more is rare, and takes megabytes.
constexpr std::size_t kMostInstructions = 50'000;

}  // namespace

std::optional<CompileResult> LoweredTexts::find(const std::string& text, const CompileOptions& options) {
  const std::scoped_lock lock(lock_);
  const auto known = std::ranges::find_if(last_, [&](const Lowered& one) {
    return one.text == text && one.options == options && one.language == language();
  });
  if (known == last_.end()) { return std::nullopt; }
  last_.splice(last_.begin(), last_, known);
  return last_.front().result;
}

void LoweredTexts::keep(const std::string& text, const CompileOptions& options, const CompileResult& result) {
  if (result.program.code.size() > kMostInstructions) { return; }
  const std::scoped_lock lock(lock_);
  last_.push_front({.text = text, .options = options, .language = language(), .result = result});
  if (last_.size() > kMost) { last_.pop_back(); }
}

}  // namespace haloscope::frontend
