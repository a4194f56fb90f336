#include "render/PictureTexture.h"

#include <glad/gl.h>

#include "render/Image.h"

namespace haloscope::render {

PictureTexture::PictureTexture(const std::filesystem::path& path) {
  const Image image = Image::read(path);
  width_ = image.width;
  height_ = image.height;
  glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glGenerateMipmap(GL_TEXTURE_2D);
  glBindTexture(GL_TEXTURE_2D, 0);
}

PictureTexture::~PictureTexture() { glDeleteTextures(1, &texture_); }

}  // namespace haloscope::render
