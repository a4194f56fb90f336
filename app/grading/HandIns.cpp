#include "grading/HandIns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <system_error>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::grading {

namespace fs = std::filesystem;

namespace {

/// Entries listed of one folder: a hostile hand-in may have millions.
constexpr std::size_t kMaxEntries = 20'000;

bool isHeaderFile(const fs::path& path) {
  static constexpr auto kExtensions =
      std::to_array<std::string_view>({".h", ".hpp", ".hh", ".hxx", ".cuh", ".inc", ".inl"});
  return std::ranges::find(kExtensions, path.extension().string()) != kExtensions.end();
}

/// Whether a folder has headers, and no other file.
bool hasOnlyHeaders(const fs::path& folder) {
  std::error_code error;
  bool any = false;
  std::size_t seen = 0;
  fs::recursive_directory_iterator at(folder, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code unknown;
    if (++seen > kMaxEntries) { return false; }
    if (at->symlink_status(unknown).type() == fs::file_type::directory) { continue; }
    if (!isHeaderFile(at->path())) { return false; }
    any = true;
  }
  return any && !error;
}

/// Bytes of the UTF-8 sequence at the beginning; 0 if there is none.
std::size_t sequenceAt(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80        ? 1
                             : first >> 5U == 6  ? 2
                             : first >> 4U == 14 ? 3
                             : first >> 3U == 30 ? 4
                                                 : 0;
  if (length == 0 || length > bytes.size()) { return 0; }
  std::uint32_t code = length == 1 ? first : first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6U != 2) { return 0; }
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < kLeast.at(length) || code > 0x10ffff || surrogate ? 0 : length;
}

/// C1 controls, and marks that change the direction of the text after them.
bool isInvisible(std::string_view sequence) {
  return (sequence.size() == 2 && sequence[0] == '\xc2' && static_cast<unsigned char>(sequence[1]) < 0xa0) ||
         sequence == "\u200e" || sequence == "\u200f" || (sequence >= "\u202a" && sequence <= "\u202e") ||
         (sequence >= "\u2066" && sequence <= "\u2069");
}

}  // namespace

std::string printable(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = sequenceAt(bytes);
    const auto first = static_cast<unsigned char>(bytes.front());
    if (first == '\n') {
      text += "\\n";
    } else if (length == 0 || first < 0x20 || first == 0x7f || isInvisible(bytes.substr(0, length))) {
      for (std::size_t i = 0; i < std::max<std::size_t>(length, 1); ++i) {
        text += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[i]));
      }
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

std::vector<fs::path> sharedBeside(const fs::path& file) {
  std::vector<fs::path> shared;
  std::error_code error;
  std::size_t seen = 0;
  const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
  fs::directory_iterator at(folder, error);
  for (; !error && at != fs::directory_iterator() && ++seen <= kMaxEntries; at.increment(error)) {
    std::error_code unknown;
    const fs::path& path = at->path();
    if (path.filename().string().starts_with(".")) { continue; }
    const fs::file_type type = at->symlink_status(unknown).type();
    const bool header = type == fs::file_type::regular && isHeaderFile(path);
    if (header || (type == fs::file_type::directory && hasOnlyHeaders(path))) { shared.push_back(path); }
  }
  std::ranges::sort(shared);
  return shared;
}

HandInFolder findHandIns(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) { throw InputError(trf("{}: there is no such folder", folder.string())); }
  HandInFolder found;
  std::size_t seen = 0;
  fs::directory_iterator at(folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code unknown;
    const fs::path& path = at->path();
    const std::string name = path.filename().string();
    if (name.starts_with(".") || name == "__MACOSX") { continue; }
    if (++seen > kMaxEntries) {
      throw InputError(trf("{} has more than {} entries: this is no folder of hand-ins", folder.string(), kMaxEntries));
    }
    const fs::file_type type = at->symlink_status(unknown).type();
    const bool isFolder = type == fs::file_type::directory;
    if (path.extension() == ".cu" || (isFolder && !hasOnlyHeaders(path)) ||
        (type == fs::file_type::symlink && fs::is_directory(path, unknown))) {
      found.handIns.push_back({printable(name), path});
    } else if (isFolder || (type == fs::file_type::regular && isHeaderFile(path))) {
      found.shared.push_back(path);
    } else {
      ++found.others;
    }
  }
  if (error) { throw InputError(trf("{} cannot be listed: {}", folder.string(), error.message())); }
  if (found.handIns.empty()) {
    throw InputError(trf("{} has no hand-in: neither a .cu file nor a subfolder", folder.string()));
  }
  std::ranges::sort(found.handIns, {}, &HandIn::path);
  std::ranges::sort(found.shared);
  return found;
}

}  // namespace haloscope::grading
