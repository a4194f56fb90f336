#include "handout/RecordingData.h"

#include <algorithm>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "cells/CellGrid.h"
#include "handout/Columns.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "recording/Cursor.h"
#include "recording/StepCaption.h"

namespace haloscope::handout {

namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<std::uint32_t>;
using Places = std::vector<std::int64_t>;
using recording::AccessGroup;
using recording::Carrier;
using recording::Change;
using recording::Origin;
using recording::Recording;

std::uint32_t low(std::uint64_t bits) { return static_cast<std::uint32_t>(bits); }
std::uint32_t high(std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> 32U); }

Json rangeJson(const SourceRange& range) { return {range.line, range.column, range.endLine, range.endColumn}; }
Json dimJson(const Dim3& dim) { return {dim.x, dim.y, dim.z}; }

/// Of equal entries the first one's number.
template <typename T>
class Dictionary {
 public:
  std::uint32_t numberOf(T entry) {
    const auto [at, isNew] = numbers_.try_emplace(std::move(entry), static_cast<std::uint32_t>(list_.size()));
    if (isNew) { list_.push_back(at->first); }
    return at->second;
  }
  [[nodiscard]] const Json& list() const { return list_; }

 private:
  std::map<T, std::uint32_t> numbers_;
  Json list_ = Json::array();
};

std::size_t loadsOf(const Recording& recording, std::size_t step) {
  std::size_t loads = 0;
  for (const AccessGroup& group : recording.accessesOf(step)) {
    if (!group.store) { loads += static_cast<std::size_t>(std::popcount(group.lanes)); }
  }
  return loads;
}

/// A step that only decides something takes room, too: what its lanes do.
std::size_t stepsWithin(const Recording& recording, std::size_t most) {
  std::size_t events = 0;
  for (std::size_t step = 0; step < recording.steps.size(); ++step) {
    events += recording.warpCount() + recording.steps[step].changeCount + loadsOf(recording, step);
    if (events > most) { return step; }
  }
  return recording.steps.size();
}

/// 0 unwritten, 1 computed, 2 constant, from 3 on a copy of an element of object n - 3.
std::uint32_t originNumber(const Origin& origin) {
  return origin.kind == Origin::Kind::Element ? 3 + origin.object : static_cast<std::uint32_t>(origin.kind);
}

class Packer {
 public:
  Packer(const experiment::Experiment& experiment, std::size_t steps)
      : experiment_(experiment), recording_(*experiment.recording), program_(*experiment.program), steps_(steps) {}

  std::string bytes(const std::vector<std::int64_t>& faulty) {
    addProgram();
    addSteps();
    addRoles();
    addPoints(faulty);
    addGrids();
    return columns_.bytes(std::move(facts_));
  }

 private:
  void addProgram() {
    facts_["threads"] = recording_.threadCount();
    facts_["block"] = dimJson(recording_.configuration.block);
    facts_["steps"] = steps_;
    Json objects = Json::array(), variables = Json::array(), statements = Json::array(), functions = Json::array();
    for (std::size_t id = 0; id < program_.objects.size(); ++id) {
      const MemoryObject& object = program_.objects[id];
      objects.push_back({{"name", object.name},
                         {"space", static_cast<int>(object.space)},
                         {"type", static_cast<int>(object.element)},
                         {"size", sizeInMemory(object.element)},
                         {"extents", recording_.extents[id]}});
    }
    for (std::size_t id = 0; id < program_.variables.size(); ++id) {
      const Variable& variable = program_.variables[id];
      const std::uint64_t bits = recording_.initialVariables[id];
      variables.push_back({{"name", variable.name},
                           {"type", static_cast<int>(program_.registers[variable.reg].type)},
                           {"parameter", variable.parameter},
                           {"function", variable.function},
                           {"scope", rangeJson(variable.scope)},
                           {"bits", {low(bits), high(bits)}}});
    }
    for (const Statement& statement : program_.statements) {
      Json one = rangeJson(statement.range);
      one.push_back(statement.function);
      statements.push_back(std::move(one));
    }
    for (const auto& function : program_.functions) { functions.push_back(rangeJson(function.calledAt)); }
    facts_["objects"] = std::move(objects);
    facts_["variables"] = std::move(variables);
    facts_["statements"] = std::move(statements);
    facts_["functions"] = std::move(functions);
    Json planes = Json::array();
    for (const recording::Plane& plane : recording_.planes) { planes.push_back({plane.variable, plane.value}); }
    facts_["planes"] = std::move(planes);
  }

