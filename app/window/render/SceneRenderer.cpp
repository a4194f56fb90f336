#include "render/SceneRenderer.h"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "render/SceneShader.h"

namespace haloscope::render {

namespace {

constexpr int kVerticesPerFace = 6;
constexpr int kVerticesPerBox = 3 * kVerticesPerFace;  ///< of its six faces three look at the viewer
constexpr int kVerticesPerLine = 6;
constexpr int kRecordedUnit = 5;                   ///< texture unit of the recorded values
constexpr int kSamples = 8, kSoftwareSamples = 4;  ///< a pixel

static_assert(static_cast<std::size_t>(SceneColour::Count) == 16, "palette in scene_box.vert and scene_line.vert");

/// A box as the vertex shader reads it.
struct BoxInstance {
  glm::vec3 low;
  float shade;
  glm::vec3 high;
  float opacity;
  glm::vec4 travel;  ///< and the size there, by its own
  std::uint32_t bits;
  glm::vec2 cells;
  std::uint32_t recorded;  ///< where RecordedValues has its value; kNone: it has the shade
};

/// A line as the vertex shader reads it.
struct LineInstance {
  glm::vec3 from;
  float widthFrom;
  glm::vec3 to;
  float widthTo;
  glm::vec2 colourAndOpacity;
};

/// `values`: what has the value of a box of one cell; may be null.
BoxInstance instanceOf(const SceneModel& model, const SceneBox& box, const RecordedValues* values) {
  const bool single = box.cellsX == 1 && box.cellsZ == 1 && box.style == SceneStyle::Solid;
  const std::uint32_t recorded = values != nullptr && single ? values->cell(model.source(box)) : kNone;
  std::uint32_t bits = static_cast<std::uint32_t>(box.colour);
  if (box.style == SceneStyle::Solid) bits |= 0x100;
  if (box.changed) bits |= 0x200;
  if (box.read) bits |= 0x400;
  if (box.style == SceneStyle::Frame) bits |= 0x800;
  if (box.leaves) bits |= 0x1000;
  const SceneColour before = box.travelColour == SceneColour::Count ? box.colour : box.travelColour;
  bits |= static_cast<std::uint32_t>(before) << 16;
  bits |= static_cast<std::uint32_t>(std::lround(255 * std::clamp(box.turn, 0.0F, 1.0F))) << 24;
  return {box.low,
          box.shade,
          box.high,
          box.opacity,
          {box.travel, box.travelScale},
          bits,
          {static_cast<float>(box.cellsX), static_cast<float>(box.cellsZ)},
          recorded};
}

LineInstance instanceOf(const SceneLine& line) {
  return {line.from, line.widthFrom, line.to, line.widthTo, {static_cast<float>(line.colour), line.opacity}};
}

/// A wider line below one of the current step's, where the theme has a colour for it.
SceneLine edgeOf(SceneLine line) {
  constexpr float kEdgeWidth = 2.2F;  // wider, in pixels at scale 1
  line.widthFrom += kEdgeWidth;
  if (line.widthTo > 0) { line.widthTo += kEdgeWidth; }
  line.colour = SceneColour::ActiveEdge;
  return line;
}

/// Puts the state back that a frame around the scene relies on.
class KeepState {
 public:
  KeepState() {
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw_);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read_);
    glGetIntegerv(GL_VIEWPORT, viewport_.data());
  }
  ~KeepState() {
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw_));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_));
    glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
  }
  KeepState(const KeepState&) = delete;
  KeepState& operator=(const KeepState&) = delete;

 private:
  GLint draw_ = 0, read_ = 0;
  std::array<GLint, 4> viewport_{};
};

/// What the picture was drawn from.
struct Drawn {
  std::uint64_t revision = 0;
  SceneProjection projection;
  ScenePalette palette;
  float progress = -1;
  std::uint64_t values = 0;
  bool operator==(const Drawn&) const = default;
};

/// A framebuffer that is drawn into.
struct Target {
  GLuint framebuffer = 0, colour = 0, depth = 0;

