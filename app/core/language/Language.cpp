#include "language/Language.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>

#include "language/MoFile.h"
#include "language/Text.h"
#include "text/Print.h"

namespace haloscope {

namespace {

constexpr const char* kChineseFile = "zh_CN.mo";

std::filesystem::path folderOfCatalogues;
std::atomic<const MoFile*> currentTexts = nullptr;  // null: English

const MoFile& readCatalogue(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string content(std::istreambuf_iterator<char>(file), {});
  if (!file) {
    throw LanguageError(fmt::format("{}: the translations cannot be read; install Haloscope again", path.string()));
  }
  return *new MoFile(std::move(content), path.string());  // for ever: see tr()
}

const MoFile& chineseTexts() {
  static std::mutex mutex;
  static const MoFile* texts = nullptr;
  const std::scoped_lock lock(mutex);
  if (texts == nullptr) { texts = &readCatalogue(folderOfCatalogues / kChineseFile); }
  return *texts;
}

/// On stderr: what is wrong with a user's own catalogue is no matter of the window.
void sayOnce(const char* text) {
  static std::atomic_flag said;
  if (said.test_and_set()) { return; }
  printText(stderr, "haloscope: warning: the placeholders of a translation differ from those of its English text: {}\n",
            text);
}

}  // namespace

void setLanguageFolder(const std::filesystem::path& folder) { folderOfCatalogues = folder; }

const std::filesystem::path& languageFolder() { return folderOfCatalogues; }

void setLanguage(Language language) { currentTexts = language == Language::Chinese ? &chineseTexts() : nullptr; }

Language language() { return currentTexts == nullptr ? Language::English : Language::Chinese; }

Language systemLanguage() {
  for (const char* name : {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') { continue; }
    return std::string_view(value).starts_with("zh") ? Language::Chinese : Language::English;
  }
  return Language::English;
}

const char* languageCode(Language language) { return language == Language::Chinese ? "zh" : "en"; }

std::vector<std::string> languageArguments() {
  if (language() == Language::English) { return {}; }
  return {"--language", languageCode(language())};
}

std::optional<Language> languageWithCode(std::string_view code) {
  if (code == "en") { return Language::English; }
  if (code == "zh") { return Language::Chinese; }
  return std::nullopt;
}

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
