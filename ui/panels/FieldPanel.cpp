#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "actions/Findings.h"
#include "actions/PlaygroundActions.h"
#include "language/Text.h"
#include "program/Half.h"
#include "recording/GridShape.h"
#include "render/FieldCamera.h"
#include "render/FieldColours.h"
#include "render/FieldGrid.h"
#include "state/Places.h"
#include "state/Playground.h"
#include "ui/panels/FieldCurve.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Slider.h"
#include "ui/widgets/Widgets.h"

/// The running field: the picture, its controls, and the path by which the data reaches the screen.
namespace haloscope::ui {
namespace {

using render::FieldCamera;
using render::FieldFrame;
using render::FieldGrid;
using render::FieldPlane;

constexpr float kRadiansPerPixel = 0.008F;
constexpr float kNearest = 1.2F, kFarthest = 5.0F;  // FieldControls::distance
constexpr std::array kAxisNames{"z", "y", "x"};

/// "512 × 512 × 512", slowest first.
std::string extentsText(const std::vector<std::int64_t>& extents) {
  std::string text;
  for (const std::int64_t extent : extents) { text += fmt::format("{}{}", text.empty() ? "" : " × ", extent); }
  return text;
}

FieldGrid gridOf(const FieldStatus& field) { return FieldGrid::of(field.extents, field.element); }

bool isCurve(const AppState& state) { return !state.field.curve.now.empty(); }

bool isVolume(const AppState& state) { return state.fieldControls.volume && state.field.extents.size() == 3; }

/// The problem of the playground, where that is on screen.
const KernelFile* playedHere(const AppState& state) {
  return state.playground.entered ? playedProblem(state) : nullptr;
}

/// Whether the field has the recorded array's extents, so that points correspond.
bool isRecorded(const AppState& state) {
  return state.experiment != nullptr && state.experiment->footprint.inputExtents == state.field.extents;
}

/// Whether the recorded block is outlined: not in the playground, where the field is what counts.
bool showsBlock(const AppState& state) { return isRecorded(state) && playedHere(state) == nullptr; }

ImU32 packed(const render::FieldColour& colour) {
  return ImGui::ColorConvertFloat4ToU32({colour[0], colour[1], colour[2], 1});
}

// --- Controls ---

/// Places the next text next to the last button, vertically centred.
void besideFrame(float gap) {
  const ImVec2 min = ImGui::GetItemRectMin();
  const ImVec2 max = ImGui::GetItemRectMax();
  ImGui::SetCursorScreenPos({max.x + gap, std::round((min.y + max.y - ImGui::GetTextLineHeight()) / 2)});
}

void drawButtons(AppState& state) {
  FieldControls& controls = state.fieldControls;
  // One width for both labels, so that the neighbouring buttons do not move.
  const float width = std::max(textWidth(tr("Run")), textWidth(tr("Pause"))) + 2 * ImGui::GetStyle().FramePadding.x;
  if (ImGui::Button((std::string(controls.run ? tr("Pause") : tr("Run")) + "###run").c_str(), {width, 0})) {
    controls.run = !controls.run;
  }
  ImGui::SetItemTooltip("%s", tr("Sweep repeatedly: each output is the input of the next sweep"));
  ImGui::SameLine();
  ImGui::BeginDisabled(controls.run);
  if (ImGui::Button(tr("One sweep"))) { controls.singleSweep = true; }
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button(tr("Reset"))) { controls.reset = true; }
  ImGui::SetItemTooltip("%s", tr("Restore the input to its state before the first sweep"));
}

/// Field sizes beyond the recorded one, for the GPU only, to give it enough work.
void drawSizes(AppState& state, const Theme& theme) {
  struct Choices {
    std::array<std::int64_t, 4> sizes;
    std::array<const char*, 4> words;
  };
  static constexpr Choices kVolume{{0, 128, 256, 512}, {trMark("toolbar"), "128", "256", "512"}};
  static constexpr Choices kImage{{0, 1024, 4096, 8192}, {trMark("toolbar"), "1024", "4096", "8192"}};
  static constexpr std::array kTips{trMark("The size at which the block was recorded"),
                                    trMark("Points along each axis"), trMark("Points along each axis"),
                                    trMark("Points along each axis: large enough to time")};
  const Choices& choices = state.field.extents.size() == 3 ? kVolume : kImage;
  const auto now = std::find(choices.sizes.begin(), choices.sizes.end(), state.fieldControls.size);
  const int chosen = choiceRow(theme, "size", choices.words, static_cast<int>(now - choices.sizes.begin()), kTips);
  if (chosen < static_cast<int>(choices.sizes.size())) {
    state.fieldControls.size = choices.sizes.at(static_cast<std::size_t>(chosen));
  }
}

/// One row of controls: the axis and the position of the cutting plane.
void drawAxisAndPlace(AppState& state, const Theme& theme) {
  FieldControls& controls = state.fieldControls;
  static constexpr std::array kTips{trMark("Planes of equal z, the slowest index"), trMark("Planes of equal y"),
                                    trMark("Planes of equal x, the fastest index")};
  const ImVec2 row = ImGui::GetCursorScreenPos();
  const float inset = std::round((ImGui::GetFrameHeight() - ImGui::GetTextLineHeight()) / 2);
  ImGui::SetCursorScreenPos({row.x, row.y + inset});
  label(theme, theme.colours().textDim, tr("plane of"));
  ImGui::SameLine();
  controls.axis = choiceRow(theme, "axis", kAxisNames, controls.axis, kTips);
  const ImVec2 value{ImGui::GetItemRectMax().x + theme.px(16), row.y + inset};
  ImGui::SetCursorScreenPos(value);
  const FieldGrid grid = gridOf(state.field);
  const FieldPlane plane = FieldPlane::of(grid, controls.axis, controls.slice);
  const std::int64_t last = grid.extents.at(static_cast<std::size_t>(plane.axis)) - 1;
  std::int64_t position = plane.position;
  // The value precedes the slider and has a fixed width, so that nothing moves while dragging.
  const char* const axis = kAxisNames.at(static_cast<std::size_t>(plane.axis));
  label(theme, theme.colours().text, fmt::format("{} = {}", axis, position));
  ImGui::SetCursorScreenPos({value.x + textWidth(fmt::format("{} = {}", axis, last)) + theme.px(8), row.y});
  const float width = std::max(ImGui::GetContentRegionAvail().x, theme.px(64));
  if (Slider{"###position", 0, last, width}.draw(theme, position)) {
    controls.slice = last > 0 ? static_cast<float>(position) / static_cast<float>(last) : 0.5F;
  }
}

void drawControls(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  FieldControls& controls = state.fieldControls;
  const ImVec2 row = ImGui::GetCursorScreenPos();
  const float right = row.x + ImGui::GetContentRegionAvail().x;
  drawButtons(state);
  const ImVec2 next = ImGui::GetCursorScreenPos();
  const bool onGpu = state.field.path == FieldPath::Interop || state.field.path == FieldPath::HostCopy;
  if (onGpu) {
    besideFrame(theme.px(16));
    label(theme, theme.colours().textDim, "N");
    ImGui::SameLine();
    drawSizes(state, theme);
  }
  const bool three = state.field.extents.size() == 3;
  if (three) {
    static constexpr std::array kWays{trMark("slice"), trMark("volume")};
    // At the right end of the row, or below it where there is no room.
    const float left = right - choiceRowWidth(theme, kWays);
    const float inset = std::round((ImGui::GetFrameHeight() - ImGui::GetTextLineHeight()) / 2);
    const bool fits = left > ImGui::GetItemRectMax().x + theme.px(16);
    ImGui::SetCursorScreenPos(fits ? ImVec2(left, row.y + inset) : ImVec2(row.x, next.y + inset));
    controls.volume = choiceRow(theme, "way", kWays, controls.volume ? 1 : 0) == 1;
    if (!fits) {
      ImGui::SetCursorScreenPos({row.x, next.y + ImGui::GetFrameHeightWithSpacing()});
      if (!controls.volume) { drawAxisAndPlace(state, theme); }
      return;
    }
  }
  ImGui::SetCursorScreenPos(next);
  if (three && !controls.volume) { drawAxisAndPlace(state, theme); }
}

// --- The picture ---

/// A rectangle around grid points `low` to `high`, inclusive, where the plane cuts them.
void outline(ImVec2 origin, const FieldFrame& frame, const FieldPlane& plane, const recording::GridPoint& low,
             const recording::GridPoint& high, ImU32 colour, float thickness) {
  const std::array<std::int64_t, 3> from{low.z, low.y, low.x};
  const std::array<std::int64_t, 3> to{high.z, high.y, high.x};
  const auto axis = static_cast<std::size_t>(plane.axis);
  if (plane.position < from.at(axis) || plane.position > to.at(axis)) { return; }
  const auto row = static_cast<std::size_t>(plane.rowAxis);
  const auto column = static_cast<std::size_t>(plane.columnAxis);
  const auto place = [&](std::int64_t atColumn, std::int64_t atRow) {
    return ImVec2(origin.x + frame.left + frame.cell * static_cast<float>(atColumn),
                  origin.y + frame.top + frame.cell * static_cast<float>(atRow));
  };
  ImGui::GetWindowDrawList()->AddRect(place(from.at(column), from.at(row)), place(to.at(column) + 1, to.at(row) + 1),
                                      colour, 0, thickness);
}

/// Outlines what the recorded block loads and writes in this plane.
void outlineBlock(const AppState& state, const Theme& theme, ImVec2 origin, const FieldFrame& frame,
                  const FieldPlane& plane) {
  const recording::Footprint& footprint = state.experiment->footprint;
  if (footprint.loadPoints.empty() || footprint.outputPoints.empty()) { return; }
  const auto box = [](const std::vector<recording::PointView>& points) {
    std::array<recording::GridPoint, 2> corners{points.front().at, points.front().at};
    for (const recording::PointView& point : points) {
      corners[0] = {std::min(corners[0].z, point.at.z), std::min(corners[0].y, point.at.y),
                    std::min(corners[0].x, point.at.x)};
      corners[1] = {std::max(corners[1].z, point.at.z), std::max(corners[1].y, point.at.y),
                    std::max(corners[1].x, point.at.x)};
    }
    return corners;
  };
  const auto loads = box(footprint.loadPoints);
  const auto outputs = box(footprint.outputPoints);
  const float thickness = std::max(1.0F, std::round(theme.px(2)));
  outline(origin, frame, plane, loads[0], loads[1], theme.colours().halo, thickness);
  outline(origin, frame, plane, outputs[0], outputs[1], theme.colours().output, thickness);
  const recording::GridShape shape(footprint.outputExtents);
  for (const faults::OutputRun& run : faultyRuns(state)) {
    const recording::GridPoint first = shape.point(run.begin) + footprint.outputShift;
    const recording::GridPoint last = shape.point(run.end - 1) + footprint.outputShift;
    outline(origin, frame, plane, first, last, theme.colours().fault, thickness);
  }
}

/// The fewest digits that distinguish the value from its neighbours in the type.
std::string exactText(double value, ValueType type) {
  if (type == ValueType::F64) { return fmt::format("{} (double)", value); }
  if (type == ValueType::F16) {
    const auto number = static_cast<float>(value);
    constexpr int kEnough = 5;  // digits, for any half
    std::string text;
    for (int digits = 1; digits <= kEnough; ++digits) {
      text = fmt::format("{:.{}g}", number, digits);
      if (halfBits(std::strtof(text.c_str(), nullptr)) == halfBits(number)) { break; }
    }
    return text + " (half)";
  }
  return fmt::format("{}", static_cast<float>(value));
}

std::string sweepsText(std::uint64_t sweeps) { return trn("{} sweep", "{} sweeps", sweeps, grouped(sweeps)); }

/// The value under the pointer.
void describeProbe(AppState& state, const Theme& theme) {
  const FieldProbe& probe = *state.field.probe;
  if (isRecorded(state)) { state.selection.hoveredPoint = probe.point; }
  const Tooltip tip(theme);
  const std::size_t axes = state.field.extents.size();
  tip.title((axes == 1 ? tr("index ") : "") + pointText(probe.point, axes));
  tip.row(tr("value"), exactText(probe.value, state.field.element));
  const FieldCurve& curve = state.field.curve;
  if (std::ssize(curve.input) == state.field.extents.back()) {  // a column a point
    const auto index = static_cast<std::size_t>(probe.point.x);
    tip.row(tr("input"), fmt::format("{}", curve.input[index][0]));
  }
  tip.row(tr("after"), sweepsText(state.field.sweeps));
}

void drawProbe(AppState& state, const Theme& theme, ImVec2 origin, const FieldFrame& frame, const FieldPlane& plane) {
  const recording::GridPoint& at = state.field.probe->point;
  outline(origin, frame, plane, at, at, theme.colours().active, std::max(1.0F, std::round(theme.px(1.5F))));
  describeProbe(state, theme);
}

void drawPlane(AppState& state, const Theme& theme, ImVec2 origin, bool hovered, bool held) {
  FieldControls& controls = state.fieldControls;
  const FieldGrid grid = gridOf(state.field);
  const FieldPlane plane = FieldPlane::of(grid, controls.axis, controls.slice);
  const FieldFrame frame = FieldFrame::of(grid, plane, controls.width, controls.height);
  if (showsBlock(state)) { outlineBlock(state, theme, origin, frame, plane); }
  controls.pointer.reset();
  if (!hovered && !held) { return; }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  controls.pointer = {mouse.x - origin.x, mouse.y - origin.y};
  if (!controls.brush.empty()) {
    const float radius = frame.cell * (controls.brushRadius + 0.5F);
    ImGui::GetWindowDrawList()->AddCircle(mouse, radius, theme.colours().activeText, 0, std::max(1.0F, theme.px(1)));
    controls.erasing = ImGui::GetIO().KeyShift;
    controls.painting = held;
    if (held) { return; }
  }
  if (state.field.probe) { drawProbe(state, theme, origin, frame, plane); }
}

void drawVolume(AppState& state, const Theme& theme, ImVec2 origin, bool hovered, bool held) {
  FieldControls& controls = state.fieldControls;
  controls.pointer.reset();
  const ImGuiIO& io = ImGui::GetIO();
  if (held) {
    controls.yaw -= io.MouseDelta.x * kRadiansPerPixel;
    controls.pitch = std::clamp(controls.pitch + io.MouseDelta.y * kRadiansPerPixel, -1.5F, 1.5F);
  }
  if (hovered && io.MouseWheel != 0) {
    controls.distance = std::clamp(controls.distance * std::pow(0.9F, io.MouseWheel), kNearest, kFarthest);
  }
  // Axis names, outside the box, at the middle of one edge each.
  const FieldCamera camera(gridOf(state.field), controls.yaw, controls.pitch, controls.distance, controls.width,
                           controls.height);
  const FontScope font(theme, Face::Mono, TextSize::Small);
  for (const FieldCamera::Edge& edge : camera.axisEdges()) {
    const glm::vec2 middle = (edge.from + edge.to) * 0.5F;
    glm::vec2 outwards = middle - glm::vec2(controls.width, controls.height) * 0.5F;
    outwards = glm::length(outwards) > 1 ? glm::normalize(outwards) : glm::vec2(0, 1);
    const glm::vec2 at = middle + outwards * theme.px(14);
    const char* const axis = kAxisNames.at(static_cast<std::size_t>(edge.axis));
    textAt(ImGui::GetWindowDrawList(),
           {origin.x + at.x - textWidth(axis) / 2, origin.y + at.y - ImGui::GetFontSize() / 2}, theme.colours().textDim,
           axis);
  }
}

void drawPicture(AppState& state, const Theme& theme, ImVec2 size) {
  FieldControls& controls = state.fieldControls;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  controls.width = static_cast<int>(size.x);
  controls.height = static_cast<int>(size.y);
  controls.background = theme.colours().panel;
  controls.frame = theme.colours().textDim;
  controls.fault = theme.colours().fault;
  ImGui::InvisibleButton("picture", {static_cast<float>(controls.width), static_cast<float>(controls.height)});
  const bool hovered = ImGui::IsItemHovered();
  const bool held = ImGui::IsItemActive();
  if (hovered) { ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY); }
  if (isCurve(state)) {
    drawFieldCurve(state, theme, origin, ImGui::GetItemRectMax(), hovered);
    if (controls.pointer && state.field.probe) { describeProbe(state, theme); }
    return;
  }
  if (state.field.texture != 0 && !state.field.extents.empty()) {
    ImGui::GetWindowDrawList()->AddImage(static_cast<ImTextureID>(state.field.texture), origin,
                                         ImGui::GetItemRectMax());
    if (isVolume(state)) {
      drawVolume(state, theme, origin, hovered, held);
    } else {
      drawPlane(state, theme, origin, hovered, held);
    }
    return;
  }
  const FontScope font(theme, Face::Sans, TextSize::Body);
  const char* const words = state.field.preparing || state.experiment == nullptr ? tr("preparing the field …")
                            : state.field.problem.empty()                        ? ""
                                                                                 : tr("there is no field to show");
  const ImVec2 extent = ImGui::CalcTextSize(words);
  textAt(ImGui::GetWindowDrawList(), {origin.x + (size.x - extent.x) / 2, origin.y + (size.y - extent.y) / 2},
         theme.colours().textDim, words);
}

