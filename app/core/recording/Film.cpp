#include "recording/Film.h"

#include <algorithm>
#include <utility>

namespace haloscope::recording {

namespace {

/// The layer of each output of a footprint.
std::vector<std::uint32_t> layersOf(const Footprint& footprint) {
  std::vector<std::int64_t> planes;
  planes.reserve(footprint.outputPoints.size());
  for (const PointView& point : footprint.outputPoints) { planes.push_back(point.at.z); }
  std::ranges::sort(planes);
  planes.erase(std::unique(planes.begin(), planes.end()), planes.end());
  std::vector<std::uint32_t> layers;
  layers.reserve(footprint.outputPoints.size());
  for (const PointView& point : footprint.outputPoints) {
    const auto plane = static_cast<std::size_t>(std::ranges::lower_bound(planes, point.at.z) - planes.begin());
    const std::size_t layer = planes.size() <= Film::kMostLayers ? plane : plane * Film::kMostLayers / planes.size();
    layers.push_back(static_cast<std::uint32_t>(layer));
  }
  return layers;
}

/// Goes through the changes of a recording once.
class FilmCutter {
 public:
  FilmCutter(const Recording& recording, const Footprint& footprint, const std::vector<Carrier>& carriers)
      : recording_(recording),
        footprint_(footprint),
        carrierOfArray_(recording.program->objects.size(), kNone),
        carrierOfVariable_(recording.program->variables.size(), kNone),
        layers_(layersOf(footprint)),
        written_(layers_.size(), false) {
    for (std::uint32_t i = 0; i < carriers.size(); ++i) {
      auto& of = carriers[i].kind == Carrier::Kind::SharedArray ? carrierOfArray_ : carrierOfVariable_;
      if (carriers[i].id < of.size()) { of[carriers[i].id] = i; }
    }
    if (!layers_.empty()) { writes.resize(*std::ranges::max_element(layers_) + 1); }
  }

  FilmFrame frame(const Interval& interval) {
    FilmFrame frame{interval.firstStep, interval.endStep, static_cast<std::uint32_t>(events.size())};
    firstEvent_ = events.size();
    for (std::uint32_t step = interval.firstStep; step < interval.endStep; ++step) { addStep(step); }
    frame.eventCount = static_cast<std::uint32_t>(events.size() - firstEvent_);
    return frame;
  }

  std::vector<FilmEvent> events;
  std::vector<std::vector<std::uint32_t>> writes;  ///< see Film

 private:
  void addStep(std::uint32_t step) {
    bool kept = false;
    for (const Change& change : recording_.changesOf(step)) {
      if (change.kind == Change::Kind::Global) {
        addWrite(change, step);
        continue;
      }
      const std::uint32_t carrier = carrierOf(change.kind, change.id);
      if (carrier == kNone) { continue; }
      kept = true;
      addArrival(change, carrier, step);
    }
    if (recording_.activities[step] == Activity::Output) { add({FilmEvent::Kind::Output, step}); }
    if (!kept && recording_.activities[step] == Activity::Load && readsInput(step)) {
      add({FilmEvent::Kind::Load, step});
    }
  }

  void addArrival(const Change& change, std::uint32_t carrier, std::uint32_t step) {
    const bool fromArray = change.copiedFrom == Change::CopiedFrom::Shared;
    if (!fromArray && change.copiedFrom != Change::CopiedFrom::Variable) {
      const bool loads = recording_.activities[step] == Activity::Load;
      if (loads || change.copiedFrom == Change::CopiedFrom::Global) { add({FilmEvent::Kind::Load, step, carrier}); }
      return;
    }
    if (recording_.activities[step] != Activity::Move) { return; }
    const std::uint32_t from = carrierOf(fromArray ? Change::Kind::Shared : Change::Kind::Variable, change.copiedId);
    if (from != kNone && from != carrier) { add({FilmEvent::Kind::Move, step, carrier, from}); }
  }

  void addWrite(const Change& change, std::uint32_t step) {
    if (change.id != footprint_.output) { return; }
    const auto found = std::ranges::lower_bound(footprint_.outputs, change.index);
    if (found == footprint_.outputs.end() || *found != change.index) { return; }
    const auto output = static_cast<std::size_t>(found - footprint_.outputs.begin());
    if (written_[output]) { return; }
    written_[output] = true;
    writes[layers_[output]].push_back(step);
  }

  void add(const FilmEvent& event) {
    // A step changes the cells of one array by the hundred: mostly the last event is meant.
    for (std::size_t i = events.size(); i > firstEvent_; --i) {
      const FilmEvent& known = events[i - 1];
      if (known.kind == event.kind && known.carrier == event.carrier && known.from == event.from) { return; }
    }
    events.push_back(event);
  }

  [[nodiscard]] std::uint32_t carrierOf(Change::Kind kind, std::uint32_t id) const {
    if (kind != Change::Kind::Shared && kind != Change::Kind::Variable) { return kNone; }
    const auto& of = kind == Change::Kind::Shared ? carrierOfArray_ : carrierOfVariable_;
    return id < of.size() ? of[id] : kNone;
  }

  [[nodiscard]] bool readsInput(std::uint32_t step) const {
    return std::ranges::any_of(recording_.accessesOf(step), [&](const AccessGroup& group) {
      return !group.store && group.space == MemorySpace::Global && group.object == footprint_.input;
    });
  }

  const Recording& recording_;
  const Footprint& footprint_;
  std::vector<std::uint32_t> carrierOfArray_, carrierOfVariable_;
  std::vector<std::uint32_t> layers_;  ///< of each output
  std::vector<bool> written_;          ///< ... so far
  std::size_t firstEvent_ = 0;         ///< of the frame
};

}  // namespace

Film::Film(const Recording& recording, const Footprint& footprint, const std::vector<Carrier>& carriers)
    : clock_(recording) {
  FilmCutter cutter(recording, footprint, carriers);
  frames_.reserve(recording.intervals.size());
  for (const Interval& interval : recording.intervals) {
    frames_.push_back(cutter.frame(interval));
    frames_.back().longest =
        longestActivity(recording, clock_, clock_.begin(interval.firstStep), clock_.begin(interval.endStep));
  }
  events_ = std::move(cutter.events);
  writes_ = std::move(cutter.writes);
}

double Film::written(std::size_t layer, std::size_t endStep) const {
  const std::vector<std::uint32_t>& steps = writes_[layer];
  const auto before = std::ranges::lower_bound(steps, endStep) - steps.begin();
  return steps.empty() ? 0 : static_cast<double>(before) / static_cast<double>(steps.size());
}

}  // namespace haloscope::recording
