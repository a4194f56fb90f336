#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// The headers of a project that a text includes: those in its folder, or in the project's include folders, at most two
/// folders further up. Others are ignored, the host's headers are not needed; links are not followed.
namespace haloscope::opening {

/// Texts of headers, by the path in the #include.
using HeaderTexts = std::map<std::string, std::string>;

/// The names in `#include "…"` directives.
[[nodiscard]] std::vector<std::string> includesIn(const std::string& text);

/// `known`, with the headers that a text in this folder includes, and those that they include. `edited`: by path, texts
/// that differ from their files. `home`: the folder of the file that was named, above which headers are at most two
/// folders.
[[nodiscard]] HeaderTexts localHeaders(const std::filesystem::path& folder, const std::string& text,
                                       const std::map<std::filesystem::path, std::string>& edited, HeaderTexts known,
                                       const std::filesystem::path& home);

/// The file that a header of a text in this folder was read from.
[[nodiscard]] std::filesystem::path pathOfHeader(const std::filesystem::path& folder, const std::string& name);

/// Whether it is not read because it is a symbolic link, is behind one, or is too far up.
[[nodiscard]] bool isLinked(const std::filesystem::path& folder, const std::string& name);

/// The text up to the directive that includes a header; empty if there is none.
[[nodiscard]] std::string textBefore(const std::string& text, const std::string& header);

/// `headers` as seen from one of them: those in its folder also by their names without that folder, and not itself.
[[nodiscard]] HeaderTexts headersSeenFrom(const std::filesystem::path& header, const HeaderTexts& headers);

}  // namespace haloscope::opening
