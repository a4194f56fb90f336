#include <fmt/format.h>
#include <stb_image.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>

#include "inputs/JpegScans.h"
#include "inputs/NumberTable.h"
#include "inputs/PngChunks.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::inputs {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{256} << 20;
constexpr std::int64_t kMaxPixels = std::int64_t{1} << 24;

std::string bytesOf(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) { throw InputError(trf("{}: there is no such file", path.string())); }
  if (!fs::is_regular_file(path, error)) { throw InputError(trf("{}: not a file", path.string())); }
  if (fs::file_size(path, error) > kMaxFileBytes) {
    throw InputError(trf("{}: a file of numbers may have up to {} MiB", path.string(), kMaxFileBytes >> 20U));
  }
  std::ifstream stream(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!stream && !stream.eof()) { throw InputError(trf("{}: cannot be read", path.string())); }
  return bytes;
}

[[noreturn]] void refuseSize(const fs::path& path, std::int64_t width, std::int64_t height) {
  throw InputError(
      trf("{}: {} × {} pixels; a picture may have up to {} (4096 × 4096)", path.string(), width, height, kMaxPixels));
}

/// stb_image takes a PNG of more than a gigabyte for no picture at all.
void expectSmallPng(const fs::path& path, const std::string& bytes) {
  constexpr std::size_t kWidthAt = 16;
  if (!bytes.starts_with("\x89PNG") || bytes.size() < kWidthAt + 8) { return; }
  const auto number = [&](std::size_t at) {
    std::int64_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) { value = value << 8 | static_cast<unsigned char>(bytes[at + i]); }
    return value;
  };
  const std::int64_t width = number(kWidthAt);
  const std::int64_t height = number(kWidthAt + 4);
  if (height > 0 && width > kMaxPixels / height) { refuseSize(path, width, height); }
}

std::string damageOf(std::string_view bytes) {
  std::string damage = damageOfPng(bytes);
  if (damage.empty()) { damage = excessOfPng(bytes); }
  return damage.empty() ? excessOfJpeg(bytes) : damage;
}

NumberTable readPicture(const fs::path& path) {
  const std::string bytes = bytesOf(path);
  expectSmallPng(path, bytes);
  const auto* const data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const auto size = static_cast<int>(bytes.size());
  int width = 0;
  int height = 0;
  if (stbi_info_from_memory(data, size, &width, &height, nullptr) == 0) {
    throw InputError(trf("{}: not a picture that can be read: {}", path.string(), stbi_failure_reason()));
  }
  // Before it is decoded: a small file may say that it is huge. A bitmap whose rows begin at the top has a negative
  // height.
  const std::int64_t rows = std::abs(std::int64_t{height});
  if (width * rows > kMaxPixels) { refuseSize(path, width, rows); }
  if (const std::string damage = damageOf(bytes); !damage.empty()) {
    throw InputError(trf("{}: the picture is damaged: {}", path.string(), damage));
  }
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(stbi_load_from_memory(data, size, &width, &height, nullptr, 1),
                                                         stbi_image_free);
  if (!pixels) { throw InputError(trf("{}: the picture is damaged: {}", path.string(), stbi_failure_reason())); }
  const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  NumberTable table{.extents = {height, width}, .values = {pixels.get(), pixels.get() + count}, .grey = true};
  return table;
}

}  // namespace

NumberTable readNumbers(const fs::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending == ".csv" || ending == ".tsv" || ending == ".txt") { return parseRows(path.string(), bytesOf(path)); }
  if (ending == ".npy") { return parseNpy(path.string(), bytesOf(path)); }
  for (const char* const picture : {".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tga", ".pgm", ".ppm", ".psd"}) {
    if (ending == picture) { return readPicture(path); }
  }
  throw InputError(
      trf("{}: numbers are read from .csv, .tsv, .txt and .npy files and from pictures (.png, .jpg, "
          ".bmp, .gif, .tga, .pgm, .ppm, .psd)",
          path.string()));
}

}  // namespace haloscope::inputs