  void addSteps() {
    Dictionary<std::string> sentences, lanes;
    Dictionary<std::pair<int, std::uint32_t>> targets;
    Numbers statement, interval, plane, activity, sentence, laneRow, changeCount, readCount;
    Numbers target, thread, lows, highs, origin, readObject, readThread, readLow, readHigh;
    Places index, originElement, readElement;
    const std::vector<Carrier> noCarriers;
    recording::Cursor cursor(experiment_.recording);
    for (std::size_t step = 0; step < steps_; ++step) {
      const recording::Step& one = recording_.steps[step];
      statement.push_back(one.statement);
      interval.push_back(one.interval);
      plane.push_back(one.plane);
      activity.push_back(static_cast<std::uint32_t>(recording_.activities[step]));
      cursor.goTo(step + 1);
      // Only of a carrier that it fills does the sentence need the cells.
      const std::vector<Carrier>& carriers = writesCarrier(step) ? experiment_.carriers : noCarriers;
      const recording::BlockView view = viewBlock(cursor, experiment_.footprint, carriers);
      std::string title = captionOf(cursor, experiment_.footprint, carriers, view).title;
      std::erase(title, '`');
      sentence.push_back(sentences.numberOf(std::move(title)));
      std::string row;
      for (const recording::LaneStatus status : view.lanes) {
        row += static_cast<char>('0' + static_cast<int>(status));
      }
      laneRow.push_back(lanes.numberOf(std::move(row)));
      changeCount.push_back(one.changeCount);
      for (const Change& change : recording_.changesOf(step)) {
        target.push_back(targets.numberOf({static_cast<int>(change.kind), change.id}));
        index.push_back(change.index);
        thread.push_back(change.thread);
        lows.push_back(low(change.after));
        highs.push_back(high(change.after));
        origin.push_back(originNumber(change.originAfter));
        originElement.push_back(change.originAfter.element);
      }
      readCount.push_back(static_cast<std::uint32_t>(loadsOf(recording_, step)));
      for (const AccessGroup& group : recording_.accessesOf(step)) {
        if (group.store) { continue; }
        std::size_t n = group.first;
        for (LaneMask left = group.lanes; left != 0; left &= left - 1, ++n) {
          readObject.push_back(group.object);
          readElement.push_back(recording_.elements[n]);
          readThread.push_back(group.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(left)));
          // What global memory held; the script has the block's own memory itself.
          const std::uint64_t bits = group.space == MemorySpace::Global ? recording_.values[n] : 0;
          readLow.push_back(low(bits));
          readHigh.push_back(high(bits));
        }
      }
    }
    facts_["sentences"] = sentences.list();
    facts_["lanes"] = lanes.list();
    facts_["targets"] = targets.list();
    columns_.add("statement", statement, true);
    columns_.add("interval", interval, true);
    columns_.add("plane", plane, true);
    columns_.add("activity", activity);
    columns_.add("sentence", sentence, true);
    columns_.add("laneRow", laneRow);
    columns_.add("changes", changeCount);
    columns_.add("reads", readCount);
    columns_.add("target", target);
    columns_.add("index", index);
    columns_.add("thread", thread, true);
    columns_.add("low", lows);
    columns_.add("high", highs);
    columns_.add("origin", origin);
    columns_.add("originElement", originElement);
    columns_.add("readObject", readObject);
    columns_.add("readElement", readElement);
    columns_.add("readThread", readThread, true);
    columns_.add("readLow", readLow);
    columns_.add("readHigh", readHigh);
  }

  /// Roles of the carriers' cells before the first step, and those that each step changes. A carrier is looked at when
  /// a step writes to one, and at the first step of each statement for what it reads.
  void addRoles() {
    const std::vector<Carrier>& carriers = experiment_.carriers;
    recording::Cursor cursor(experiment_.recording);
    std::vector<std::vector<recording::Role>> roles(carriers.size());
    std::vector<Json> readBy(carriers.size(), Json::array());
    std::vector<bool> seen(program_.statements.size());
    Numbers count, carrier, index, role;
    for (std::size_t position = 0; position <= steps_; ++position) {
      cursor.goTo(position);
      const std::size_t before = role.size();
      if (position == 0 || writesCarrier(position - 1) || isNew(position - 1, seen)) {
        const recording::BlockView view = viewBlock(cursor, experiment_.footprint, carriers);
        for (std::uint32_t c = 0; c < carriers.size(); ++c) {
          const std::vector<recording::CarrierCell>& cells = view.carriers[c].cells;
          roles[c].resize(cells.size(), recording::Role::Unwritten);
          bool read = false;
          for (std::uint32_t i = 0; i < cells.size(); ++i) {
            read = read || cells[i].read;
            if (cells[i].role == roles[c][i]) { continue; }
            roles[c][i] = cells[i].role;
            carrier.push_back(c);
            index.push_back(i);
            role.push_back(static_cast<std::uint32_t>(cells[i].role));
          }
          if (read && carriers[c].kind == Carrier::Kind::Register) {
            const StatementId statement = recording_.steps[position - 1].statement;
            if (std::ranges::find(readBy[c], Json(statement)) == readBy[c].end()) { readBy[c].push_back(statement); }
          }
        }
      }
      count.push_back(static_cast<std::uint32_t>(role.size() - before));
    }
    Json list = Json::array();
    for (std::size_t c = 0; c < carriers.size(); ++c) {
      list.push_back({{"register", carriers[c].kind == Carrier::Kind::Register},
                      {"id", carriers[c].id},
                      {"extents", carriers[c].extents},
                      {"readBy", std::move(readBy[c])}});
    }
    facts_["carriers"] = std::move(list);
    columns_.add("roles", count);
    columns_.add("roleCarrier", carrier);
    columns_.add("roleIndex", index, true);
    columns_.add("role", role);
  }

  [[nodiscard]] bool writesCarrier(std::size_t step) const {
    return std::ranges::any_of(recording_.changesOf(step), [&](const Change& change) {
      return std::ranges::any_of(experiment_.carriers, [&](const Carrier& carrier) {
        const auto kind = carrier.kind == Carrier::Kind::Register ? Change::Kind::Variable : Change::Kind::Shared;
        return change.kind == kind && change.id == carrier.id;
      });
    });
  }
  /// The first step of its statement in which a thread is active.
  [[nodiscard]] bool isNew(std::size_t step, std::vector<bool>& seen) const {
    const StatementId statement = recording_.steps[step].statement;
    if (statement == kNone || seen[statement]) { return false; }
    for (std::uint32_t warp = 0; warp < recording_.warpCount(); ++warp) {
      if (recording_.warpState(step, warp).active != 0) { seen[statement] = true; }
    }
    return seen[statement];
  }

  void addPoints(const std::vector<std::int64_t>& faulty) {
    const recording::Footprint& footprint = experiment_.footprint;
    const auto known = [](ObjectId object) { return object == kNone ? Json(nullptr) : Json(object); };
    facts_["input"] = known(footprint.input);
    facts_["output"] = known(footprint.output);
    facts_["faulty"] = faulty;
    if (steps_ == recording_.steps.size()) {
      addPoints("input", footprint.loadPoints);
      addPoints("output", footprint.outputPoints);
      return;
    }
    std::unordered_set<std::int64_t> written;
    for (std::size_t step = 0; step < steps_; ++step) {
      for (const Change& change : recording_.changesOf(step)) {
        if (change.kind == Change::Kind::Global && change.id == footprint.output) { written.insert(change.index); }
      }
    }
    const auto kept = [](std::vector<recording::PointView> points, const auto& keeps) {
      std::erase_if(points, [&](const recording::PointView& point) { return !keeps(point); });
      return points;
    };
    addPoints("input",
              kept(footprint.loadPoints, [&](const recording::PointView& point) { return point.step < steps_; }));
    addPoints("output", kept(footprint.outputPoints,
                             [&](const recording::PointView& point) { return written.contains(point.element); }));
  }
  void addPoints(const std::string& prefix, const std::vector<recording::PointView>& points) {
    Places element;
    Numbers role, lows, highs, thread, step;
    for (const recording::PointView& point : points) {
      element.push_back(point.element);
      role.push_back(static_cast<std::uint32_t>(point.role));
      lows.push_back(low(point.bits));
      highs.push_back(high(point.bits));
      thread.push_back(point.thread);
      step.push_back(point.step);
    }
    const auto add = [&](const char* name, const Numbers& numbers, bool neighbours) {
      columns_.add((prefix + name).c_str(), numbers, neighbours);
    };
    columns_.add((prefix + "Element").c_str(), element);
    add("Role", role, false);
    add("Low", lows, false);
    add("High", highs, false);
    add("Thread", thread, true);
    add("Step", step, true);
  }

  void addGrids() {
    Json grids = Json::array();
    for (cells::CellGrid& grid :
         cells::allArrays(recording_, experiment_.footprint, experiment_.carriers, experiment_.carrierPlanes)) {
      grid.fold(kWarpSize);
      Json read = Json::array(), lows = Json::array(), highs = Json::array();
      // Of the input itself the page has more.
      for (const auto& [element, bits] : grid.id == experiment_.footprint.input ? decltype(grid.read)() : grid.read) {
        read.push_back(element);
        lows.push_back(low(bits));
        highs.push_back(high(bits));
      }
      grids.push_back({{"kind", static_cast<int>(grid.kind)},
                       {"id", grid.id},
                       {"carrier", grid.carrier == kNone ? Json(nullptr) : Json(grid.carrier)},
                       {"place", static_cast<int>(grid.place)},
                       {"title", grid.name},
                       {"kindText", grid.kindText()},
                       {"type", static_cast<int>(grid.type)},
                       {"extents", grid.extents},
                       {"low", {grid.low.z, grid.low.y, grid.low.x}},
                       {"planes", grid.planes},
                       {"rows", grid.rows},
                       {"columns", grid.columns},
                       {"count", grid.count},
                       {"listed", grid.listed},
                       {"read", std::move(read)},
                       {"bits", {std::move(lows), std::move(highs)}}});
    }
    facts_["grids"] = std::move(grids);
  }

  const experiment::Experiment& experiment_;
  const Recording& recording_;
  const Program& program_;
  std::size_t steps_;
  Json facts_ = Json::object();
  Columns columns_;
};

}  // namespace

RecordingData recordingData(const experiment::Experiment& experiment, const std::vector<std::int64_t>& faulty,
                            std::size_t most) {
  const std::size_t all = experiment.recording->steps.size();
  const std::size_t steps = stepsWithin(*experiment.recording, most);
  if (steps == 0 && all > 0) {
    throw InputError(
        trf("{}: the first step of a block alone is too large for a page; choose a smaller block", experiment.file.id));
  }
  return {Packer(experiment, steps).bytes(faulty), steps, all};
}

}  // namespace haloscope::handout
