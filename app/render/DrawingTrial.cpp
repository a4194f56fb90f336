#include "render/DrawingTrial.h"

#include <glad/gl.h>

#include <array>
#include <cstdint>
#include <utility>

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

}  // namespace

bool drawsTriangles() {
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

  glUseProgram(0);
  glBindVertexArray(0);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
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

}  // namespace haloscope::render
