#include "actions/ExportActions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "actions/Choices.h"
#include "actions/ChosenGpu.h"
#include "language/Language.h"
#include "language/Text.h"
#include "lessons/PageAddress.h"
#include "program/SourceLocation.h"
#include "recording/Pace.h"
#include "state/Player.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

/// Whether a panel shows the field that is swept, or its times.
bool showsField(const AppState& state, Tab panel) {
  return panel == Tab::Field || panel == Tab::Playground || (panel == Tab::Timings && !state.gpuName.empty());
}

/// The values with which the numbers of a panel came about.
Bindings bindingsOf(const AppState& state, const experiment::Experiment& shown, Tab panel) {
  const measuring::TuningMap* const map = state.tuning.map.get();
  if (panel == Tab::Tuning && map != nullptr && map->kernel == shown.file.id) {
    Bindings fixed = map->bindings;
    fixed.erase(map->columns.name);
    fixed.erase(map->rows.name);
    return fixed;
  }
  Bindings bindings = shown.bindings;
  if (showsField(state, panel)) {  // it has a size of its own
    for (const SizeParameter& size : shown.file.sizes) { bindings.erase(size.name); }
  }
  return bindings;
}

std::string kernelLine(const AppState& state, const experiment::Experiment& shown, Tab panel) {
  std::string line = shownName(state.catalogue, shown.file.id);
  if (!shown.file.title.empty()) { line += fmt::format(" ({})", tr(shown.file.title)); }
  for (const auto& [name, value] : bindingsOf(state, shown, panel)) {
    line += fmt::format(" · {} = {}", name, shown.file.valueText(name, value));
  }
  if (showsField(state, panel) && !state.field.extents.empty()) {
    line += " · " + trf("a field of {}", fmt::format("{}", fmt::join(state.field.extents, "×")));
  }
  return line;
}

std::string stepLine(const AppState& state, const experiment::Experiment& shown) {
  const recording::Cursor& cursor = state.cursor;
  std::string line = trf("block ({}, {}, {}) of {}, {} threads", shown.block.x, shown.block.y, shown.block.z,
                         extentText(shown.configuration.grid), extentText(shown.configuration.block));
  line += " · " + trf("step {} of {}", cursor.position(), cursor.end());
  if (const recording::Step* step = cursor.current()) {
    line += " · " + trf("line {}", shown.program->statements[step->statement].range.line);
  }
  return line;
}

/// Who swept the field.
std::string sweptLine(const AppState& state) {
  const FieldStatus& field = state.field;
  if (field.path == FieldPath::None) { return tr("nothing was swept"); }
  if (field.sweeps == 0 && !field.painted) { return tr("the field before the first sweep"); }
  return field.path == FieldPath::Emulator ? tr("swept by Haloscope's emulator") : trf("swept on {}", state.gpuName);
}

std::string timedLine(const AppState& state) {
  if (state.gpuName.empty()) {
    const measuring::GpuSpec* const gpu = chosenGpu(state);
    return gpu == nullptr ? std::string() : trf("predicted for {} by formula, not measured", gpu->name);
  }
  if (state.field.ring.empty() || state.field.path == FieldPath::None) { return tr("nothing was timed"); }
  return state.field.path == FieldPath::Emulator ? tr("timed on Haloscope's emulator")
                                                 : trf("timed on {}", state.gpuName);
}

/// Of the panels with the launch's counts.
std::string countedLine(const AppState& state, const experiment::Experiment& shown, Tab panel) {
  std::string line = tr("counted by Haloscope's emulator");
  if (const measuring::HardwareReading* reading = state.hardware.of(shown.file, shown.bindings)) {
    line += " · " + trf("measured with the hardware counters of {}", reading->gpu);
  }
  if (panel != Tab::Roofline) { return line; }
  const std::optional<Roofs> roofs = roofsOf(state);
  if (roofs && roofs->measured) { line += " · " + trf("roof measured on {}", state.gpuName); }
  const measuring::GpuSpec* const gpu = predictedGpu(state);
  if (roofs && gpu != nullptr) { line += " · " + trf("roof of {} from its data sheet", gpu->name); }
  return line;
}

