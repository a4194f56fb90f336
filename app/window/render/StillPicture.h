#pragma once

#include <cstdint>

namespace haloscope::render {

/// A copy of a frame that is shown in place of the ones after it. Belongs to the context that is current when it is
/// first taken, and must go before it.
class StillPicture {
 public:
  StillPicture() = default;
  ~StillPicture();
  StillPicture(const StillPicture&) = delete;
  StillPicture& operator=(const StillPicture&) = delete;

  /// Copies a framebuffer of that size.
  void take(std::uint32_t framebuffer, int width, int height);
  /// Draws the copy over a framebuffer, stretched where its size is another by now.
  void show(std::uint32_t framebuffer, int width, int height) const;
  void drop();
  [[nodiscard]] std::uint32_t texture() const { return texture_; }
  [[nodiscard]] bool taken() const { return framebuffer_ != 0; }

 private:
  std::uint32_t framebuffer_ = 0, texture_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace haloscope::render
