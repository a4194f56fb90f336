#include "actions/PlaygroundActions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "actions/Choices.h"
#include "actions/Comparing.h"
#include "actions/StartPageActions.h"
#include "experiment/ChosenArrays.h"
#include "experiment/Experiment.h"
#include "inputs/ChosenData.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "state/AppState.h"

namespace haloscope {

namespace {

/// Whether both are weighted sums of the same points, with weights from an array of the same shape.
bool sumAlike(const KernelFile& problem, const KernelFile& other) {
  const auto& a = problem.computes;
  const auto& b = other.computes;
  if (!a || !b || b->guessed || a->border != b->border || a->weights.empty() || b->weights.empty()) { return false; }
  const auto texts = [](const KernelFile& file, const std::string& array) {
    std::vector<std::string> all;
    if (const ArrayDeclaration* declared = file.findArray(array)) {
      for (const Expression& extent : declared->shape) { all.push_back(extent.text()); }
    }
    return all;
  };
  if (texts(problem, a->input) != texts(other, b->input) || texts(problem, a->output) != texts(other, b->output) ||
      texts(problem, a->weights) != texts(other, b->weights)) {
    return false;
  }
  if (a->taps != b->taps) { return false; }
  const auto windows = [](const Computes& computes) {
    std::vector<std::string> all;
    for (const Expression& radius : computes.window) { all.push_back(radius.text()); }
    return all;
  };
  return windows(*a) == windows(*b);
}

std::string list(const std::vector<double>& numbers, std::size_t columns) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) { text += i % columns == 0 ? '/' : ','; }
    text += inputs::typed(numbers[i]);
  }
  return text;
}

/// The weights that the problem's header gives its kernel at these coefficients; empty: it gives none.
std::vector<double> weightsOfHeader(const KernelFile& problem, const Bindings& bindings) {
  const ArrayDeclaration* declared = problem.findArray(problem.computes->weights);
  std::vector<double> weights;
  if (declared == nullptr || !declared->values) { return weights; }
  std::int64_t count = 1;
  for (const Expression& extent : declared->shape) { count *= extent.evaluateInteger(bindings); }
  declared->values->evaluateOver({1, 1, count}, bindings, [&](double value) { weights.push_back(value); });
  return weights;
}

Bindings coefficients(const AppState& state, const KernelFile& problem) {
  Bindings bindings = problem.defaults();
  for (const auto& [name, value] : state.playground.coefficients) {
    if (problem.offers(name, value)) { bindings[name] = value; }
  }
  for (const SizeParameter& size : problem.sizes) {
    const auto chosen = state.choice.bindings.find(size.name);
    if (chosen != state.choice.bindings.end()) { bindings[size.name] = chosen->second; }
  }
  return bindings;
}

/// The problem's numbers, given to an engine that does not know them: as data of its arrays.
void pose(AppState& state, const KernelFile& problem) {
  experiment::Choice& choice = state.choice;
  const KernelFile* engine = state.catalogue.find(choice.kernel);
  if (engine == nullptr) { return; }
  const Bindings bindings = coefficients(state, problem);
  for (const Tunable* tunable : problem.coefficientsOfProblem()) {
    if (engine->findTunable(tunable->name) != nullptr) { choice.bindings[tunable->name] = bindings.at(tunable->name); }
  }
  if (!problem.computes) { return; }
  const std::string& input = engine->computes->input;
  if (!state.playground.picture.empty()) {
    choice.data[input] = state.playground.pixels;
  } else if (engine->id != problem.id) {
    if (const ArrayDeclaration* own = problem.findArray(problem.computes->input); own != nullptr && own->values) {
      inputs::choose(choice.data, input, "formula:" + own->values->text());
    }
  }
  if (engine->id == problem.id) { return; }
  if (const std::vector<double> weights = weightsOfHeader(problem, bindings); !weights.empty()) {
    inputs::choose(choice.data, engine->computes->weights, list(weights, weights.size()));
  }
}

bool isBlock(const KernelFile& problem) {
  const ArrayDeclaration* shown = problem.findArray(problem.problem->shows);
  return shown != nullptr && shown->shape.size() == 3;
}

/// The first problem that the chosen kernel computes; empty: none.
std::string problemOf(const AppState& state) {
  const KernelFile* chosen = chosenFile(state);
  if (chosen == nullptr || chosen->problem) { return chosen != nullptr ? chosen->id : ""; }
  for (const KernelFile* problem : playgroundProblems(state.catalogue)) {
    const auto engines = enginesOf(state.catalogue, *problem);
    if (std::ranges::find(engines, chosen) != engines.end()) { return problem->id; }
  }
  return {};
}

