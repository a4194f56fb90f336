#include "render/FieldBricks.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <array>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::render {

namespace {

constexpr std::int64_t kMostBricksAlongAxis = 65535;  // what every OpenGL dispatches

}  // namespace

FieldBricks::FieldBricks(const std::filesystem::path& shaders)
    : bricksShader_(shaders, {"field_values.glsl", "field_bricks.comp"}), rangeShader_(shaders, {"field_range.comp"}) {
  glGenBuffers(1, &bricks_);
  glGenBuffers(1, &range_);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, range_);
  glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(FieldRange), nullptr, GL_DYNAMIC_READ);
}

FieldBricks::~FieldBricks() {
  if (fence_ != nullptr) { glDeleteSync(fence_); }
  glDeleteBuffers(1, &bricks_);
  glDeleteBuffers(1, &range_);
}

void FieldBricks::update(const FieldGrid& grid, std::uint32_t field) {
  std::array<std::int64_t, 3> counts{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    counts.at(axis) = (grid.extents.at(axis) + kEdge - 1) / kEdge;
    if (counts.at(axis) > kMostBricksAlongAxis) {
      throw InputError(trf("a field of {} points along an axis cannot be drawn: the maximum is {}",
                           grid.extents.at(axis), kMostBricksAlongAxis * kEdge));
    }
  }
  counts_ = glm::ivec3(counts[0], counts[1], counts[2]);
  const std::int64_t needed = counts[0] * counts[1] * counts[2];
  if (needed > capacity_) {
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, bricks_);
    glBufferData(GL_SHADER_STORAGE_BUFFER, needed * static_cast<GLsizeiptr>(sizeof(FieldRange)), nullptr,
                 GL_DYNAMIC_COPY);
    capacity_ = needed;
  }
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, field);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, bricks_);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, range_);
  bricksShader_.use();
  bricksShader_.setField(grid);
  glDispatchCompute(static_cast<GLuint>(counts[2]), static_cast<GLuint>(counts[1]), static_cast<GLuint>(counts[0]));
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  rangeShader_.use();
  rangeShader_.set("brickCount", static_cast<int>(needed));
  glDispatchCompute(1, 1, 1);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  if (fence_ != nullptr) { glDeleteSync(fence_); }
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

std::optional<FieldRange> FieldBricks::takeRange(bool wait) {
  if (fence_ == nullptr) { return std::nullopt; }
  constexpr GLuint64 kSecond = 1'000'000'000;
  const GLenum state = glClientWaitSync(fence_, GL_SYNC_FLUSH_COMMANDS_BIT, wait ? 10 * kSecond : 0);
  if (state == GL_TIMEOUT_EXPIRED) { return std::nullopt; }
  glDeleteSync(fence_);
  fence_ = nullptr;
  FieldRange found;
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, range_);
  glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof found, &found);
  if (!(found.low <= found.high)) { return std::nullopt; }
  return found;
}

}  // namespace haloscope::render