  /// With `samples` a colour buffer of its own, without it draws into `texture`.
  void make(int width, int height, int samples, GLuint texture) {
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    if (samples > 0) {
      glGenRenderbuffers(1, &colour);
      glBindRenderbuffer(GL_RENDERBUFFER, colour);
      glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    } else {
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    }
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
  }
  void release() {
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &colour);
    glDeleteRenderbuffers(1, &depth);
    *this = {};
  }
};

void attribute(GLuint index, GLint size, std::size_t stride, std::size_t offset) {
  glEnableVertexAttribArray(index);
  glVertexAttribPointer(index, size, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                        reinterpret_cast<const void*>(offset));
  glVertexAttribDivisor(index, 1);
}

}  // namespace

struct SceneRenderer::Impl {
  SceneShader boxShader, lineShader;
  bool software;
  GLuint boxArray = 0, boxBuffer = 0, lineArray = 0, lineBuffer = 0;
  GLuint texture = 0;  ///< the picture
  Target fine;         ///< multisampled; resolved into the picture
  Target direct;       ///< the picture itself
  int width = 0, height = 0;
  GLsizei exposedCount = 0, solidCount = 0, boxCount = 0, onTopCount = 0, lateCount = 0, lineCount = 0;
  std::uint64_t uploaded = 0;
  bool uploadedRecorded = false;
  RecordedValues* values = nullptr;
  Drawn drawn;
  bool drawnAsDraft = false;
  std::uint64_t drawCount = 0;
  SceneDirector director;

  Impl(const std::filesystem::path& shaders, bool isSoftware)
      : boxShader(shaders, "scene_box"), lineShader(shaders, "scene_line"), software(isSoftware) {
    glGenVertexArrays(1, &boxArray);
    glGenBuffers(1, &boxBuffer);
    glBindVertexArray(boxArray);
    glBindBuffer(GL_ARRAY_BUFFER, boxBuffer);
    attribute(0, 4, sizeof(BoxInstance), offsetof(BoxInstance, low));
    attribute(1, 4, sizeof(BoxInstance), offsetof(BoxInstance, high));
    attribute(2, 4, sizeof(BoxInstance), offsetof(BoxInstance, travel));
    glEnableVertexAttribArray(3);
    glVertexAttribIPointer(3, 1, GL_UNSIGNED_INT, sizeof(BoxInstance),
                           reinterpret_cast<const void*>(offsetof(BoxInstance, bits)));
    glVertexAttribDivisor(3, 1);
    attribute(4, 2, sizeof(BoxInstance), offsetof(BoxInstance, cells));
    glEnableVertexAttribArray(5);
    glVertexAttribIPointer(5, 1, GL_UNSIGNED_INT, sizeof(BoxInstance),
                           reinterpret_cast<const void*>(offsetof(BoxInstance, recorded)));
    glVertexAttribDivisor(5, 1);

    glGenVertexArrays(1, &lineArray);
    glGenBuffers(1, &lineBuffer);
    glBindVertexArray(lineArray);
    glBindBuffer(GL_ARRAY_BUFFER, lineBuffer);
    attribute(0, 4, sizeof(LineInstance), offsetof(LineInstance, from));
    attribute(1, 4, sizeof(LineInstance), offsetof(LineInstance, to));
    attribute(2, 2, sizeof(LineInstance), offsetof(LineInstance, colourAndOpacity));
    glBindVertexArray(0);
  }

  ~Impl() {
    releasePicture();
    glDeleteVertexArrays(1, &boxArray);
    glDeleteBuffers(1, &boxBuffer);
    glDeleteVertexArrays(1, &lineArray);
    glDeleteBuffers(1, &lineBuffer);
  }

  void releasePicture() {
    fine.release();
    direct.release();
    glDeleteTextures(1, &texture);
    texture = 0;
  }

  void makePicture(int newWidth, int newHeight) {
    if (newWidth == width && newHeight == height) return;
    releasePicture();
    width = newWidth;
    height = newHeight;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    direct.make(width, height, 0, texture);
    fine.make(width, height, software ? kSoftwareSamples : kSamples, texture);
  }

