#include "actions/Choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "actions/Fixes.h"
#include "actions/ProgramSteps.h"
#include "experiment/ChosenArrays.h"
#include "experiment/Experiment.h"
#include "experiment/InteriorBlock.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "state/AppState.h"

namespace haloscope {

opening::Request requestOf(const KernelFile& file, experiment::Choice choice) { return {std::move(choice), file}; }

opening::Request requestOf(const AppState& state, const experiment::Choice& choice) {
  const KernelFile& known = state.catalogue.at(choice.kernel);
  opening::Request request = requestOf(known, choice);
  const auto copy = state.copies.find(choice.kernel);
  const auto launch = state.launches.find(choice.kernel);
  const bool launched = launch != state.launches.end();
  if (launched) { request.overrides = launch->second.overrides; }
  if (copy == state.copies.end()) { return request; }
  const bool launchChanged = launched && (launch->second.revision != launch->second.readRevision ||
                                          launch->second.readProgram != state.program.revision);
  if (copy->second.text == known.text && !launchChanged) { return request; }
  request.reread = true;
  request.file.text = copy->second.text;
  request.file.path = copy->second.path;  // of a kernel in a header, the program's or the header's
  if (!launched) { return request; }
  request.file.kernel = launch->second.kernel;
  request.overrides.executed = executedLaunches(state, copy->second);
  request.file.data = request.overrides.executed.empty() ? nullptr : state.program.data;
  return request;
}

namespace {

void choose(AppState& state, const Chosen& chosen) {
  state.choice = chosen.choice;
  const auto launch = state.launches.find(chosen.choice.kernel);
  if (launch == state.launches.end() || chosenNow(state) == chosen) { return; }
  launch->second.overrides.takeSettings(chosen.overrides);
  launch->second.kernel = chosen.launched;
  ++launch->second.revision;
}

using recording::BlockPlace;
using recording::placeOf;

bool inside(const Dim3& block, const Dim3& grid) { return block.x < grid.x && block.y < grid.y && block.z < grid.z; }

// The block to look at after the grid has changed.
std::optional<Dim3> refocused(std::optional<Dim3> block, const std::optional<Dim3>& before,
                              const std::optional<Dim3>& after) {
  if (!block || !before || !after || !inside(*block, *before)) { return std::nullopt; }
  const BlockPlace place = placeOf(*block, *before);
  if (inside(*block, *after) && placeOf(*block, *after) == place) { return block; }
  for (const Dim3& example : exampleBlocks(*after)) {
    if (placeOf(example, *after) == place) { return example; }
  }
  return std::nullopt;
}

bool looksAtInterior(const KernelFile& file, const experiment::Choice& choice) {
  const std::optional<Dim3> grid = chosenGrid(file, choice);
  if (!grid) { return false; }
  const Dim3 block = choice.block.value_or(exampleBlocks(*grid).front());
  return inside(block, *grid) && placeOf(block, *grid) == BlockPlace::Interior;
}

/// With sizes that have an interior block; as it is if none that the emulator answers at once does.
experiment::Choice withInterior(const KernelFile& file, const experiment::Choice& choice) {
  try {
    const std::optional<Bindings> sizes = experiment::interiorSizes(file, file.bind(choice.bindings), Dim3{1, 1, 1});
    if (!sizes) { return choice; }
    experiment::Choice larger = choice;
    larger.block.reset();
    for (const SizeParameter& size : file.sizes) {
      const std::int64_t wanted = sizes->at(size.name);
      if (wanted == chosenValue(file, choice, size.name)) { continue; }
      if (wanted > comfortableMaximum(file, size)) { return choice; }
      larger.bindings[size.name] = wanted;
    }
    return looksAtInterior(file, larger) ? larger : choice;
  } catch (const InputError&) { return choice; }
}

void changeVariant(AppState& state, int by) {
  if (const KernelFile* file = neighbourKernel(state.catalogue, state.choice.kernel, by)) {
    state.choice = withKernel(state, *file);
  }
}

void changeFirstTunable(AppState& state, int by) {
  const KernelFile* file = chosenFile(state);
  if (file == nullptr || file->tunables.empty()) { return; }
  const std::string& tunable = file->tunables.front().name;
  state.choice = withValue(*file, state.choice, tunable, chosenValue(*file, state.choice, tunable) + by);
}

void changeSizes(AppState& state, int direction) {
  const KernelFile* file = chosenFile(state);
  if (file == nullptr) { return; }
  for (const SizeParameter& size : file->sizes) {
    const std::int64_t value = chosenValue(*file, state.choice, size.name);
    const std::int64_t by = std::max<std::int64_t>(1, value / 8);
    state.choice = withValue(*file, state.choice, size.name, value + direction * by);
  }
}

}  // namespace

void undoChoice(AppState& state) {
  if (fixWasLast(state) && takeBackFix(state)) { return; }
  if (const auto before = state.history.back(chosenNow(state))) { choose(state, *before); }
}

void redoChoice(AppState& state) {
  if (tryFixAgain(state)) { return; }
  if (const auto after = state.history.forward(chosenNow(state))) { choose(state, *after); }
}

const KernelFile* chosenFile(const AppState& state) { return state.catalogue.find(state.choice.kernel); }

const KernelFile* taskKernel(const AppState& state, const std::string& id) {
  for (const Catalogue* kernels : {&state.bugLab.catalogue(), &state.exercise.kernels}) {
    if (const KernelFile* file = kernels->find(id)) { return file; }
  }
  const auto& tasks = state.make.tasks;
  const auto made = std::ranges::find_if(tasks, [&](const making::MakeTask& task) { return task.skeleton.id == id; });
  return made == tasks.end() ? nullptr : &made->skeleton;
}

std::string shownName(const Catalogue& catalogue, const std::string& id) {
  const KernelFile* file = catalogue.find(id);
  if (file == nullptr || !file->isOpened()) { return id; }
  const std::filesystem::path name = file->path.filename();
  const auto namesake = [&](const KernelFile& other) {
    return other.id != id && other.isOpened() && other.path.filename() == name;
  };
  const bool shared = std::ranges::any_of(catalogue.kernels(), namesake);
  return (shared ? file->path.parent_path().filename() / name : name).string();
}

std::string shortName(const std::string& name) { return name.substr(name.rfind('/') + 1); }

std::string shownFileName(const Catalogue& catalogue, const std::string& id) {
  const std::string name = shownName(catalogue, id);
  return name.ends_with(".cu") ? name : name + ".cu";
}

std::int64_t chosenValue(const KernelFile& file, const experiment::Choice& choice, const std::string& name) {
  if (const auto chosen = choice.bindings.find(name); chosen != choice.bindings.end()) { return chosen->second; }
  if (const SizeParameter* size = file.findSize(name)) { return size->defaultValue; }
  if (file.isPrecision(name)) { return file.precision->defaultValue(); }
  const Tunable* tunable = file.findTunable(name);
  return tunable != nullptr ? tunable->defaultValue : 0;
}

std::int64_t comfortableMaximum(const KernelFile& file, const SizeParameter& size) {
  std::size_t axes = 1;
  for (const ArrayDeclaration& array : file.arrays) { axes = std::max(axes, array.shape.size()); }
  // About a million points and more take the emulator longer than a frame or two.
  const std::int64_t comfortable = axes >= 3 ? 128 : axes == 2 ? 1024 : std::int64_t{1} << 20;
  return std::min(size.maximum, comfortable);
}

ValueRange launchableRange(const KernelFile& file, const experiment::Choice& choice, const Tunable& tunable) {
  const auto launches = [&](std::int64_t value) {
    experiment::Choice other = choice;
    other.bindings[tunable.name] = value;
    return chosenGrid(file, other).has_value();
  };
  const std::int64_t chosen = chosenValue(file, choice, tunable.name);
  if (!launches(chosen)) { return {tunable.minimum, tunable.maximum}; }
  // From the chosen value on, limits are met once: by the size of a block, or by a condition of the header.
  const auto last = [&](std::int64_t good, std::int64_t end) {
    if (launches(end)) { return end; }
    std::int64_t bad = end;
    while (std::abs(bad - good) > 1) {
      const std::int64_t middle = (good + bad) / 2;
      (launches(middle) ? good : bad) = middle;
    }
    return good;
  };
  return {last(chosen, tunable.minimum), last(chosen, tunable.maximum)};
}

std::optional<Dim3> chosenGrid(const KernelFile& file, const experiment::Choice& choice) {
  try {
    return file.configuration(file.bind(choice.bindings)).grid;
  } catch (const InputError&) { return std::nullopt; }
}

experiment::Choice withKernel(const AppState& state, const KernelFile& file) {
  experiment::Choice next{.kernel = file.id,
                          .bindings = experiment::carryOver(state.choice.bindings, file),
                          .order = state.choice.order,
                          .orderSeed = state.choice.orderSeed};
  next.data = experiment::carryOver(state.choice.data, file, file.bind(next.bindings));
  if (const KernelFile* before = chosenFile(state); before != nullptr && state.choice.block) {
    next.block = refocused(state.choice.block, chosenGrid(*before, state.choice), chosenGrid(file, next));
  }
  return next;
}

experiment::Choice withValue(const KernelFile& file, const experiment::Choice& choice, const std::string& name,
                             std::int64_t value) {
  experiment::Choice next = choice;
  if (const SizeParameter* size = file.findSize(name)) {
    value = std::clamp(value, size->minimum, size->maximum);
  } else if (const Tunable* tunable = file.findTunable(name)) {
    value = std::clamp(value, tunable->minimum, tunable->maximum);
  }
  next.bindings[name] = value;
  if (choice.block) { next.block = refocused(choice.block, chosenGrid(file, choice), chosenGrid(file, next)); }
  // The sizes of an opened file are its program's, and chosen data may be a table of the array's extents.
  const bool tile = file.findTunable(name) != nullptr && !file.isOpened() && choice.data.empty();
  if (tile && looksAtInterior(file, choice) && !looksAtInterior(file, next)) { return withInterior(file, next); }
  return next;
}

void sayIfOutside(AppState& state, const std::string& name, std::int64_t typed, std::int64_t least, std::int64_t most) {
  if (typed >= least && typed <= most) { return; }
  const std::string sentence =
      trf("{} can be {} to {}: instead of {}, {} was taken.", name, least, most, typed, std::clamp(typed, least, most));
  state.editing.notify(sentence);
}

const KernelFile* neighbourKernel(const Catalogue& catalogue, const std::string& id, int by) {
  const auto& kernels = catalogue.kernels();
  if (kernels.empty()) { return nullptr; }
  const auto at = std::ranges::find(kernels, id, &KernelFile::id);
  const auto count = static_cast<std::ptrdiff_t>(kernels.size());
  const std::ptrdiff_t index = at == kernels.end() ? 0 : at - kernels.begin() + by;
  return &kernels[static_cast<std::size_t>((index % count + count) % count)];
}

std::vector<Dim3> exampleBlocks(const Dim3& grid) {
  // Each axis at its middle or at its beginning: of those blocks, the first of each kind.
  const auto middle = [](std::uint32_t extent) { return extent / 2; };
  std::vector<Dim3> examples;
  for (const BlockPlace place :
       {BlockPlace::Interior, BlockPlace::Face, BlockPlace::Edge, BlockPlace::Corner, BlockPlace::Only}) {
    for (unsigned ends = 0; ends < 8; ++ends) {
      // The slowest axis first goes to its end: there a sweep through planes begins, and the difference is the
      // plainest.
      const Dim3 block{(ends & 4) != 0 ? 0 : middle(grid.x), (ends & 2) != 0 ? 0 : middle(grid.y),
                       (ends & 1) != 0 ? 0 : middle(grid.z)};
      if (placeOf(block, grid) == place) {
        examples.push_back(block);
        break;
      }
    }
  }
  return examples;
}

Dim3 nextExampleBlock(const Dim3& grid, const Dim3& block) {
  const std::vector<Dim3> examples = exampleBlocks(grid);
  const BlockPlace place = placeOf(block, grid);
  const auto next = std::ranges::find_if(examples, [&](const Dim3& b) { return placeOf(b, grid) > place; });
  return next != examples.end() ? *next : examples.empty() ? block : examples.front();
}

const char* placeName(BlockPlace place) {
  switch (place) {
    case BlockPlace::Interior:
      return tr("interior");
    case BlockPlace::Face:
      return tr("face");
    case BlockPlace::Edge:
      return tr("edge");
    case BlockPlace::Corner:
      return tr("corner");
    case BlockPlace::Only:
      return tr("the only block");
  }
  return "";
}

const char* orderName(simt::WarpOrder order) {
  switch (order) {
    case simt::WarpOrder::SideBySide:
      return tr("side by side");
    case simt::WarpOrder::InOrder:
      return tr("in order");
    case simt::WarpOrder::Reversed:
      return tr("reversed");
    case simt::WarpOrder::Random:
      return tr("at random");
    case simt::WarpOrder::Adversarial:
      return tr("adversarial");
  }
  return "";
}

std::string blockText(const Dim3& block) { return fmt::format("({},{},{})", block.x, block.y, block.z); }

void chooseNextVariant(AppState& state) { changeVariant(state, 1); }
void choosePreviousVariant(AppState& state) { changeVariant(state, -1); }
void enlargeTile(AppState& state) { changeFirstTunable(state, 1); }
void shrinkTile(AppState& state) { changeFirstTunable(state, -1); }
void enlargeGrid(AppState& state) { changeSizes(state, 1); }
void shrinkGrid(AppState& state) { changeSizes(state, -1); }

void chooseNextPrecision(AppState& state) {
  const KernelFile* file = chosenFile(state);
  if (file == nullptr || !file->precision) { return; }
  const std::string& macro = file->precision->macro;
  const std::int64_t next = file->precision->neighbour(chosenValue(*file, state.choice, macro), 1);
  state.choice = withValue(*file, state.choice, macro, next);
}

void chooseNextBlockPlace(AppState& state) {
  const KernelFile* file = chosenFile(state);
  const std::optional<Dim3> grid = file != nullptr ? chosenGrid(*file, state.choice) : std::nullopt;
  if (!grid) { return; }
  const bool shown = state.experiment != nullptr && state.experiment->configuration.grid == *grid;
  const Dim3 before = state.choice.block ? *state.choice.block : shown ? state.experiment->block : Dim3{0, 0, 0};
  state.choice.block = nextExampleBlock(*grid, before);
}

}  // namespace haloscope