std::string radiusMacro(const KernelFile& problem) {
  return problem.computes && !problem.computes->window.empty() ? problem.computes->window.front().text() : "";
}

}  // namespace

std::vector<const KernelFile*> playgroundProblems(const Catalogue& catalogue) {
  std::vector<const KernelFile*> problems;
  for (const KernelFile& file : catalogue.kernels()) {
    if (file.problem && !file.isOpened()) { problems.push_back(&file); }
  }
  return problems;
}

std::vector<const KernelFile*> enginesOf(const Catalogue& catalogue, const KernelFile& problem) {
  std::vector<const KernelFile*> engines = {&problem};
  for (const KernelFile& file : catalogue.kernels()) {
    if (file.id == problem.id || file.isOpened() || file.chapter == "buglab") { continue; }
    const bool same = problem.definition && file.definition == problem.definition;
    if (same || sumAlike(problem, file)) { engines.push_back(&file); }
  }
  return engines;
}

const KernelFile* playedProblem(const AppState& state) {
  const KernelFile* problem = state.catalogue.find(state.playground.problem);
  if (problem == nullptr || !problem->problem) { return nullptr; }
  const std::vector<const KernelFile*> engines = enginesOf(state.catalogue, *problem);
  const bool played =
      std::ranges::any_of(engines, [&](const KernelFile* file) { return file->id == state.choice.kernel; });
  return played ? problem : nullptr;
}

void startProblem(AppState& state, const std::string& id) {
  const KernelFile* problem = state.catalogue.find(id);
  if (problem == nullptr || !problem->problem) { return; }
  Playground& playground = state.playground;
  playground.problem = id;
  playground.brush = playground.filter = 0;
  playground.coefficients.clear();
  playground.picture.clear();
  playground.dropped.clear();
  playground.trouble.clear();
  playground.rates.clear();
  playground.goal = 0;
  playground.fits = true;
  playground.sizeNote.clear();
  ++playground.begun;
  state.choice = {.kernel = id, .bindings = {}};
  for (const SizeParameter& size : problem->sizes) { state.choice.bindings[size.name] = problem->problem->size; }
  if (!problem->problem->filters.empty()) { chooseFilter(state, problem->problem->filters.front().weights); }
  state.fieldControls.goal = 0;
  state.fieldControls.run = true;
  playground.perSecond = problem->problem->pace;
  state.fieldControls.size = 0;
  state.fieldControls.volume = isBlock(*problem);
}

std::optional<PlayPlace> playPlace(const AppState& state) {
  const KernelFile* problem = playedProblem(state);
  if (!state.playground.entered || problem == nullptr) { return std::nullopt; }
  const FieldControls& controls = state.fieldControls;
  PlayPlace place{.problem = problem->id,
                  .runs = controls.run,
                  .pace = state.playground.perSecond,
                  .coefficients = state.playground.coefficients,
                  .size = controls.size};
  if (isBlock(*problem)) {
    place.volume = controls.volume;
    place.axis = controls.axis;
    place.slice = controls.slice;
  }
  const bool begun = state.playground.beginning == state.playground.begun;
  const bool shown = begun && state.field.kernel == state.choice.kernel;
  place.sweeps = std::max({shown ? state.field.sweeps : 0, controls.goal, state.playground.goal});
  if (shown && !state.field.noTimeStep.empty()) { place.sweeps = std::min<std::uint64_t>(place.sweeps, 1); }
  return place;
}

void expectPlace(const Catalogue& catalogue, const PlayPlace& place, const std::string& kernel) {
  const KernelFile& problem = catalogue.at(place.problem);
  if (!problem.problem) { throw InputError(trf("{} states no problem for the playground", place.problem)); }
  const auto engines = enginesOf(catalogue, problem);
  if (std::ranges::none_of(engines, [&](const KernelFile* engine) { return engine->id == kernel; })) {
    throw InputError(trf("{} does not compute {}", kernel, place.problem));
  }
}

