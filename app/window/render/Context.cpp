#include "render/Context.h"

#include <glad/gl.h>

#include <cstring>

#include "language/Text.h"
#include "render/DrawingTrial.h"

namespace haloscope::render {

namespace {

std::string read(GLenum name) {
  const auto* text = reinterpret_cast<const char*>(glGetString(name));
  return text != nullptr ? text : "";
}

/// Mesa's software rasterisers, by the names they give themselves.
bool drawsOnProcessor(const std::string& renderer) {
  for (const char* name : {"llvmpipe", "softpipe", "swrast", "SWR", "Software Rasterizer"}) {
    if (renderer.find(name) != std::string::npos) return true;
  }
  return false;
}

std::string drawsNothing(const std::string& renderer) {
  return trf(
      "the OpenGL of {} draws nothing. Some drivers behave like this after a kernel faulted on their GPU, until they "
      "are reloaded or the machine is restarted",
      renderer);
}

}  // namespace

std::string Context::adoptAndTry(ProcedureLoader loader) {
  const int version = gladLoadGL(loader);
  if (version == 0) return tr("OpenGL's functions could not be loaded");
  renderer_ = read(GL_RENDERER);
  version_ = read(GL_VERSION);
  const int major = GLAD_VERSION_MAJOR(version);
  const int minor = GLAD_VERSION_MINOR(version);
  if (major < 4 || (major == 4 && minor < 3)) {
    return trf("OpenGL 4.3 is needed, but this one ({}) offers {}.{}", renderer_, major, minor);
  }
  software_ = drawsOnProcessor(renderer_);
  return software_ || drawsTriangles() ? std::string() : drawsNothing(renderer_);
}

void Context::expectAlive() const {
  if (glGetGraphicsResetStatus == nullptr || glGetGraphicsResetStatus() == GL_NO_ERROR) return;
  throw ContextError(drawsNothing(renderer_) + tr(". What you have written is saved"));
}

void Context::expectDrawing() const {
  expectAlive();
  if (software_ || drawsTriangles()) return;
  throw ContextError(drawsNothing(renderer_) + tr(". What you have written is saved"));
}

Image Context::readPixels() const {
  Image image(width(), height());
  const auto row = static_cast<std::size_t>(image.width) * 4;
  std::vector<std::uint8_t> bottomUp(image.rgba.size());
  GLint bound = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &bound);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, bottomUp.data());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(bound));
  for (int y = 0; y < image.height; ++y) {
    std::memcpy(image.rgba.data() + row * static_cast<std::size_t>(y),
                bottomUp.data() + row * static_cast<std::size_t>(image.height - 1 - y), row);
  }
  // A window's alpha is whatever was blended into it; the visible picture is opaque.
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) { image.rgba[i] = 255; }
  return image;
}

}  // namespace haloscope::render
