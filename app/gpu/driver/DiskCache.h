#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace haloscope::gpu {

/// SHA-256 of the parts, in hexadecimal. The boundaries between the parts are significant.
[[nodiscard]] std::string fingerprint(const std::vector<std::string_view>& parts);

/// A folder of cached entries, one file each. Several processes may share a folder. Never throws or warns: entries that
/// cannot be read or written are simply recreated.
class DiskCache {
 public:
  /// Disabled: stores nothing.
  DiskCache() = default;
  /// `folder` is created at the first write; beyond `maximumBytes` the least recently used entries are removed.
  DiskCache(std::filesystem::path folder, std::uintmax_t maximumBytes);

  /// The entry of this key, a fingerprint; empty if there is none, or if it is corrupt.
  [[nodiscard]] std::optional<std::string> read(const std::string& key) const;
  /// Replaces the entry of this key atomically.
  void write(const std::string& key, std::string_view content) const;

 private:
  void removeOldest() const;

  std::filesystem::path folder_;
  std::uintmax_t maximumBytes_ = 0;
};

}  // namespace haloscope::gpu