// --- Legend ---

void drawColourBar(const FieldStatus& field, const Theme& theme, float width, render::FieldScale scale) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeight();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string low = fmt::format("{:.4g}", field.low);
  const std::string high = fmt::format("{:.4g}", field.high);
  const float gap = theme.px(8);
  const float left = at.x + textWidth(low) + gap;
  const float right = at.x + width - textWidth(high) - gap;
  textAt(list, at, theme.colours().textDim, low);
  textAt(list, {right + gap, at.y}, theme.colours().textDim, high);
  const int steps = static_cast<int>(render::stopsOf(scale).size()) - 1;
  const float inset = std::round(height * 0.2F);
  for (int step = 0; step < steps; ++step) {
    const auto share = [&](int i) { return static_cast<float>(i) / static_cast<float>(steps); };
    const ImU32 from = packed(render::fieldColour(share(step), scale));
    const ImU32 to = packed(render::fieldColour(share(step + 1), scale));
    list->AddRectFilledMultiColor({std::lerp(left, right, share(step)), at.y + inset},
                                  {std::lerp(left, right, share(step + 1)), at.y + height - inset}, from, to, to, from);
  }
  ImGui::Dummy({width, height});
}

struct Badge {
  std::string text;
  ImU32 colour;
  std::string tip;
};