  void upload(const SceneModel& model) {
    const bool recorded = values != nullptr && values->texture() != 0;
    if (model.revision != 0 && model.revision == uploaded && recorded == uploadedRecorded) return;
    uploaded = model.revision;
    uploadedRecorded = recorded;
    std::vector<BoxInstance> boxes;
    boxes.reserve(model.boxes.size());
    // Solid boxes whose sides can be seen, those that show their top only, then all that is seen through.
    const auto add = [&](auto&& wanted) {
      for (const SceneBox& box : model.boxes) {
        if (wanted(box)) boxes.push_back(instanceOf(model, box, recorded ? values : nullptr));
      }
      return static_cast<GLsizei>(boxes.size());
    };
    exposedCount = add([](const SceneBox& box) { return box.style == SceneStyle::Solid && !box.enclosed; });
    solidCount = add([](const SceneBox& box) { return box.style == SceneStyle::Solid && box.enclosed; });
    boxCount = add([](const SceneBox& box) { return box.style != SceneStyle::Solid; });
    glBindBuffer(GL_ARRAY_BUFFER, boxBuffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(boxes.size() * sizeof(BoxInstance)), boxes.data(),
                 GL_STREAM_DRAW);
    std::vector<LineInstance> lines;
    for (const SceneLine& line : model.lines) {
      if (line.late) lines.push_back(instanceOf(line));
    }
    lateCount = static_cast<GLsizei>(lines.size());
    for (const SceneLine& line : model.lines) {
      if (line.onTop && line.colour == SceneColour::Active) lines.push_back(instanceOf(edgeOf(line)));
    }
    for (const SceneLine& line : model.lines) {
      if (line.onTop && !line.late) lines.push_back(instanceOf(line));
    }
    onTopCount = static_cast<GLsizei>(lines.size());
    for (const SceneLine& line : model.lines) {
      if (!line.onTop) lines.push_back(instanceOf(line));
    }
    lineCount = static_cast<GLsizei>(lines.size());
    glBindBuffer(GL_ARRAY_BUFFER, lineBuffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(lines.size() * sizeof(LineInstance)), lines.data(),
                 GL_STREAM_DRAW);
  }

  void drawBoxes(const SceneModel& model, const SceneProjection& projection, const ScenePalette& palette,
                 float progress) {
    boxShader.use();
    // A unit that nothing else of a frame uses.
    glActiveTexture(GL_TEXTURE0 + kRecordedUnit);
    glBindTexture(GL_TEXTURE_BUFFER, values != nullptr ? values->texture() : 0);
    glActiveTexture(GL_TEXTURE0);
    boxShader.set("recordedValues", kRecordedUnit);
    const float span = static_cast<float>(model.high - model.low);
    boxShader.set("valueRange", glm::vec2(static_cast<float>(model.low), span > 0 ? 1 / span : 0.0F));
    boxShader.set("projection", projection.matrix());
    boxShader.set("toViewer", projection.toViewer());
    boxShader.set("progress", model.boxProgress(progress));
    boxShader.set("turns", model.turns);
    boxShader.set("palette", palette.colours);
    boxShader.set("background", palette.background);
    boxShader.set("highlight", palette.of(SceneColour::Active));
    boxShader.set("lineScale", palette.lineScale);
    glBindVertexArray(boxArray);
    glDisable(GL_BLEND);
    glDrawArraysInstanced(GL_TRIANGLES, 0, kVerticesPerBox, exposedCount);
    glDrawArraysInstancedBaseInstance(GL_TRIANGLES, 0, kVerticesPerFace, solidCount - exposedCount,
                                      static_cast<GLuint>(exposedCount));
    // Outlines are seen through: after all that is solid, and without hiding each other.
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    glDrawArraysInstancedBaseInstance(GL_TRIANGLES, 0, kVerticesPerFace, boxCount - solidCount,
                                      static_cast<GLuint>(solidCount));
  }