/// Where the numbers come from; empty where there are none.
std::string sourceLine(const AppState& state, const experiment::Experiment& shown, Tab panel) {
  switch (panel) {
    case Tab::Tuning:
      if (state.tuning.map == nullptr) { return {}; }
      return state.tuning.map->timing ? trf("timed on {}", state.tuning.map->gpu)
                                      : trf("computed for {}, not measured", state.tuning.map->gpu);
    case Tab::Field:
    case Tab::Playground:
      return sweptLine(state);
    case Tab::Timings:
      return timedLine(state);
    case Tab::OpPerByte:
    case Tab::Roofline:
      return countedLine(state, shown, panel);
    default:
      if (!followsCursor(panel) || state.cursor.empty()) { break; }
      if (state.cursor.recording().source == recording::Recording::Source::Emulator) { break; }
      return trf("recorded on {}", state.gpuName);
  }
  return tr("executed on Haloscope's emulator");
}

struct FormatEnding {
  ExportFormat format;
  std::string_view ending;
};
// In the order of ExportFormat.
constexpr std::array kFormats = {
    FormatEnding{ExportFormat::Png, ".png"},   FormatEnding{ExportFormat::Svg, ".svg"},
    FormatEnding{ExportFormat::Gif, ".gif"},   FormatEnding{ExportFormat::Mp4, ".mp4"},
    FormatEnding{ExportFormat::WebM, ".webm"}, FormatEnding{ExportFormat::Csv, ".csv"},
    FormatEnding{ExportFormat::Json, ".json"},
};

bool hasTable(Tab panel) { return panel == Tab::Tuning || panel == Tab::Timings || showsCounts(panel); }

ExportPlan planFor(ExportFormat format) {
  ExportPlan plan;
  plan.format = format;
  return plan;
}

/// Each position for as long as it is shown while playing; then a pause, as before playing restarts.
std::vector<ExportMoment> playedMoments(const recording::Recording& recording, const ExportSteps& steps,
                                        const ExportPlan& plan) {
  std::vector<ExportMoment> moments;
  double shown = 0;  // seconds that the position has been shown when the next picture is due
  for (std::size_t at = steps.first; at <= steps.last; ++at) {
    // The first one is there already: what led to it is not part of the range.
    const bool moves = at > steps.first;
    const double step =
        (moves ? recording::secondsOf(recording, at - 1) : recording::secondsOf(recording::Activity::Control)) /
        *plan.speed;
    const double end = at == steps.last ? step + kPauseAtEnd : step;
    for (; shown < end; shown += 1 / plan.rate) {
      const double share = shown / (recording::kMovingShare * step);
      moments.push_back({at, moves ? std::optional(static_cast<float>(std::min(share, 1.0))) : std::nullopt});
      if (moments.size() > kMostPictures) {
        throw InputError(
            trf("more than {} pictures are too many: take a shorter range, fewer a second, or a higher "
                "speed",
                kMostPictures));
      }
    }
    shown -= end;
  }
  return moments;
}

}  // namespace

bool followsCursor(Tab panel) {
  constexpr std::array kFollowing = {Tab::Source, Tab::Block, Tab::Memory, Tab::Addresses, Tab::Origins, Tab::Timeline};
  return std::ranges::find(kFollowing, panel) != kFollowing.end();
}

bool showsExperiment(Tab panel) {
  constexpr std::array kOthers = {Tab::Figures, Tab::Program,   Tab::Compare, Tab::Climb,
                                  Tab::Lesson,  Tab::Exercises, Tab::Make,    Tab::BugLab};
  return std::ranges::find(kOthers, panel) == kOthers.end();
}

