#include "render/FieldRenderer.h"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <span>

#include "render/FieldCamera.h"

namespace haloscope::render {

namespace {

constexpr int kGroup = 8;             // the shaders' local size, both ways
constexpr float kGridLinesFrom = 10;  // pixels a cell: below, lines between cells would outweigh the cells

static_assert(kSignedOnDark.size() == 7 && kSignedOnLight.size() == 7, "field_common.glsl has room for seven stops");

glm::vec3 vec(const FieldColour& colour) { return {colour[0], colour[1], colour[2]}; }

GLuint groups(int pixels) { return static_cast<GLuint>((pixels + kGroup - 1) / kGroup); }

glm::ivec3 unit(int axis, std::int64_t length) {
  glm::ivec3 step(0);
  step[axis] = static_cast<int>(length);
  return step;
}

}  // namespace

FieldRenderer::FieldRenderer(const std::filesystem::path& shaders)
    : plane_(shaders, {"field_values.glsl", "field_common.glsl", "field_plane.comp"}),
      volume_(shaders, {"field_values.glsl", "field_common.glsl", "field_volume.comp"}) {}

FieldRenderer::~FieldRenderer() { glDeleteTextures(1, &texture_); }

void FieldRenderer::reserve(int width, int height) {
  if (texture_ != 0 && width == width_ && height == height_) { return; }
  glDeleteTextures(1, &texture_);
  glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, 0);
  width_ = width;
  height_ = height;
}

void FieldRenderer::draw(const FieldGrid& grid, std::uint32_t field, const FieldBricks& bricks, const FieldView& view) {
  if (view.width <= 0 || view.height <= 0 || grid.rank == 0) { return; }
  reserve(view.width, view.height);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, field);
  glBindImageTexture(0, texture_, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
  if (view.volume && grid.rank == 3) {
    drawVolume(grid, bricks, view);
  } else {
    drawPlane(grid, view);
  }
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  glUseProgram(0);
}

void FieldRenderer::setCommon(const FieldShader& shader, const FieldGrid& grid, const FieldView& view) {
  shader.setField(grid);
  const float span = view.high - view.low;
  shader.set("range", glm::vec2(view.low, span > 0 ? 1 / span : 0.0F));
  const std::span<const FieldColour> stops = stopsOf(view.scale);
  shader.set("scale", stops);
  shader.set("stops", static_cast<int>(stops.size()));
  shader.set("background", vec(view.surroundings.background));
  shader.set("fault", vec(view.surroundings.fault));
  shader.set("size", glm::ivec2(view.width, view.height));
}

void FieldRenderer::drawPlane(const FieldGrid& grid, const FieldView& view) {
  const FieldPlane plane = FieldPlane::of(grid, view.axis, view.slice);
  const FieldFrame frame = FieldFrame::of(grid, plane, view.width, view.height);
  plane_.use();
  setCommon(plane_, grid, view);
  plane_.set("origin", glm::vec2(frame.left, frame.top));
  plane_.set("cell", frame.cell);
  plane_.set("cells", glm::ivec2(frame.columns, frame.rows));
  plane_.set("rowStep", unit(plane.rowAxis, 1));
  plane_.set("columnStep", unit(plane.columnAxis, 1));
  plane_.set("first", unit(plane.axis, plane.position));
  plane_.set("gridLines", frame.cell >= kGridLinesFrom ? 0.45F : 0.0F);
  glDispatchCompute(groups(view.width), groups(view.height), 1);
}

void FieldRenderer::drawVolume(const FieldGrid& grid, const FieldBricks& bricks, const FieldView& view) {
  const FieldCamera camera(grid, view.yaw, view.pitch, view.distance, view.width, view.height);
  std::vector<FieldCamera::Edge> edges = camera.edges();
  const auto front = std::stable_partition(edges.begin(), edges.end(), [](const auto& edge) { return edge.behind; });
  std::array<glm::vec4, 12> lines{};
  for (std::size_t i = 0; i < lines.size(); ++i) { lines.at(i) = glm::vec4(edges[i].from, edges[i].to); }

  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, bricks.buffer());
  volume_.use();
  setCommon(volume_, grid, view);
  volume_.set("brickCounts", bricks.counts());
  const bool bothSigns = view.scale == FieldScale::SignedOnDark || view.scale == FieldScale::SignedOnLight;
  volume_.set("bothSigns", bothSigns ? 1 : 0);
  volume_.set("halfSize", camera.halfSize());
  volume_.set("eye", camera.eye());
  volume_.set("forward", camera.forward());
  volume_.set("perPixelX", camera.perPixelX());
  volume_.set("perPixelY", camera.perPixelY());
  volume_.set("stepLength", 2 * glm::length(camera.halfSize()) / static_cast<float>(std::max(view.steps, 1)));
  volume_.set("pixelStep", view.pixelStep);
  volume_.set("edges", lines);
  volume_.set("edgesBehind", static_cast<int>(front - edges.begin()));
  volume_.set("frame", vec(view.surroundings.frame));
  const auto rays = [&](int pixels) { return (pixels + view.pixelStep - 1) / view.pixelStep; };
  glDispatchCompute(groups(rays(view.width)), groups(rays(view.height)), 1);
}

}  // namespace haloscope::render
