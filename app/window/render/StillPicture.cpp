#include "render/StillPicture.h"

#include <glad/gl.h>

namespace haloscope::render {

StillPicture::~StillPicture() { drop(); }

void StillPicture::drop() {
  if (framebuffer_ == 0) { return; }
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &texture_);
  framebuffer_ = texture_ = 0;
}

void StillPicture::take(std::uint32_t framebuffer, int width, int height) {
  drop();
  width_ = width;
  height_ = height;
  glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

void StillPicture::show(std::uint32_t framebuffer, int width, int height) const {
  if (framebuffer_ == 0) { return; }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
  glDisable(GL_SCISSOR_TEST);
  const bool same = width == width_ && height == height_;
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width, height, GL_COLOR_BUFFER_BIT, same ? GL_NEAREST : GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

}  // namespace haloscope::render