  void drawLines(const SceneProjection& projection, const ScenePalette& palette, float progress) {
    const GLsizei first = progress < 1 ? lateCount : 0;
    lineShader.use();
    lineShader.set("projection", projection.matrix());
    lineShader.set("viewport", glm::vec2(width, height));
    lineShader.set("palette", palette.colours);
    // Thinner where a cell is only a few pixels wide, or its outline would fill it.
    lineShader.set("lineScale",
                   palette.lineScale * std::clamp(projection.pixelsPerUnit() / (12 * palette.lineScale), 0.5F, 1.0F));
    lineShader.set("lift", 2e-3F);
    glBindVertexArray(lineArray);
    // What lies behind something still shines through faintly.
    lineShader.set("strength", 0.45F);
    glDepthFunc(GL_GREATER);
    glDrawArraysInstancedBaseInstance(GL_TRIANGLES, 0, kVerticesPerLine, onTopCount - first,
                                      static_cast<GLuint>(first));
    lineShader.set("strength", 1.0F);
    glDepthFunc(GL_LEQUAL);
    glDrawArraysInstancedBaseInstance(GL_TRIANGLES, 0, kVerticesPerLine, lineCount - first, static_cast<GLuint>(first));
  }

  void draw(const SceneModel& model, const SceneProjection& projection, const ScenePalette& palette, float progress,
            bool draft) {
    glBindFramebuffer(GL_FRAMEBUFFER, draft ? direct.framebuffer : fine.framebuffer);
    glViewport(0, 0, width, height);
    upload(model);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_STENCIL_TEST);
    glEnable(GL_MULTISAMPLE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    // The picture stays opaque, whatever is blended into it.
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
    const glm::vec4& back = palette.background;
    glClearColor(back.r, back.g, back.b, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    drawBoxes(model, projection, palette, progress);
    drawLines(projection, palette, progress);
    glDepthMask(GL_TRUE);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glBindVertexArray(0);
    glUseProgram(0);
    ++drawCount;
    if (draft) return;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, fine.framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, direct.framebuffer);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
};

SceneRenderer::SceneRenderer(const std::filesystem::path& shaders, bool software)
    : impl_(std::make_unique<Impl>(shaders, software)) {}

SceneRenderer::~SceneRenderer() = default;

void SceneRenderer::draw(const SceneModel& model, const SceneProjection& projection, const ScenePalette& palette,
                         float progress, bool draft) {
  Impl& impl = *impl_;
  draft = draft && impl.software;
  const std::uint64_t values = impl.values != nullptr && impl.values->texture() != 0 ? impl.values->revision() : 0;
  const Drawn wanted = {model.revision, projection, palette, progress, values};
  const bool goodEnough = draft || !impl.drawnAsDraft;
  if (model.revision != 0 && impl.texture != 0 && wanted == impl.drawn && goodEnough) return;
  const KeepState keep;
  impl.makePicture(static_cast<int>(std::lround(projection.width())),
                   static_cast<int>(std::lround(projection.height())));
  impl.draw(model, projection, palette, progress, draft);
  impl.drawn = wanted;
  impl.drawnAsDraft = draft;
}

void SceneRenderer::setRecorded(RecordedValues* values) { impl_->values = values; }

std::uint32_t SceneRenderer::texture() const { return impl_->texture; }

Image SceneRenderer::readPixels() const {
  Image image(impl_->width, impl_->height);
  if (impl_->texture == 0) return image;
  const KeepState keep;
  std::vector<std::uint8_t> bottomUp(image.rgba.size());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, impl_->direct.framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, bottomUp.data());
  const auto row = static_cast<std::size_t>(image.width) * 4;
  for (int y = 0; y < image.height; ++y) {
    std::memcpy(image.rgba.data() + row * static_cast<std::size_t>(y),
                bottomUp.data() + row * static_cast<std::size_t>(image.height - 1 - y), row);
  }
  return image;
}

const SceneProjection& SceneRenderer::projection() const { return impl_->drawn.projection; }

const ScenePalette& SceneRenderer::palette() const { return impl_->drawn.palette; }

bool SceneRenderer::drawnFromRecorded() const { return impl_->uploadedRecorded; }

std::uint64_t SceneRenderer::drawCount() const { return impl_->drawCount; }

SceneDirector& SceneRenderer::director() { return impl_->director; }

const SceneDirector& SceneRenderer::director() const { return impl_->director; }

}  // namespace haloscope::render
