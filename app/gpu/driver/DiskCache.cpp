#include "driver/DiskCache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <system_error>

#include "program/Sha256.h"

namespace haloscope::gpu {

namespace fs = std::filesystem;

namespace {

// Header of an entry, followed by the content's fingerprint, so that a truncated file is detected.
constexpr std::string_view kMagic = "haloscope cache 1\n";
constexpr std::size_t kFingerprint = 64;
// Removing more than necessary avoids scanning the folder at every following write.
constexpr double kKeptShare = 0.75;

}  // namespace

std::string fingerprint(const std::vector<std::string_view>& parts) {
  Sha256 hash;
  for (const std::string_view part : parts) {
    hash.add(fmt::format("{}:", part.size()));
    hash.add(part);
  }
  return hash.digits();
}

DiskCache::DiskCache(fs::path folder, std::uintmax_t maximumBytes)
    : folder_(std::move(folder)), maximumBytes_(maximumBytes) {}

std::optional<std::string> DiskCache::read(const std::string& key) const {
  if (folder_.empty()) { return std::nullopt; }
  const fs::path path = folder_ / key;
  std::ifstream file(path, std::ios::binary);
  if (!file) { return std::nullopt; }
  const std::string all{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::size_t header = kMagic.size() + kFingerprint;
  if (all.size() < header || !all.starts_with(kMagic)) { return std::nullopt; }
  std::string content = all.substr(header);
  if (fingerprint({key, content}) != std::string_view(all).substr(kMagic.size(), kFingerprint)) { return std::nullopt; }
  std::error_code ignored;  // the entry then seems older than it is
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return content;
}

void DiskCache::write(const std::string& key, std::string_view content) const {
  if (folder_.empty() || content.size() > maximumBytes_) { return; }
  std::error_code error;
  fs::create_directories(folder_, error);
  static std::atomic<unsigned> written{0};
  const fs::path temporary = folder_ / fmt::format("{}.{}.{}", key, getpid(), written++);
  {
    std::ofstream file(temporary, std::ios::binary);
    file << kMagic << fingerprint({key, content}) << content;
    file.close();
    if (!file) {
      fs::remove(temporary, error);
      return;
    }
  }
  fs::rename(temporary, folder_ / key, error);
  if (error) { fs::remove(temporary, error); }
  removeOldest();
}

void DiskCache::removeOldest() const {
  struct Entry {
    fs::file_time_type used;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uintmax_t all = 0;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;  // another process may remove entries too
    const fs::file_time_type used = at->last_write_time(gone);
    const std::uintmax_t bytes = gone ? 0 : at->file_size(gone);
    if (gone) { continue; }
    entries.push_back({used, bytes, at->path()});
    all += bytes;
  }
  if (all <= maximumBytes_) { return; }
  std::ranges::sort(entries, {}, &Entry::used);
  const auto kept = static_cast<std::uintmax_t>(kKeptShare * static_cast<double>(maximumBytes_));
  for (const Entry& entry : entries) {
    if (all <= kept) { return; }
    fs::remove(entry.path, error);
    all -= entry.bytes;
  }
}

}  // namespace haloscope::gpu
