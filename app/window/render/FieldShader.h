#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <glm/glm.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "render/FieldGrid.h"

namespace haloscope::render {

/// A compute shader that cannot be read or compiled. what() names its files and gives the compiler's log.
class FieldShaderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A compute shader. The field is drawn by compute shaders, not fragments: on data-centre GPUs few multiprocessors can
/// run fragment shaders, and all of them can run these.
class FieldShader {
 public:
  /// Joins the files of `folder` in this order behind a #version line. Throws FieldShaderError.
  FieldShader(const std::filesystem::path& folder, const std::vector<std::string>& files);
  FieldShader(const FieldShader&) = delete;
  FieldShader& operator=(const FieldShader&) = delete;
  ~FieldShader();

  void use() const;
  /// Uniforms of the shader in use; names it does not have are ignored.
  void set(const char* name, int value) const;
  void set(const char* name, float value) const;
  void set(const char* name, const glm::ivec2& value) const;
  void set(const char* name, const glm::ivec3& value) const;
  void set(const char* name, const glm::vec2& value) const;
  void set(const char* name, const glm::vec3& value) const;
  void set(const char* name, std::span<const std::array<float, 3>> values) const;
  void set(const char* name, std::span<const glm::vec4> values) const;
  /// What field_values.glsl has to know.
  void setField(const FieldGrid& grid) const;

 private:
  [[nodiscard]] int location(const char* name) const;

  std::uint32_t program_ = 0;
};

}  // namespace haloscope::render
