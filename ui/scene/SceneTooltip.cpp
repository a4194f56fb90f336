#include "ui/scene/SceneTooltip.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "actions/Findings.h"
#include "actions/TypedCellActions.h"
#include "language/Text.h"
#include "state/Places.h"
#include "state/TypedCell.h"
#include "ui/widgets/CarrierColours.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using recording::CarrierCell;
using recording::Origin;
using recording::PointView;
using recording::Role;
using render::SceneSource;

std::string stepText(std::uint32_t step) { return trf("step {}", grouped(std::uint64_t{step} + 1)); }

class SceneTooltip {
 public:
  SceneTooltip(const AppState& state, const Theme& theme, const ShownBlock& shown, const render::SceneFacts& facts)
      : state_(state),
        theme_(theme),
        shown_(shown),
        facts_(facts),
        block_(shown.experiment.configuration.block),
        axes_(shown.experiment.footprint.inputExtents.size()),
        tip_(theme) {}

  void carrier(const SceneSource& source) const {
    const recording::CarrierView& view = shown_.view.carriers[source.carrier];
    const recording::Carrier& carrier = *view.carrier;
    const CarrierCell& cell = view.cells[source.index];
    const bool isRegister = carrier.kind == recording::Carrier::Kind::Register;
    const bool written = cell.cell.writer != kNone;
    const std::string element =
        isRegister ? trf("{} of {}", carrier.name, threadText(static_cast<std::uint32_t>(cell.index), block_))
                   : recording::formatElement(carrier.name, carrier.extents, cell.index);
    tip_.title(element + " = " +
               (written ? recording::formatExact(carrier.type, cell.cell.bits) : tr("not written yet")));
    const bool unused = cell.cell.origin.kind == Origin::Kind::Element && facts_.isUnused(cell.cell.origin.element);
    const std::vector<ImU32> hues = carrierColours(theme_, shown_.experiment);
    const ImU32 hue =
        cell.role == Role::Interior && source.carrier < hues.size() ? hues[source.carrier] : theme_.of(cell.role);
    tip_.row(tr("role"), std::string(name(cell.role)) + (unused ? tr(", loaded but never used") : ""),
             cell.role == Role::Unwritten ? theme_.colours().text : hue);
    if (cell.placed) { tip_.row(tr("grid point"), pointText(cell.at, axes_)); }
    origin(cell.cell.origin);
    if (cell.cell.origin.kind == Origin::Kind::Element) { typing(cell.cell.origin.object); }
    writer(tr("written by"), cell.cell.writer, cell.cell.writtenAt);
    if (cell.changed) { tip_.note(tr("written by the current step"), theme_.colours().activeText); }
    if (cell.read) { tip_.note(tr("read by the current step")); }
    if (cell.inFlight != kNone) {
      const recording::Recording& recording = *shown_.experiment.recording;
      tip_.row(tr("in flight"), recording::inFlightText(recording, recording.inFlight[cell.inFlight]));
    }
  }

  void input(const SceneSource& source) const {
    const PointView& point = shown_.view.inputs[source.index];
    global(shown_.experiment.footprint.input, point, true);
    // A point's first reader is known from the whole recording, also before the cursor gets there.
    writer(point.active ? tr("read by") : tr("first read by"), point.thread, point.step);
    if (point.rank != kNone) {
      const Program& program = *shown_.experiment.program;
      const recording::Recording& recording = shown_.cursor.recording();
      const Dim3 owner = blockOfRank(recording.block, clusterOf(program, recording.configuration), point.rank);
      tip_.row(tr("from"), trf("the shared memory of block {} of the cluster", text(owner)));
    }
    if (point.active) { tip_.note(tr("read by the current step"), theme_.colours().activeText); }
    typing(shown_.experiment.footprint.input);
  }

  void ghost(const SceneSource& source) const {
    const recording::GridPoint& at = facts_.ghosts[source.index];
    tip_.title(trf("{} at {}", shown_.experiment.program->objects[shown_.experiment.footprint.input].name,
                   pointText(at, axes_)));
    tip_.row(tr("role"), name(Role::Ghost), theme_.of(Role::Ghost));
    tip_.note(tr("Outside the array: no thread reads it."));
  }

  void output(const SceneSource& source) const {
    const PointView& point = shown_.view.outputs[source.index];
    const bool written = point.role == Role::Output;
    global(shown_.experiment.footprint.output, point, written);
    if (written) { writer(tr("written by"), point.thread, point.step); }
    if (const auto expected = withBarriers(point.element)) {
      const Program& program = *shown_.experiment.program;
      const ValueType type = program.objects[shown_.experiment.footprint.output].element;
      tip_.row(tr("with the barrier"), recording::formatExact(type, *expected), theme_.colours().fault);
    }
    if (const ChangedOutput* const changed = state_.changedOutputs.find(shown_.experiment, point.element)) {
      tip_.row(tr("changed"), fmt::format("{:.7g} → {:.7g}", changed->before, changed->now), theme_.colours().accent);
    }
    reached(point.element);
    if (point.active) { tip_.note(tr("written by the current step"), theme_.colours().activeText); }
    const bool open = state_.view.tabs.inFront(Tab::Origins);
    tip_.note(open ? tr("click: where it comes from") : tr("right-click, or click and W: where it comes from"));
  }

