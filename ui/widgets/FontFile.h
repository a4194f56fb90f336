#pragma once

#include <filesystem>
#include <span>

namespace haloscope::ui {

/// A large font, of which a window shows a few hundred characters: mapped instead of read, and common to
/// all fonts that it is merged into. Empty if it cannot be opened.
class FontFile {
 public:
  FontFile() = default;
  /// `face`: which of the fonts in the file.
  FontFile(const std::filesystem::path& path, int face);
  FontFile(FontFile&& other) noexcept;
  FontFile& operator=(FontFile&& other) noexcept;
  FontFile(const FontFile&) = delete;
  FontFile& operator=(const FontFile&) = delete;
  ~FontFile();

  [[nodiscard]] std::span<const char> bytes() const { return bytes_; }
  [[nodiscard]] int face() const { return face_; }

 private:
  std::span<const char> bytes_;
  int face_ = 0;
};

}  // namespace haloscope::ui
