#include "render/FieldShader.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <fstream>
#include <glm/gtc/type_ptr.hpp>
#include <sstream>

#include "language/Text.h"

namespace haloscope::render {

namespace {

std::string readAll(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) { throw FieldShaderError(trf("the shader {} cannot be read", path.string())); }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

FieldShader::FieldShader(const std::filesystem::path& folder, const std::vector<std::string>& files) {
  std::string text = "#version 430 core\n";
  std::string names;
  int number = 0;
  for (const std::string& file : files) {
    // The compiler's messages then say "2:13": line 13 of the second file.
    text += fmt::format("#line 1 {}\n{}", ++number, readAll(folder / file));
    names += (names.empty() ? "" : " + ") + file;
  }
  const GLuint shader = glCreateShader(GL_COMPUTE_SHADER);
  const char* source = text.c_str();
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  program_ = glCreateProgram();
  glAttachShader(program_, shader);
  glLinkProgram(program_);
  GLint linked = GL_FALSE;
  glGetProgramiv(program_, GL_LINK_STATUS, &linked);
  if (linked != GL_TRUE) {
    std::array<char, 4096> log{};
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled == GL_TRUE) {
      glGetProgramInfoLog(program_, static_cast<GLsizei>(log.size()), nullptr, log.data());
    } else {
      glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
    }
    glDeleteShader(shader);
    glDeleteProgram(program_);
    throw FieldShaderError(trf("the shader {} does not compile: {}", names, log.data()));
  }
  glDeleteShader(shader);
}

FieldShader::~FieldShader() { glDeleteProgram(program_); }

void FieldShader::use() const { glUseProgram(program_); }

void FieldShader::setField(const FieldGrid& grid) const {
  set("extents", glm::ivec3(grid.extents[0], grid.extents[1], grid.extents[2]));
  set("elementBytes", static_cast<int>(sizeInMemory(grid.element)));
}

int FieldShader::location(const char* name) const { return glGetUniformLocation(program_, name); }

void FieldShader::set(const char* name, int value) const { glUniform1i(location(name), value); }
void FieldShader::set(const char* name, float value) const { glUniform1f(location(name), value); }
void FieldShader::set(const char* name, const glm::ivec2& value) const {
  glUniform2iv(location(name), 1, glm::value_ptr(value));
}
void FieldShader::set(const char* name, const glm::ivec3& value) const {
  glUniform3iv(location(name), 1, glm::value_ptr(value));
}
void FieldShader::set(const char* name, const glm::vec2& value) const {
  glUniform2fv(location(name), 1, glm::value_ptr(value));
}
void FieldShader::set(const char* name, const glm::vec3& value) const {
  glUniform3fv(location(name), 1, glm::value_ptr(value));
}
void FieldShader::set(const char* name, std::span<const std::array<float, 3>> values) const {
  glUniform3fv(location(name), static_cast<GLsizei>(values.size()), values.front().data());
}
void FieldShader::set(const char* name, std::span<const glm::vec4> values) const {
  glUniform4fv(location(name), static_cast<GLsizei>(values.size()), glm::value_ptr(values.front()));
}

}  // namespace haloscope::render
