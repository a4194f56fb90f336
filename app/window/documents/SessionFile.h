#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "state/Session.h"

/// The file of a session, `.halo`: YAML that holds the scenes of a lecture with the texts that they need, so that it
/// can be opened anywhere. assets/sessions/README.md describes it.
namespace haloscope {

/// The newest version that is read, and the one that is written.
inline constexpr int kSessionVersion = 1;
inline constexpr std::size_t kMaxSessionBytes = std::size_t{16} << 20;

/// The error message for a file that is too large; empty if it is not.
[[nodiscard]] std::string tooLargeSession(const std::filesystem::path& path, std::uintmax_t bytes);

/// Throws SourceError, naming line and column, for what is damaged, misspelt or newer than kSessionVersion. Its own
/// files are not unpacked yet.
[[nodiscard]] Session readSession(const std::filesystem::path& path, const std::string& text);
/// As readSession(), of a file. Throws InputError if it cannot be read.
[[nodiscard]] Session readSession(const std::filesystem::path& path);

}  // namespace haloscope