void resumePlay(AppState& state, const std::optional<PlayPlace>& place) {
  Playground& playground = state.playground;
  FieldControls& controls = state.fieldControls;
  const std::uint64_t begun = playground.begun + 1;
  const std::uint64_t beginning = playground.beginning;
  playground = {};
  playground.begun = begun;
  playground.beginning = beginning;
  playground.entered = true;
  playground.problem = place ? place->problem : problemOf(state);
  const KernelFile* problem = playedProblem(state);
  if (problem == nullptr) { return; }
  const PlayPlace there = place.value_or(PlayPlace{});
  playground.coefficients = there.coefficients;
  playground.perSecond = there.pace.value_or(problem->problem->pace);
  playground.goal = there.sweeps;
  controls.goal = 0;
  controls.run = there.runs;
  controls.size = there.size;
  controls.volume = isBlock(*problem) && there.volume.value_or(true);
  controls.axis = there.axis;
  controls.slice = there.slice;
  const KernelFile& engine = state.catalogue.at(state.choice.kernel);
  if (!engine.computes) { return; }
  const auto input = state.choice.data.find(engine.computes->input);
  if (input == state.choice.data.end() || input->second.file.empty()) { return; }
  playground.picture = input->second.file;
  playground.pixels = input->second;
}

void chooseEngine(AppState& state, const std::string& id) {
  const KernelFile* problem = playedProblem(state);
  const KernelFile* engine = state.catalogue.find(id);
  if (problem == nullptr || engine == nullptr || id == state.choice.kernel) { return; }
  const auto engines = enginesOf(state.catalogue, *problem);
  if (std::ranges::find(engines, engine) == engines.end()) { return; }
  const std::vector<double> filter = chosenFilter(state);
  experiment::Choice next{.kernel = id, .bindings = experiment::carryOver(state.choice.bindings, *engine)};
  state.choice = std::move(next);
  pose(state, *problem);
  if (!filter.empty()) { chooseFilter(state, filter); }
}

void chooseCoefficient(AppState& state, const std::string& name, std::int64_t value) {
  const KernelFile* problem = playedProblem(state);
  if (problem == nullptr) { return; }
  state.playground.coefficients[name] = value;
  pose(state, *problem);
}

std::int64_t coefficientOf(const AppState& state, const Tunable& tunable) {
  const auto chosen = state.playground.coefficients.find(tunable.name);
  return chosen != state.playground.coefficients.end() ? chosen->second : tunable.defaultValue;
}

std::array<std::int64_t, 4> playSizes(const KernelFile& problem) {
  return isBlock(problem) ? std::array<std::int64_t, 4>{32, 48, 64, 96}
                          : std::array<std::int64_t, 4>{128, 256, 512, 1024};
}

void choosePlaySize(AppState& state, std::int64_t size) {
  const KernelFile* problem = playedProblem(state);
  if (problem == nullptr) { return; }
  state.playground.fits = false;
  state.playground.sizeNote.clear();
  for (const SizeParameter& one : problem->sizes) {
    state.choice.bindings[one.name] = std::clamp(size, one.minimum, one.maximum);
  }
  state.fieldControls.size = 0;
  state.playground.picture.clear();
  if (problem->computes) { state.choice.data.erase(state.catalogue.at(state.choice.kernel).computes->input); }
  pose(state, *problem);
}

std::vector<double> chosenFilter(const AppState& state) {
  const KernelFile* engine = chosenFile(state);
  if (engine == nullptr || !engine->computes) { return {}; }
  const auto chosen = state.choice.data.find(engine->computes->weights);
  const KernelFile* problem = state.catalogue.find(state.playground.problem);
  if (problem == nullptr || !problem->problem || problem->problem->filters.empty()) { return {}; }
  return chosen != state.choice.data.end() && chosen->second.numbers ? chosen->second.numbers->values
                                                                     : std::vector<double>();
}

void chooseFilter(AppState& state, const std::vector<double>& weights) {
  const KernelFile* engine = chosenFile(state);
  if (engine == nullptr || !engine->computes) { return; }
  const auto edge = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(weights.size()))));
  const std::string macro = radiusMacro(*engine);
  if (edge * edge != weights.size() || !engine->offers(macro, static_cast<std::int64_t>(edge / 2))) { return; }
  if (!std::ranges::all_of(weights, [](double weight) { return std::isfinite(weight); })) {
    state.playground.trouble = tr("A filter takes finite numbers only: it stays as it was.");
    return;
  }
  state.playground.trouble.clear();
  state.choice.bindings[macro] = static_cast<std::int64_t>(edge / 2);
  inputs::choose(state.choice.data, engine->computes->weights, list(weights, edge));
}

bool takesPictures(const AppState& state) {
  const KernelFile* problem = playedProblem(state);
  return problem != nullptr && !problem->problem->filters.empty();
}

bool isPicture(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::array kPictures{".png", ".jpg", ".jpeg", ".bmp", ".tga", ".gif", ".pgm", ".ppm"};
  return std::ranges::find(kPictures, std::string_view(extension)) != kPictures.end();
}

