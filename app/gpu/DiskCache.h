#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace haloscope::gpu {

/// $XDG_CACHE_HOME/haloscope, or ~/.cache/haloscope: for what can be made again. Empty where neither is set. It need
/// not exist.
[[nodiscard]] std::filesystem::path cacheFolder();

/// SHA-256 of the parts, in hexadecimal. Where one part ends and the next begins counts.
[[nodiscard]] std::string fingerprint(const std::vector<std::string_view>& parts);

/// A folder of entries that were expensive to make, one file each. Several programs may use one folder at once. Nothing
/// in here throws or warns: what cannot be read is made again, what cannot be written is made again the next time.
class DiskCache {
 public:
  /// Keeps nothing.
  DiskCache() = default;
  /// `folder` is made at the first write; its entries take at most `maximumBytes`, then those not used for longest go.
  DiskCache(std::filesystem::path folder, std::uintmax_t maximumBytes);

  /// The entry of this key, a fingerprint; nothing where there is none, or it is not what was written.
  [[nodiscard]] std::optional<std::string> read(const std::string& key) const;
  /// Replaces the entry of this key, as a whole or not at all.
  void write(const std::string& key, std::string_view content) const;

 private:
  void removeOldest() const;

  std::filesystem::path folder_;
  std::uintmax_t maximumBytes_ = 0;
};

}  // namespace haloscope::gpu
