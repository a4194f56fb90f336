#include "language/Language.h"

#include <fmt/format.h>

#include <atomic>
#include <string>

#include "language/MoFile.h"
#include "language/Text.h"
#include "text/Print.h"

namespace haloscope {

namespace {

std::atomic<const MoFile*> currentTexts = nullptr;  // null: English

/// On stderr: what is wrong with a user's own catalogue is no matter of the window.
void sayOnce(const char* text) {
  static std::atomic_flag said;
  if (said.test_and_set()) { return; }
  printText(stderr, "haloscope: warning: the placeholders of a translation differ from those of its English text: {}\n",
            text);
}

}  // namespace

void setTexts(const MoFile* texts) { currentTexts = texts; }

Language language() { return currentTexts == nullptr ? Language::English : Language::Chinese; }

const char* tr(const char* english) {
  const MoFile* texts = currentTexts;
  const char* found = texts == nullptr ? nullptr : texts->find(english);
  return found != nullptr ? found : english;
}

std::string vtrf(const char* english, fmt::format_args arguments) {
  // A translation with other placeholders is found by language.py; a user's own catalogue may still have one.
  if (const char* text = tr(english); text != english) {
    try {
      return fmt::vformat(text, arguments);
    } catch (const fmt::format_error&) { sayOnce(text); }
  }
  return fmt::vformat(english, arguments);
}

std::string vtrn(const char* one, const char* many, std::uint64_t count, fmt::format_args arguments) {
  const MoFile* texts = currentTexts;
  if (texts != nullptr && texts->find(one) != nullptr) { return vtrf(one, arguments); }
  return fmt::vformat(count == 1 ? one : many, arguments);
}

}  // namespace haloscope
