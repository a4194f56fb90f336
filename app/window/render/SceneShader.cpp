#include "render/SceneShader.h"

#include <glad/gl.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "language/Text.h"

namespace haloscope::render {

namespace {

/// A shader that cannot be read, compiled or linked. what() names the file and carries the compiler's log.
class ShaderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string readFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw ShaderError(trf("cannot read the shader {}", path.string()));
  return {std::istreambuf_iterator<char>(file), {}};
}

GLuint compile(GLenum stage, const std::filesystem::path& path) {
  const std::string text = readFile(path);
  const char* source = text.c_str();
  const GLuint shader = glCreateShader(stage);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  GLint ok = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok != GL_TRUE) {
    GLint length = 0;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    glGetShaderInfoLog(shader, length, nullptr, log.data());
    glDeleteShader(shader);
    throw ShaderError(path.string() + ": " + log);
  }
  return shader;
}

}  // namespace

SceneShader::SceneShader(const std::filesystem::path& folder, const std::string& name) {
  const GLuint vertex = compile(GL_VERTEX_SHADER, folder / (name + ".vert"));
  GLuint fragment = 0;
  try {
    fragment = compile(GL_FRAGMENT_SHADER, folder / (name + ".frag"));
  } catch (...) {
    glDeleteShader(vertex);
    throw;
  }
  program_ = glCreateProgram();
  glAttachShader(program_, vertex);
  glAttachShader(program_, fragment);
  glLinkProgram(program_);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  GLint ok = GL_FALSE;
  glGetProgramiv(program_, GL_LINK_STATUS, &ok);
  if (ok != GL_TRUE) {
    GLint length = 0;
    glGetProgramiv(program_, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    glGetProgramInfoLog(program_, length, nullptr, log.data());
    glDeleteProgram(program_);
    throw ShaderError((folder / name).string() + ": " + log);
  }
}

SceneShader::~SceneShader() { glDeleteProgram(program_); }

void SceneShader::use() const { glUseProgram(program_); }

void SceneShader::set(const char* name, int value) const { glUniform1i(glGetUniformLocation(program_, name), value); }

void SceneShader::set(const char* name, float value) const { glUniform1f(glGetUniformLocation(program_, name), value); }

void SceneShader::set(const char* name, const glm::vec2& value) const {
  glUniform2fv(glGetUniformLocation(program_, name), 1, &value.x);
}

void SceneShader::set(const char* name, const glm::vec3& value) const {
  glUniform3fv(glGetUniformLocation(program_, name), 1, &value.x);
}

void SceneShader::set(const char* name, const glm::vec4& value) const {
  glUniform4fv(glGetUniformLocation(program_, name), 1, &value.x);
}

void SceneShader::set(const char* name, const glm::mat4& value) const {
  glUniformMatrix4fv(glGetUniformLocation(program_, name), 1, GL_FALSE, &value[0][0]);
}

void SceneShader::set(const char* name, std::span<const glm::vec4> values) const {
  glUniform4fv(glGetUniformLocation(program_, name), static_cast<GLsizei>(values.size()), &values.front().x);
}

}  // namespace haloscope::render
