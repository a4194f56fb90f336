#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace haloscope {

enum class Language : std::uint8_t { English, Chinese };

/// A catalogue of translations is missing or damaged. The message is English.
struct LanguageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where the catalogues are: assets/languages. Before the first setLanguage() of the process.
void setLanguageFolder(const std::filesystem::path& folder);
[[nodiscard]] const std::filesystem::path& languageFolder();

class MoFile;
/// The same for a Chinese catalogue that is not in that folder, and is never unloaded; null: English.
void setTexts(const MoFile* texts);

/// What tr() and trf() return from now on, in every thread. What they have returned stays valid: catalogues are never
/// unloaded. Throws LanguageError and keeps the language if its catalogue cannot be read.
void setLanguage(Language language);
[[nodiscard]] Language language();

/// That of the first of LANGUAGE, LC_ALL, LC_MESSAGES and LANG that is set; English for all that is not Chinese.
[[nodiscard]] Language systemLanguage();

/// "en", "zh": the argument of --language, and the folder of the lessons.
[[nodiscard]] const char* languageCode(Language language);
[[nodiscard]] std::optional<Language> languageWithCode(std::string_view code);

/// What a child process of this program is started with, so that its messages are in the same language.
[[nodiscard]] std::vector<std::string> languageArguments();

}  // namespace haloscope