 private:
  void typing(ObjectId array) const {
    if (canBeTyped(state_, array)) { tip_.note(tr("Enter: type a number")); }
  }

  void global(ObjectId object, const PointView& point, bool hasValue) const {
    const Program& program = *shown_.experiment.program;
    const auto& extents = shown_.cursor.recording().extents[object];
    tip_.title(
        recording::formatElement(program.objects[object].name, extents, point.element) + " = " +
        (hasValue ? recording::formatExact(program.objects[object].element, point.bits) : tr("not written yet")));
    tip_.row(tr("role"), name(point.role), theme_.of(point.role));
    tip_.row(tr("grid point"), pointText(point.at, axes_));
  }

  /// The value that an output has with the barriers that are out, where it differs.
  [[nodiscard]] std::optional<std::uint64_t> withBarriers(std::int64_t element) const {
    const auto& effect = shown_.experiment.barrierEffect;
    if (!effect) { return std::nullopt; }
    const auto at = std::ranges::lower_bound(effect->differences, element, {}, &experiment::OutputDifference::element);
    return at != effect->differences.end() && at->element == element ? std::optional(at->expected) : std::nullopt;
  }

  /// The faults that reach an output: the chosen one, or all.
  void reached(std::int64_t element) const {
    if (&shown_.experiment != state_.experiment.get()) { return; }
    for (const faults::Finding& finding : shownFindings(state_)) {
      if (!finding.reaches({shown_.experiment.footprint.output, element})) { continue; }
      tip_.row(tr("reached by"), trf("{}, line {}", faults::rowOf(finding.kind).title, finding.where.line),
               theme_.colours().fault);
    }
  }

  void origin(const Origin& origin) const {
    if (origin.kind != Origin::Kind::Element) { return; }
    const Program& program = *shown_.experiment.program;
    tip_.row(tr("a copy of"),
             recording::formatElement(program.objects[origin.object].name,
                                      shown_.cursor.recording().extents[origin.object], origin.element));
  }

  void writer(const char* what, std::uint32_t thread, std::uint32_t step) const {
    if (thread == kNone) { return; }
    tip_.row(what, threadText(thread, block_) + (step != kNone ? ", " + stepText(step) : ""));
  }

  const AppState& state_;
  const Theme& theme_;
  const ShownBlock& shown_;
  const render::SceneFacts& facts_;
  Dim3 block_;
  std::size_t axes_;
  Tooltip tip_;
};

}  // namespace

std::optional<std::uint32_t> threadOf(const recording::BlockView& view, const render::SceneFacts& facts,
                                      const SceneSource& source) {
  std::uint32_t thread = kNone;
  switch (source.kind) {
    case SceneSource::Kind::None:
    case SceneSource::Kind::Ghost:
      break;
    case SceneSource::Kind::Carrier: {
      const recording::CarrierView& carrier = view.carriers[source.carrier];
      const bool isRegister = carrier.carrier->kind == recording::Carrier::Kind::Register;
      thread = isRegister ? source.index : carrier.cells[source.index].cell.writer;
      break;
    }
    case SceneSource::Kind::Input:
      thread = view.inputs[source.index].thread;
      break;
    case SceneSource::Kind::Output: {
      const PointView& point = view.outputs[source.index];
      thread = point.thread;
      // Not written yet: the thread of that column of the grid will write it.
      for (std::uint32_t t = 0; thread == kNone && t < facts.homes.size(); ++t) {
        const auto& home = facts.homes[t].output;
        if (home && home->x == point.at.x && home->y == point.at.y && (home->z == point.at.z || facts.rotates)) {
          thread = t;
        }
      }
      break;
    }
  }
  return thread == kNone ? std::nullopt : std::optional(thread);
}

std::optional<recording::GridPoint> pointOf(const recording::BlockView& view, const SceneSource& source) {
  switch (source.kind) {
    case SceneSource::Kind::None:
    case SceneSource::Kind::Ghost:
      break;
    case SceneSource::Kind::Carrier: {
      const CarrierCell& cell = view.carriers[source.carrier].cells[source.index];
      return cell.placed ? std::optional(cell.at) : std::nullopt;
    }
    case SceneSource::Kind::Input:
      return view.inputs[source.index].at;
    case SceneSource::Kind::Output:
      return view.outputs[source.index].at;
  }
  return std::nullopt;
}

void drawSceneTooltip(const AppState& state, const Theme& theme, const ShownBlock& block,
                      const render::SceneFacts& facts, const SceneSource& source) {
  const SceneTooltip tip(state, theme, block, facts);
  switch (source.kind) {
    case SceneSource::Kind::None:
      return;
    case SceneSource::Kind::Carrier:
      tip.carrier(source);
      return;
    case SceneSource::Kind::Input:
      tip.input(source);
      return;
    case SceneSource::Kind::Output:
      tip.output(source);
      return;
    case SceneSource::Kind::Ghost:
      tip.ghost(source);
      return;
  }
}

}  // namespace haloscope::ui
