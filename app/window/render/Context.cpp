#include "render/Context.h"

#include <glad/gl.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "language/Text.h"

namespace haloscope::render {

namespace {

constexpr GLsizei kEdge = 8;

// From shader text, not from shaders/: what is tried is the driver, and nothing else may be missing.
constexpr const char* kVertex = R"(#version 430 core
layout(location = 0) in vec2 corner;
void main() { gl_Position = vec4(corner, 0, 1); })";
constexpr const char* kFragment = R"(#version 430 core
out vec4 colour;
void main() { colour = vec4(0, 1, 0, 1); })";

GLuint makeProgram() {
  const GLuint program = glCreateProgram();
  for (const auto& [stage, text] : {std::pair{GL_VERTEX_SHADER, kVertex}, std::pair{GL_FRAGMENT_SHADER, kFragment}}) {
    const GLuint shader = glCreateShader(static_cast<GLenum>(stage));
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glDeleteShader(shader);
  }
  glLinkProgram(program);
  return program;
}

/// What the trial changes of the context's state, and puts back.
class KeptState {
 public:
  KeptState() {
    glGetIntegerv(GL_VIEWPORT, viewport_.data());
    glGetFloatv(GL_COLOR_CLEAR_VALUE, clearColour_.data());
    glGetIntegerv(GL_CURRENT_PROGRAM, &program_);
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &array_);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &buffer_);
    glGetIntegerv(GL_RENDERBUFFER_BINDING, &renderbuffer_);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &drawn_);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read_);
  }
  KeptState(const KeptState&) = delete;
  KeptState& operator=(const KeptState&) = delete;
  ~KeptState() {
    glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
    glClearColor(clearColour_[0], clearColour_[1], clearColour_[2], clearColour_[3]);
    glUseProgram(static_cast<GLuint>(program_));
    glBindVertexArray(static_cast<GLuint>(array_));
    glBindBuffer(GL_ARRAY_BUFFER, static_cast<GLuint>(buffer_));
    glBindRenderbuffer(GL_RENDERBUFFER, static_cast<GLuint>(renderbuffer_));
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(drawn_));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_));
  }

 private:
  std::array<GLint, 4> viewport_{};
  std::array<GLfloat, 4> clearColour_{};
  GLint program_ = 0, array_ = 0, buffer_ = 0, renderbuffer_ = 0, drawn_ = 0, read_ = 0;
};

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

bool drawsTriangles() {
  const KeptState kept;
  GLuint colour = 0, framebuffer = 0, vertices = 0, array = 0;
  glGenRenderbuffers(1, &colour);
  glBindRenderbuffer(GL_RENDERBUFFER, colour);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, kEdge, kEdge);
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
  constexpr std::array<float, 6> kCorners = {-1, -1, 3, -1, -1, 3};  // covers every pixel
  glGenVertexArrays(1, &array);
  glBindVertexArray(array);
  glGenBuffers(1, &vertices);
  glBindBuffer(GL_ARRAY_BUFFER, vertices);
  glBufferData(GL_ARRAY_BUFFER, sizeof kCorners, kCorners.data(), GL_STATIC_DRAW);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  const GLuint program = makeProgram();
  glUseProgram(program);

  glViewport(0, 0, kEdge, kEdge);
  glClearColor(1, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  std::array<std::uint8_t, kEdge * kEdge * 4> pixels{};
  glReadPixels(0, 0, kEdge, kEdge, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());

  glDeleteProgram(program);
  glDeleteBuffers(1, &vertices);
  glDeleteVertexArrays(1, &array);
  glDeleteFramebuffers(1, &framebuffer);
  glDeleteRenderbuffers(1, &colour);
  for (std::size_t i = 0; i < pixels.size(); i += 4) {
    if (pixels[i] != 0 || pixels[i + 1] != 255) { return false; }
  }
  return true;
}

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