Badge badgeOf(const FieldStatus& field, const Palette& colours) {
  switch (field.path) {
    case FieldPath::Interop:
      return {tr("drawn from device memory (interop)"), colours.good,
              tr("The GPU copies the kernel's output straight into the buffer that OpenGL draws from")};
    case FieldPath::HostCopy:
      return {trf("copied through the host: {}", field.pathReason), colours.halo,
              tr("The kernel runs on the GPU; its output is copied through host memory to be drawn")};
    case FieldPath::Emulator:
      return {field.machineCode ? tr("machine code on the CPU") : tr("emulator on the CPU"), colours.halo,
              trf("No GPU runs this kernel: {}", field.pathReason)};
    case FieldPath::None:
      break;
  }
  return {"", colours.textDim, ""};
}

void drawFoot(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const FieldStatus& field = state.field;
  const Palette& colours = theme.colours();
  const float width = ImGui::GetContentRegionAvail().x;
  const float bar = std::min(theme.px(240), width * 0.45F);
  float legendRoom = 0;
  if (isCurve(state)) {
    const std::string now = trf("after {}", sweepsText(field.sweeps));
    const std::array curves{LegendEntry{colours.interior, tr("input"), Swatch::Line},
                            LegendEntry{colours.output, now.c_str(), Swatch::Line}};
    const ImVec2 corner = ImGui::GetCursorPos();
    legend(theme, std::span(curves).first(field.sweeps > 0 ? 2 : 1));
    ImGui::SetCursorPos({corner.x + bar + theme.px(16), corner.y});
  } else {
    const ImVec4 ground = ImGui::ColorConvertU32ToFloat4(colours.panel);
    const render::FieldSurroundings around{.background = {ground.x, ground.y, ground.z}};
    const bool grey = playedHere(state) != nullptr && takesPictures(state);
    drawColourBar(field, theme, bar, around.scaleOf(field.low, field.high, grey));
    ImGui::SameLine(0, theme.px(16));
    if (const KernelFile* played = playedHere(state)) {
      label(theme, theme.colours().text, tr(played->problem->legend));
      ImGui::SameLine(0, theme.px(16));
      legendRoom = textWidth(tr(played->problem->legend)) + theme.px(16);
    }
  }
  const Badge badge = badgeOf(field, colours);
  const float room = std::max(width - bar - theme.px(16) - legendRoom, 1.0F);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float text = std::min(room, textWidth(badge.text));
  clippedTextAt(ImGui::GetWindowDrawList(), {at.x + room - text, at.y}, room, badge.colour, badge.text);
  ImGui::Dummy({room, ImGui::GetTextLineHeight()});
  if (lastItemAsked() && !badge.tip.empty()) {
    const Tooltip tip(theme);
    tip.title(badge.text, badge.colour, Face::SansStrong);
    tip.note(badge.tip, colours.text);
  }
  if (!isVolume(state) && showsBlock(state)) {
    const bool beyond = field.element == ValueType::F64;  // the drawing rounds to float
    std::vector<LegendEntry> entries{LegendEntry{colours.halo, tr("loaded by the recorded block"), Swatch::Outlined},
                                     LegendEntry{colours.output, tr("written by it"), Swatch::Outlined}};
    // A curve has a gap instead.
    if (!isCurve(state)) {
      entries.push_back({colours.fault, beyond ? tr("NaN, infinite or beyond float") : tr("NaN or infinite")});
    }
    if (!faultyRuns(state).empty()) { entries.push_back({colours.fault, tr("affected by a fault"), Swatch::Outlined}); }
    legend(theme, entries);
  }
}