void dropPicture(AppState& state, const std::filesystem::path& path) {
  leaveStartPage(state);
  if (state.comparison.on) { endComparison(state); }
  state.view.tabs.enter(Workspace::Play);
  followPlayground(state);
  if (!takesPictures(state)) {
    const auto problems = playgroundProblems(state.catalogue);
    const auto found =
        std::ranges::find_if(problems, [](const KernelFile* one) { return !one->problem->filters.empty(); });
    if (found == problems.end()) { return; }
    startProblem(state, (*found)->id);
  }
  state.playground.trouble.clear();
  state.playground.dropped = path;
}

void takePicture(AppState& state, const inputs::ArrayChoice& pixels, const std::string& problem) {
  Playground& playground = state.playground;
  const std::filesystem::path path = std::exchange(playground.dropped, {});
  const KernelFile* engine = chosenFile(state);
  if (!takesPictures(state) || engine == nullptr) { return; }
  playground.trouble = problem;
  if (!problem.empty()) { return; }
  experiment::Choice next = state.choice;
  try {
    next.data[engine->computes->input] = pixels;
    const std::set<std::string> fixed = {radiusMacro(*engine)};
    const auto sizes =
        experiment::sizesThatFit(*engine, engine->bind(next.bindings), engine->computes->input, *pixels.numbers, fixed);
    if (!sizes) {
      throw InputError(trf("{} has {}: no sizes of this kernel fit", path.string(), inputs::sizeText(*pixels.numbers)));
    }
    for (const auto& [name, value] : *sizes) { next.bindings[name] = value; }
    state.choice = std::move(next);
    playground.pixels = pixels;
    playground.picture = path;
    playground.fits = false;
    playground.sizeNote.clear();
    state.fieldControls.size = 0;
  } catch (const InputError& refused) { playground.trouble = refused.what(); }
}

void leavePlayground(AppState& state) {
  Playground& playground = state.playground;
  const std::optional<PlayPlace> place = playPlace(state);
  if (!std::exchange(playground.entered, false)) { return; }
  state.fieldControls.run = false;
  if (!playground.beside || state.choice != playground.seen) {
    playground.beside.reset();
    return;
  }
  if (place) { playground.kept = KeptPlay{state.choice, *place}; }
  state.choice = playground.beside->choice;
  playground.beside->left = true;
}

namespace {

/// To where the user was before, once that is executed again.
void goBackFromPlay(AppState& state) {
  std::optional<BesidePlay>& beside = state.playground.beside;
  if (!beside || !beside->left) { return; }
  if (state.choice == beside->choice) {
    if (state.computing || state.experiment == nullptr || state.experiment->choice != beside->choice) { return; }
    if (!state.cursor.empty()) { state.cursor.goTo(beside->position); }
    state.selection = beside->selection;
  }
  beside.reset();
}

/// Begins with the chosen kernel's own problem, at the chosen sizes. False: it states none.
bool startChosenProblem(AppState& state) {
  const KernelFile* chosen = chosenFile(state);
  if (chosen == nullptr || !chosen->problem || chosen->isOpened()) { return false; }
  const experiment::Choice asked = state.choice;
  startProblem(state, chosen->id);
  for (const SizeParameter& size : chosen->sizes) {
    if (asked.bindings.contains(size.name)) { state.playground.fits = false; }
  }
  for (const auto& [name, value] : asked.bindings) { state.choice.bindings[name] = value; }
  for (const auto& [name, data] : asked.data) { state.choice.data[name] = data; }
  return true;
}

void enterPlayground(AppState& state) {
  Playground& playground = state.playground;
  state.fieldControls.run = true;
  const BesidePlay beside{state.choice, state.cursor.empty() ? 0 : state.cursor.position(), state.selection};
  const KernelFile* chosen = chosenFile(state);
  const bool begun = chosen != nullptr && playground.problem != chosen->id && startChosenProblem(state);
  if (const std::optional<KeptPlay> kept = playground.kept; kept && !begun) {
    state.choice = kept->choice;
    resumePlay(state, kept->place);
  } else if (!begun && playedProblem(state) == nullptr) {
    const auto problems = playgroundProblems(state.catalogue);
    if (!problems.empty()) {
      startProblem(state, playground.problem.empty() ? problems.front()->id : std::string(playground.problem));
    }
  }
  playground.beside = beside;
}

/// Without a GPU: a size at which the emulator's sweeps look like movement, found once from the rate at the first.
void fitSize(AppState& state, const KernelFile& problem) {
  constexpr double kMovement = 30;  // sweeps a second
  constexpr double kEnough = 0.8;   // of what is wanted
  Playground& playground = state.playground;
  const FieldStatus& field = state.field;
  const bool measured = field.path == FieldPath::Emulator && field.sweepsPerSecond > 0 && !state.computing &&
                        field.kernel == state.choice.kernel;
  if (!playground.fits || !measured || field.extents.empty()) { return; }
  playground.fits = false;
  const double wanted = playground.perSecond > 0 ? playground.perSecond : kMovement;
  const double rate = field.sweepsPerSecond;
  if (rate >= kEnough * wanted) { return; }
  const auto sizes = playSizes(problem);
  const auto now = static_cast<double>(field.extents.back());
  std::int64_t fitting = sizes.front();
  for (const std::int64_t size : sizes) {
    const double smaller = std::pow(now / static_cast<double>(size), static_cast<double>(field.extents.size()));
    if (static_cast<double>(size) < now && rate * smaller >= wanted) { fitting = size; }
  }
  if (static_cast<double>(fitting) >= now) { return; }
  const std::int64_t before = field.extents.back();
  choosePlaySize(state, fitting);
  playground.sizeNote =
      trf("At {} points along each axis the emulator made {:.1f} sweeps a second; the size was reduced to {}.", before,
          rate, fitting);
}

}  // namespace

