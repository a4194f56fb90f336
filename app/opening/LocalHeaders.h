#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// The headers of a project that a text includes: those that lie beside it, or in the project's include folders. What
/// is not there is passed over: the host's headers are not needed.
namespace haloscope::opening {

/// Headers' texts, by the path that a text includes them under.
using HeaderTexts = std::map<std::string, std::string>;

/// Names in `#include "…"` lines.
[[nodiscard]] std::vector<std::string> includesIn(const std::string& text);

/// `known`, with the headers that a text in this folder includes, and those that they include. `edited`: by path, texts
/// that are not, or not yet, in their files.
[[nodiscard]] HeaderTexts localHeaders(const std::filesystem::path& folder, const std::string& text,
                                       const std::map<std::filesystem::path, std::string>& edited, HeaderTexts known);

/// The file that a header of a text in this folder was read from.
[[nodiscard]] std::filesystem::path pathOfHeader(const std::filesystem::path& folder, const std::string& name);

/// The text up to the line that includes a header.
[[nodiscard]] std::string textBefore(const std::string& text, const std::string& header);

/// A header in a folder of its own names its neighbours without that folder.
[[nodiscard]] HeaderTexts seenFrom(const std::filesystem::path& header, const HeaderTexts& headers);

}  // namespace haloscope::opening