/// Offers to run a rejected kernel on the GPU, and states the consequences.
void drawInsistence(AppState& state, const Theme& theme) {
  if (!state.field.refused || state.experiment == nullptr) { return; }
  label(theme, theme.colours().textDim, tr("The GPU only runs kernels that passed all checks."));
  if (ImGui::Button(tr("Run on the GPU anyway"))) { state.fieldControls.insistedOn = state.experiment->file.id; }
  ImGui::SetItemTooltip("%s",
                        tr("It may access memory outside its arrays, give different results each time, or never end"));
  label(theme, theme.colours().textDim,
        tr("It then runs in a child process, which is stopped after 1.5 s. Nothing in this window is lost."));
}

std::string captionOf(const AppState& state) {
  const FieldStatus& field = state.field;
  if (field.extents.empty()) { return {}; }
  const std::string rate =
      field.sweepsPerSecond > 0 ? trf(" · {:.3g} sweeps a second", field.sweepsPerSecond) : std::string();
  return fmt::format("{} · {}{}{}", extentsText(field.extents), sweepsText(field.sweeps), rate,
                     isVolume(state) ? tr(" · drag to turn") : tr(" · hover: exact value"));
}

void drawField(AppState& state, const Theme& theme, const PanelTools&) {
  const FieldStatus& field = state.field;
  panelHeading(theme, field.kernel.empty() ? tr("Field") : trf("Field: {}", field.kernel), captionOf(state));
  if (!field.problem.empty()) {
    ImGui::PushTextWrapPos(0);
    label(theme, theme.colours().fault, field.problem);
    drawInsistence(state, theme);
    ImGui::PopTextWrapPos();
  }
  if (field.path != FieldPath::None) { drawControls(state, theme); }
  if (!field.noTimeStep.empty()) {
    ImGui::PushTextWrapPos(0);
    label(theme, theme.colours().textDim, field.noTimeStep);
    ImGui::PopTextWrapPos();
  }
  float foot = 0;
  if (field.path != FieldPath::None) {
    const FontScope font(theme, Face::Sans, TextSize::Small);
    foot = ImGui::GetTextLineHeight() + ImGui::GetStyle().ItemSpacing.y;
    if (!isVolume(state) && showsBlock(state)) { foot += ImGui::GetTextLineHeight() + theme.px(8); }
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 size{std::floor(room.x), std::floor(room.y - foot - ImGui::GetStyle().ItemSpacing.y)};
  if (size.x < 16 || size.y < 16) { return; }
  drawPicture(state, theme, size);
  if (field.path != FieldPath::None) { drawFoot(state, theme); }
}

constexpr std::array kFieldKeys = {
    Shortcut{.act = toggleTab<Tab::Field>,
             .group = KeyGroup::Field,
             .text = trMark("show the field or the block"),
             .keys = ImGuiMod_Shift | ImGuiKey_F},
};

}  // namespace

extern const Panel kFieldPanel = {
    .tab = Tab::Field, .title = trMark("Field"), .draw = drawField, .shortcuts = kFieldKeys};

}  // namespace haloscope::ui