void followPlayground(AppState& state) {
  Playground& playground = state.playground;
  FieldControls& controls = state.fieldControls;
  const bool here = state.view.tabs.workspace() == Workspace::Play;
  if (!here) {
    leavePlayground(state);
    goBackFromPlay(state);
  } else if (!std::exchange(playground.entered, true)) {
    enterPlayground(state);
    playground.entered = true;
  }
  controls.perSecond = here ? playground.perSecond : 0;
  controls.sameInput = false;
  // A problem that was chosen elsewhere, as in the toolbar.
  if (here && playedProblem(state) == nullptr) { startChosenProblem(state); }
  const KernelFile* played = here ? playedProblem(state) : nullptr;
  if (played != nullptr) { fitSize(state, *played); }
  if (here) { playground.seen = state.choice; }
  controls.key.clear();
  controls.brush.clear();
  controls.range.reset();
  if (played == nullptr) { return; }
  if (chosenFile(state)->id == played->id) {  // the toolbar has its tunables, too
    for (const Tunable* tunable : played->coefficientsOfProblem()) {
      playground.coefficients[tunable->name] = chosenValue(*played, state.choice, tunable->name);
    }
  }
  const SweptProblem& problem = *played->problem;
  controls.sameInput = problem.advance.empty() && problem.alternates.empty();
  // Not before the problem's own experiment is there: another one's field would be taken for its beginning.
  const std::vector<const KernelFile*> engines = enginesOf(state.catalogue, *played);
  const bool arrived = state.experiment != nullptr && std::ranges::any_of(engines, [&](const KernelFile* file) {
                         return file->id == state.experiment->file.id;
                       });
  if (state.experiment != nullptr && !state.computing && state.experiment->choice == state.choice &&
      std::exchange(playground.beginning, playground.begun) != playground.begun) {
    controls.goal = std::exchange(playground.goal, 0);
  }
  if (arrived) {
    controls.key = fmt::format("{}|{}|{}", played->id, playground.picture.string(), playground.beginning);
  }
  if (problem.range) {
    controls.range = {static_cast<float>((*problem.range)[0]), static_cast<float>((*problem.range)[1])};
  }
  const KernelFile& engine = *chosenFile(state);
  if (playground.brush < problem.brushes.size()) {
    const SweptProblem::Brush& brush = problem.brushes[playground.brush];
    // An engine has the same arrays by other names.
    const bool input = played->computes && brush.array == played->computes->input;
    controls.brush[input ? engine.computes->input : brush.array] = controls.erasing ? brush.erase : brush.paint;
  }
  // At a pace, or at another size, rates cannot be compared.
  if (playground.ratedSize != state.field.extents) {
    playground.rates.clear();
    playground.ratedSize = state.field.extents;
  }
  if (state.field.sweepsPerSecond > 0 && state.field.kernel == engine.id && controls.perSecond <= 0) {
    const auto steps = static_cast<double>(arrived ? engine.steps(state.experiment->bindings) : 1);
    playground.rates[engine.id] = state.field.sweepsPerSecond * steps;
  }
}

}  // namespace haloscope
