#include "language/Language.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>

#include "language/MoFile.h"

// Catalogues in files, and what the user's environment says.

namespace haloscope {

namespace {

constexpr const char* kChineseFile = "zh_CN.mo";

std::filesystem::path folderOfCatalogues;

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

}  // namespace

void setLanguageFolder(const std::filesystem::path& folder) { folderOfCatalogues = folder; }

const std::filesystem::path& languageFolder() { return folderOfCatalogues; }

void setLanguage(Language language) { setTexts(language == Language::Chinese ? &chineseTexts() : nullptr); }

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

}  // namespace haloscope