std::string linkToPage(const AppState& state) {
  const KernelFile* const file = state.catalogue.find(state.choice.kernel);
  const auto copy = state.copies.find(state.choice.kernel);
  if (file == nullptr || file->isOwn() || (copy != state.copies.end() && copy->second.changed())) { return {}; }
  const bool there = state.experiment != nullptr && state.experiment->choice == state.choice && !state.cursor.empty();
  return fmt::format("{}/{}", languageCode(language()),
                     lessons::pageAddress(*file, state.choice, there ? state.cursor.position() : 0));
}

std::vector<std::string> panelCaption(const AppState& state, Tab panel) {
  if (panel == Tab::Compare) {
    std::vector<std::string> lines;
    for (const ComparedVariant& one : state.comparison.variants) {
      if (one.shown()) { lines.push_back(kernelLine(state, *one.block.experiment, panel)); }
    }
    if (!lines.empty()) { lines.emplace_back(tr("executed on Haloscope's emulator")); }
    return lines;
  }
  if (state.experiment == nullptr || !showsExperiment(panel)) { return {}; }
  const experiment::Experiment& shown = *state.experiment;
  std::vector<std::string> lines = {kernelLine(state, shown, panel)};
  std::string below = sourceLine(state, shown, panel);
  if (followsCursor(panel) && !state.cursor.empty()) { below = stepLine(state, shown) + " · " + below; }
  if (!below.empty()) { lines.push_back(std::move(below)); }
  return lines;
}

ExportFormat exportFormat(const fs::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* const found = std::ranges::find(kFormats, ending, &FormatEnding::ending);
  if (found != kFormats.end()) { return found->format; }
  std::string endings;
  for (const FormatEnding& one : kFormats) { endings.append(endings.empty() ? "" : ", ").append(one.ending); }
  throw InputError(trf("{}: the name's ending chooses the format: {}", path.string(), endings));
}

std::string endingOf(ExportFormat format) { return std::string(kFormats.at(static_cast<std::size_t>(format)).ending); }

Movement movementOf(Tab panel) {
  if (panel == Tab::Compare) { return Movement::Common; }
  if (panel == Tab::Field) { return Movement::Sweeps; }
  return followsCursor(panel) ? Movement::Steps : Movement::None;
}

std::size_t lastOfMovement(const AppState& state, Tab panel) {
  switch (movementOf(panel)) {
    case Movement::Steps:
      return state.cursor.empty() ? 0 : state.cursor.end();
    case Movement::Common:
      return state.comparison.follows(state.experiment) ? state.comparison.time.end() : 0;
    case Movement::Sweeps:
      return kMostSweeps;
    case Movement::None:
      break;
  }
  return 0;
}

ExportSteps wholeMovement(const AppState& state, Tab panel) {
  if (movementOf(panel) != Movement::Sweeps) { return {0, lastOfMovement(state, panel), 1}; }
  const std::size_t now = std::min<std::size_t>(state.field.sweeps, kMostSweeps);
  return {now, std::min<std::size_t>(now + 400, kMostSweeps), 4};
}

bool showsCounts(Tab panel) {
  constexpr std::array kCounted = {Tab::Block, Tab::Source, Tab::Memory, Tab::OpPerByte, Tab::Roofline};
  return std::ranges::find(kCounted, panel) != kCounted.end();
}

std::string noTableText(Tab panel) {
  return trf("the panel {} has no table: CSV and JSON have the counts of the launch (OpPerByte), Timings or Tuning",
             nameOf(panel));
}

std::vector<ExportFormat> formatsOf(Tab panel) {
  std::vector<ExportFormat> formats;
  for (const FormatEnding& one : kFormats) {
    const ExportPlan plan = planFor(one.format);
    if ((!plan.moves() || movementOf(panel) != Movement::None) && (!plan.isTable() || hasTable(panel))) {
      formats.push_back(one.format);
    }
  }
  return formats;
}

