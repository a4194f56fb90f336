#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <string>

namespace haloscope::render {

/// A vertex and a fragment shader, linked. Needs a current context from its making to its end.
class SceneShader {
 public:
  /// Reads NAME.vert and NAME.frag of `folder`. Throws ShaderError.
  SceneShader(const std::filesystem::path& folder, const std::string& name);
  SceneShader(const SceneShader&) = delete;
  SceneShader& operator=(const SceneShader&) = delete;
  ~SceneShader();

  void use() const;
  /// Uniforms of the shader in use; names it does not have are ignored.
  void set(const char* name, int value) const;
  void set(const char* name, float value) const;
  void set(const char* name, const glm::vec2& value) const;
  void set(const char* name, const glm::vec3& value) const;
  void set(const char* name, const glm::vec4& value) const;
  void set(const char* name, const glm::mat4& value) const;
  void set(const char* name, std::span<const glm::vec4> values) const;

 private:
  std::uint32_t program_ = 0;
};

}  // namespace haloscope::render