ExportPlan applicable(ExportPlan plan) {
  if (!plan.moves()) { plan.steps.reset(); }
  if (!plan.moves() || movementOf(plan.panel) != Movement::Steps) { plan.speed.reset(); }
  plan.whole = plan.whole && !plan.moves() && !plan.isTable();
  if (plan.format == ExportFormat::Svg) { plan.scale = 1; }
  return plan;
}

void expectExportable(const ExportPlan& plan) {
  const fs::path folder = plan.output.has_parent_path() ? plan.output.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw InputError(trf("{}: there is no folder {}", plan.output.string(), folder.string()));
  }
  if (plan.isTable() && !hasTable(plan.panel)) { throw InputError(noTableText(plan.panel)); }
  if (plan.moves() && movementOf(plan.panel) == Movement::None) {
    throw InputError(
        trf("the panel {} does not change from step to step: an animation can be made of Block, Source, Memory, "
            "Addresses, Origins, Timeline, Compare or Field",
            nameOf(plan.panel)));
  }
  if (!plan.isTable() && plan.pixels() > kMostPixels) {
    constexpr double kMillion = 1e6;
    throw InputError(trf("{} × {} pixels, times {}: {:.0f} million in all, and a picture has at most {:.0f} million",
                         plan.width, plan.height, plan.scale, plan.pixels() / kMillion, kMostPixels / kMillion));
  }
  if (plan.whole && (plan.moves() || plan.isTable())) {
    throw InputError(tr("the whole of a panel is a picture: .png or .svg"));
  }
  if (plan.speed && (!plan.moves() || movementOf(plan.panel) != Movement::Steps)) {
    throw InputError(
        tr("a speed is for an animation of steps: .gif, .mp4 or .webm of Block, Source, Memory, Addresses, "
           "Origins or Timeline"));
  }
  if (plan.steps && !plan.moves()) {
    throw InputError(tr("a range of steps is for an animation: .gif, .mp4 or .webm"));
  }
}

std::vector<ExportMoment> exportMoments(const AppState& state, const ExportPlan& plan) {
  const Movement movement = movementOf(plan.panel);
  const std::size_t end = lastOfMovement(state, plan.panel);
  if (end == 0) {
    throw InputError(movement == Movement::Common ? tr("there are no variants side by side to step through")
                                                  : tr("Nothing has been executed yet."));
  }
  if (movement == Movement::Sweeps && !plan.steps) {
    throw InputError(tr("an animation of the field needs a range of sweeps, such as --steps 0..400 --every 4"));
  }
  ExportSteps steps = plan.steps.value_or(ExportSteps{0, kToTheEnd, 1});
  if (steps.last == kToTheEnd) { steps.last = end; }
  if (steps.first > steps.last || steps.last > end) {
    throw InputError(movement == Movement::Steps
                         ? trf("steps {}..{}: this block's execution has 0 to {}", steps.first, steps.last, end)
                         : trf("steps {}..{}: there are 0 to {}", steps.first, steps.last, end));
  }
  if (plan.speed && movement == Movement::Steps) { return playedMoments(state.cursor.recording(), steps, plan); }
  const std::size_t every = std::max<std::size_t>(steps.every, 1);
  if ((steps.last - steps.first) / every + 1 > kMostPictures) {
    throw InputError(trf("{} pictures are too many: at most {}; take a shorter range, or every {}th step",
                         (steps.last - steps.first) / every + 1, kMostPictures,
                         (steps.last - steps.first) / kMostPictures + 1));
  }
  std::vector<ExportMoment> moments;
  for (std::size_t at = steps.first; at <= steps.last; at += every) { moments.push_back({at}); }
  return moments;
}

bool canExport(const AppState& state) { return !state.start.shown && state.experiment != nullptr; }

void toggleExport(AppState& state) {
  Exporting& exporting = state.exporting;
  if (exporting.running || !canExport(state)) { return; }
  exporting.dialog = !exporting.dialog;
  if (!exporting.dialog) { return; }
  exporting.problem.clear();
  exporting.written.clear();
  state.playback.playing = false;
}

}  // namespace haloscope
