#include "experiment/LaunchProposal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "experiment/ArrayFilling.h"
#include "experiment/LaunchTrial.h"
#include "experiment/TapOrder.h"

namespace haloscope::experiment {

namespace {

std::string lower(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

bool isOneOf(const std::string& name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, std::string_view(name)) != names.end();
}

/// The name of a field: "nx" of "grid.nx"; of what is no field, the name itself.
std::string lastName(const std::string& parameter) { return parameter.substr(parameter.rfind('.') + 1); }
std::string fieldName(const std::string& parameter) { return lower(lastName(parameter)); }

/// Of an int3 or dim3 with the extents of a grid: 0 for its x, 1 for y, 2 for z.
std::optional<int> axisOfComponent(const std::string& parameter) {
  const std::size_t dot = parameter.rfind('.');
  if (dot == std::string::npos || dot + 2 != parameter.size()) { return std::nullopt; }
  const std::string base = fieldName(parameter.substr(0, dot));
  const bool extents =
      isOneOf(base, {"n", "dim", "dims", "size", "sizes", "shape", "extent", "extents", "grid", "gridsize", "grid_size",
                     "domain", "resolution", "volume", "volumesize", "volume_size", "dimensions", "image_size"});
  const std::size_t axis = std::string_view("xyz").find(lower(parameter).back());
  return extents && axis < 3 ? std::optional(static_cast<int>(axis)) : std::nullopt;
}

/// The axis that a size is along: 0 x, 1 y, 2 z; 3: all of them. None: it is no size of the grid.
std::optional<int> axisOf(const std::string& parameter) {
  if (const auto component = axisOfComponent(parameter)) { return component; }
  const std::string name = fieldName(parameter);
  if (isOneOf(name, {"n", "size", "dim", "len", "length", "count", "num", "numelements", "n_elem", "nelem"})) {
    return 3;
  }
  if (isOneOf(name, {"width", "w", "nx", "dimx", "cols", "ncols", "columns", "numcols", "imgwidth", "sizex", "n_x",
                     "xdim", "image_width", "imagewidth", "dim_x", "pitch", "stride"})) {
    return 0;
  }
  if (isOneOf(name, {"height", "h", "ny", "dimy", "rows", "nrows", "m", "numrows", "imgheight", "sizey", "n_y", "ydim",
                     "image_height", "imageheight", "dim_y"})) {
    return 1;
  }
  if (isOneOf(name, {"depth", "d", "nz", "dimz", "sizez", "n_z", "zdim", "planes", "dim_z"})) { return 2; }
  return std::nullopt;
}

bool isRadius(const std::string& parameter) {
  const std::string name = fieldName(parameter);
  return name == "r" || name.find("radius") != std::string::npos || name == "halo" || name == "order";
}

bool isFilterWidth(const std::string& parameter) {
  const std::string name = fieldName(parameter);
  return isOneOf(name, {"k", "ksize", "kw", "fw", "maskwidth", "mask_width"}) ||
         ((name.find("mask") != std::string::npos || name.find("filter") != std::string::npos ||
           name.find("kernel") != std::string::npos) &&
          (name.find("width") != std::string::npos || name.find("size") != std::string::npos ||
           name.find("dim") != std::string::npos));
}

bool isFilter(const std::string& array) {
  std::string name = lower(array);
  if (name.starts_with("d_") || name.starts_with("c_")) { name = name.substr(2); }
  return isOneOf(name, {"f", "m", "k", "w", "mask", "filter", "kernel", "weights", "coeff", "coeffs", "c", "coef",
                        "coefficients", "conv_filter", "conv_mask", "gauss"}) ||
         name.find("filter") != std::string::npos || name.find("mask") != std::string::npos;
}

/// What instructions do with memory and with the indices of threads and blocks.
struct ProgramFacts {
  std::set<ObjectId> read, written;
  std::array<bool, 3> axes{};
  bool clamps = false;  ///< integer min or max: a border that is neither kept nor zero
};

ProgramFacts factsOf(const Program& program) {
  ProgramFacts facts;
  for (const Instruction& one : program.code) {
    if (one.op == Opcode::Load && one.aux != kNone) { facts.read.insert(one.aux); }
    if (writesMemory(one.op) && one.aux != kNone) { facts.written.insert(one.aux); }
    if (one.op == Opcode::Math && !isFloating(one.type)) { facts.clamps = true; }
    for (const RegisterId reg : {one.a, one.b, one.c}) {
      if (reg == kNone || program.registers[reg].kind != RegisterKind::Builtin) { continue; }
      switch (program.registers[reg].builtin) {
        case Builtin::ThreadIdxX:
        case Builtin::BlockIdxX:
          facts.axes[0] = true;
          break;
        case Builtin::ThreadIdxY:
        case Builtin::BlockIdxY:
          facts.axes[1] = true;
          break;
        case Builtin::ThreadIdxZ:
        case Builtin::BlockIdxZ:
          facts.axes[2] = true;
          break;
        default:
          break;
      }
    }
  }
  return facts;
}

/// By how much a second size is shorter than the stated one.
constexpr std::int64_t kShorter = 3;

/// Of what another launch covers: an interior without its border is as much, even of a small grid in three dimensions.
constexpr double kCoverage = 0.6;

class Proposer {
 public:
  Proposer(ProposedKernel& kernel, const Program& program, const LaunchClues& clues)
      : kernel_(kernel),
        file_(kernel.file),
        program_(program),
        clues_(clues),
        facts_(factsOf(program)),
        constants_(clues.code.constants()) {
    for (const auto& [name, value] : file_.defaults()) { constants_[name] = value; }
    // A helper of a library may look at all three indices: only those that the text itself names count.
    facts_.axes[1] = facts_.axes[1] && clues.code.mentions("y");
    facts_.axes[2] = facts_.axes[2] && clues.code.mentions("z");
  }

  void propose() {
    findCall();
    findRank();
    scalars();
    launch();
    overrideLaunch();
    recognise();
    tellFillings();
  }

 private:
  void assume(std::string sentence) { kernel_.assumptions.push_back(std::move(sentence)); }

  void findCall() {
    for (const HostCode::LaunchCall& one : clues_.code.launches()) {
      if (one.kernel == clues_.functionName) {
        call_ = &one;
        return;
      }
    }
  }

  void findRank() {
    std::set<int> axes;
    for (const Parameter& parameter : program_.parameters) {
      const auto axis = parameter.type == ValueType::Pointer ? std::nullopt : axisOf(parameter.name);
      if (axis && *axis < 3) { axes.insert(*axis); }
    }
    const int used = facts_.axes[2] ? 3 : (facts_.axes[1] ? 2 : 1);
    rank_ = std::max(used, static_cast<int>(axes.size()));
    if (axes.contains(2)) { rank_ = 3; }
  }

  [[nodiscard]] std::int64_t usualSize(int axis) const {
    if (rank_ == 1) { return 1000; }
    // Sizes that no usual block divides: a missing guard shows only there.
    if (rank_ == 2) { return axis == 1 ? 53 : 67; }
    return axis == 0 ? 25 : (axis == 1 ? 23 : 21);
  }
  [[nodiscard]] std::int64_t largestOpened() const { return rank_ == 1 ? 65536 : (rank_ == 2 ? 256 : 48); }

  /// What the host passes for a parameter, or for the struct that it is a field of.
  [[nodiscard]] const HostCode::Tokens* argument(const Parameter& parameter) const {
    const std::size_t index = parameter.argument;
    return call_ != nullptr && index < call_->arguments.size() ? &call_->arguments[index] : nullptr;
  }
  /// "nx" of "grid.nx"; empty for what is no field of a struct.
  [[nodiscard]] static std::string pathOf(const Parameter& parameter) {
    const std::size_t dot = parameter.name.find('.');
    return dot == std::string::npos ? "" : parameter.name.substr(dot + 1);
  }
  [[nodiscard]] std::optional<double> passedNumber(const Parameter& parameter, const HostCode::Given& known) const {
    const HostCode::Tokens* passed = argument(parameter);
    if (passed == nullptr) { return std::nullopt; }
    const std::string path = pathOf(parameter);
    return path.empty() ? clues_.code.number(*passed, known) : clues_.code.member(*passed, path, known);
  }
  [[nodiscard]] std::optional<std::int64_t> passedInteger(const Parameter& parameter) const {
    const auto value = passedNumber(parameter, known_);
    if (!value || *value != std::floor(*value) || std::abs(*value) > 1e15) { return std::nullopt; }
    return static_cast<std::int64_t>(*value);
  }

  void scalars() {
    for (const Parameter& parameter : program_.parameters) {
      if (parameter.type == ValueType::Pointer) { continue; }
      const auto given = clues_.overrides.bindings.find(parameter.name);
      const auto axis = isFloating(parameter.type) ? std::nullopt : axisOf(parameter.name);
      if (axis) {
        size(parameter, *axis, given == clues_.overrides.bindings.end() ? nullptr : &given->second);
      } else if (given != clues_.overrides.bindings.end()) {
        file_.arguments[parameter.name] = Expression(given->second);
      } else {
        scalar(parameter);
      }
    }
  }

  void size(const Parameter& parameter, int axis, const std::string* given) {
    SizeParameter size{.name = parameter.name,
                       .defaultValue = usualSize(axis == 3 ? 0 : axis),
                       .minimum = 1,
                       .maximum = rank_ == 3 ? 512 : (rank_ == 2 ? 16384 : 1 << 24),
                       .meaning = axis == 3 ? "points along an axis" : "points along this axis"};
    if (rank_ == 3 && axis == 3) { size.defaultValue = 21; }
    const HostCode::Tokens* passed = argument(parameter);
    if (given != nullptr) {
      const auto value = HostCode("int given = " + *given + ";").integer({"given"});
      if (!value || *value < 1) {
        throw InputError(fmt::format("{} = {} is not a size: a whole number from 1 is needed", parameter.name, *given));
      }
      size.defaultValue = *value;
    } else if (const auto value = passedInteger(parameter); value && *value > 0) {
      size.defaultValue = std::min(*value, largestOpened());
      if (*value > largestOpened()) {
        assume(fmt::format("The host launches with {} = {}; it is opened at {} = {}, which is quicker to walk through.",
                           parameter.name, *value, parameter.name, size.defaultValue));
      }
    } else {
      assume(
          fmt::format("{} is taken as {}: the text does not say how large it is.", parameter.name, size.defaultValue));
    }
    size.maximum = std::max(size.maximum, size.defaultValue);
    known_[parameter.name] = size.defaultValue;
    if (passed != nullptr && passed->size() == 1 && std::isalpha(static_cast<unsigned char>(passed->front()[0])) != 0) {
      const std::string path = pathOf(parameter);
      const std::string name = passed->front() + (path.empty() ? "" : "." + path);
      known_[name] = size.defaultValue;
      hostNames_[parameter.name] = name;
      if (clues_.code.isMacro(name) && !clues_.overrides.defines.contains(name) && name != parameter.name) {
        file_.macros[name] = std::to_string(size.defaultValue);  // the kernel may use the macro itself
      }
    }
    file_.sizes.push_back(size);
    axes_.push_back(axis);
  }

  void scalar(const Parameter& parameter) {
    const auto value = passedNumber(parameter, known_);
    if (value) {
      file_.arguments[parameter.name] = Expression(fmt::format("{}", *value));
      numbers_[parameter.name] = *value;
      return;
    }
    double chosen = 1;
    if (isFloating(parameter.type)) {
      chosen = 0.1 + 0.05 * static_cast<double>(file_.arguments.size());
    } else if (isFilterWidth(parameter.name)) {
      chosen = 3;
    }
    file_.arguments[parameter.name] = Expression(fmt::format("{}", chosen));
    numbers_[parameter.name] = chosen;
    assume(fmt::format("{} is taken as {}: the text does not give its value.", parameter.name, chosen));
  }

  /// Name (or number) of the extent along an axis.
  [[nodiscard]] std::string extent(int axis) const {
    std::string all;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (axes_[i] == axis) { return file_.sizes[i].name; }
      if (axes_[i] == 3 && all.empty()) { all = file_.sizes[i].name; }
    }
    if (!all.empty()) { return all; }
    // A macro or constant of the text that is named like a size.
    for (const int wanted : {axis, 3}) {
      for (const auto& [name, value] : constants_) {
        if (axisOf(name) == wanted && value > 0 && value <= (1 << 26)) {
          return file_.findTunable(name) != nullptr ? name : std::to_string(value);
        }
      }
    }
    if (!axes_.empty()) { return file_.sizes.front().name; }
    return std::to_string(usualSize(axis));
  }

  [[nodiscard]] std::int64_t value(const std::string& extent) const {
    return Expression(extent).evaluateInteger(file_.defaults());
  }

  [[nodiscard]] std::int64_t filterWidth() const {
    for (const auto& [name, number] : numbers_) {
      if (isRadius(name) && number >= 0 && number <= 64) { return 2 * static_cast<std::int64_t>(number) + 1; }
      if (isFilterWidth(name) && number >= 1 && number <= 129) { return static_cast<std::int64_t>(number); }
    }
    for (const auto& [name, number] : constants_) {
      if (isRadius(name) && number >= 0 && number <= 64) { return 2 * number + 1; }
    }
    for (const auto& [name, number] : constants_) {
      if (isFilterWidth(name) && number >= 2 && number <= 129) { return number; }
    }
    return 3;
  }

  /// Shapes of all arrays behind pointers, for a grid of this rank.
  void shapeArrays(int rank) {
    file_.arrays.clear();
    for (const Parameter& parameter : program_.parameters) {
      if (parameter.object == kNone) { continue; }
      ArrayDeclaration array{parameter.name, {}};
      const auto given = clues_.overrides.bindings.find(parameter.name);
      if (given != clues_.overrides.bindings.end()) {
        array.shape = shapeOf(parameter.name, given->second);
      } else {
        for (const std::string& one : proposedShape(parameter, rank)) { array.shape.emplace_back(one); }
      }
      file_.arrays.push_back(std::move(array));
    }
  }

  static std::vector<Expression> shapeOf(const std::string& name, std::string text) {
    std::erase_if(text, [](char c) { return c == '[' || c == ']'; });
    std::vector<Expression> shape;
    std::size_t at = 0;
    while (at <= text.size()) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      shape.emplace_back(text.substr(at, end - at));
      at = end + 1;
    }
    if (shape.size() > 3) { throw InputError(fmt::format("the array {} can have one to three extents", name)); }
    return shape;
  }

  [[nodiscard]] std::vector<std::string> proposedShape(const Parameter& parameter, int rank) const {
    const MemoryObject& object = program_.objects[parameter.object];
    const bool readOnly = !facts_.written.contains(parameter.object);
    if (readOnly && isFilter(parameter.name) && readArrays() > 1) {
      if (rank == 3) { return {"7"}; }
      const std::string width = std::to_string(filterWidth());
      return rank == 1 ? std::vector<std::string>{width} : std::vector<std::string>{width, width};
    }
    std::vector<std::string> shape;
    for (int axis = rank - 1; axis >= 0; --axis) { shape.push_back(extent(axis)); }
    // The host's allocation counts more than the rank of the launch.
    const HostCode::Tokens* passed = argument(parameter);
    const bool field = !pathOf(parameter).empty();  // cudaMalloc(&field.data, …) is known by the name of the member
    const auto bytes = passed != nullptr && passed->size() == 1
                           ? clues_.code.allocatedBytes(field ? lastName(parameter.name) : passed->front(), known_)
                           : std::nullopt;
    if (!bytes || *bytes < 1) { return shape; }
    const std::int64_t elements = std::max<std::int64_t>(1, *bytes / sizeInMemory(object.element));
    for (int r = 3; r >= 1; --r) {
      std::int64_t product = 1;
      std::vector<std::string> extents;
      for (int axis = r - 1; axis >= 0; --axis) {
        extents.push_back(extent(axis));
        product *= value(extents.back());
      }
      if (product == elements) { return extents; }
    }
    return {std::to_string(elements)};
  }

  /// Global arrays that are read: with a single one, it is the input whatever its name.
  [[nodiscard]] int readArrays() const {
    int count = 0;
    for (const Parameter& parameter : program_.parameters) {
      count += parameter.object != kNone && !facts_.written.contains(parameter.object) ? 1 : 0;
    }
    return count;
  }

  void launch() {
    if (call_ != nullptr && launchOfHost()) { return; }
    if (call_ != nullptr) {
      assume("The host's launch depends on what only a run of it would tell, so another one is proposed.");
    }
    launchByTrial();
  }

  bool launchOfHost() {
    const auto grid = clues_.code.dimensions(call_->configuration[0], known_);
    const auto block = clues_.code.dimensions(call_->configuration[1], known_);
    if (!grid || !block) { return false; }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      file_.grid[axis] = Expression(gridExpression(axis, (*grid)[axis]));
      file_.block[axis] = Expression(std::to_string((*block)[axis]));
    }
    if (call_->configuration.size() > 2) {
      if (const auto bytes = clues_.code.integer(call_->configuration[2], known_)) {
        file_.dynamicSharedBytes = Expression(std::to_string(*bytes));
      }
    }
    otherSizes();
    shapeArrays(rank_);
    // Threads in two dimensions may march through three: the emulator knows.
    if (rank_ == 2 && !clues_.overrides.grid && !tryLaunch().clean) {
      shapeArrays(3);
      if (tryLaunch().clean) {
        rank_ = 3;
      } else {
        shapeArrays(rank_);
      }
    }
    return true;
  }

  /// Where the host's grid is rounded up, its code is meant for sizes that the block does not divide, too: if the
  /// stated one is divided, another is worth a check.
  void otherSizes() {
    if (clues_.overrides.grid) { return; }
    for (const SizeParameter& size : file_.sizes) {
      const auto host = hostNames_.find(size.name);
      if (host == hostNames_.end() || clues_.overrides.bindings.contains(size.name) ||
          clues_.code.isMacro(host->second) || size.defaultValue <= 2 * kShorter) {
        continue;
      }
      const std::string begin = "ceil(" + size.name + " / ";
      const bool divided = std::ranges::any_of(file_.grid, [&](const Expression& one) {
        return one.text().starts_with(begin) && size.defaultValue % std::stoll(one.text().substr(begin.size())) == 0;
      });
      if (divided && onlyItselfChangesWith(size, host->second)) {
        kernel_.otherSizes[size.name] = size.defaultValue - kShorter;
      }
    }
  }

  /// Whether the host passes nothing else that follows from this size.
  [[nodiscard]] bool onlyItselfChangesWith(const SizeParameter& size, const std::string& hostName) const {
    HostCode::Given changed = known_;
    changed[hostName] = changed[size.name] = size.defaultValue - kShorter;
    for (const Parameter& parameter : program_.parameters) {
      if (parameter.type == ValueType::Pointer || parameter.name == size.name) { continue; }
      if (passedNumber(parameter, known_) != passedNumber(parameter, changed)) { return false; }
    }
    return true;
  }

  /// "ceil(N / 14)" where the host's grid grows so with a size; its number otherwise.
  [[nodiscard]] std::string gridExpression(std::size_t axis, std::int64_t now) const {
    for (const SizeParameter& size : file_.sizes) {
      const auto host = hostNames_.find(size.name);
      if (host == hostNames_.end()) { continue; }
      std::vector<std::pair<std::int64_t, std::int64_t>> samples;
      for (const std::int64_t n :
           {size.defaultValue, size.defaultValue + 1, 2 * size.defaultValue + 3, 5 * size.defaultValue + 7,
            std::int64_t{9973}, std::int64_t{1'000'003}, std::int64_t{1}}) {
        HostCode::Given given = known_;
        given[host->second] = n;
        const auto grid = clues_.code.dimensions(call_->configuration[0], given);
        if (grid) { samples.emplace_back(n, (*grid)[axis]); }
      }
      const bool grows = std::ranges::any_of(samples, [&](const auto& s) { return s.second != now; });
      if (samples.size() < 3 || !grows) { continue; }
      for (std::int64_t step = 1; step <= 4096; ++step) {
        const bool fits =
            std::ranges::all_of(samples, [&](const auto& s) { return s.second == (s.first + step - 1) / step; });
        if (fits) { return step == 1 ? size.name : fmt::format("ceil({} / {})", size.name, step); }
      }
    }
    return std::to_string(now);
  }

  struct Candidate {
    std::array<std::string, 3> block{"1", "1", "1"};
    std::array<std::string, 3> step{"1", "1", "1"};
    int rank = 1;
  };

  /// Edges of blocks and tiles that the text suggests: as expressions, where they are tunables.
  [[nodiscard]] std::vector<std::string> edges() const {
    std::vector<std::string> found;
    std::set<std::int64_t> values;
    const auto add = [&](const std::string& edge) {
      try {
        const std::int64_t n = value(edge);
        if (n >= 1 && n <= 1024 && values.insert(n).second) { found.push_back(edge); }
      } catch (const InputError&) { return; }
    };
    for (const Tunable& tunable : file_.tunables) {
      if (!isRadius(tunable.name) && !isFilterWidth(tunable.name) && !axisOf(tunable.name)) { add(tunable.name); }
    }
    for (const MissingValue& missing : kernel_.missing) {
      if (missing.type == "int" && missing.value.starts_with("(")) { add(missing.value); }
    }
    for (const MemoryObject& object : program_.objects) {
      if (object.space != MemorySpace::Shared) { continue; }
      for (const std::int64_t extent : object.extents) {
        add(std::to_string(extent));
        add(std::to_string(extent - filterWidth() + 1));
      }
    }
    for (const auto& [name, number] : constants_) {
      const bool size = axisOf(name).has_value() || isRadius(name) || isFilterWidth(name);
      if (!size && number > 1 && number <= 1024 && found.size() < 6) { add(std::to_string(number)); }
    }
    if (found.empty()) {
      const int axes = facts_.axes[2] ? 3 : (facts_.axes[1] ? 2 : 1);
      add(axes == 3 ? "8" : (axes == 2 ? "16" : "128"));
    }
    return found;
  }

  void launchByTrial() {
    const int axes = facts_.axes[2] ? 3 : (facts_.axes[1] ? 2 : 1);
    std::vector<Candidate> candidates;
    const std::vector<std::string> all = edges();
    for (const int rank : {rank_, rank_ + 1}) {
      if (rank > 3 || (rank > rank_ && (rank_ == 1 || axes_.size() != 1))) { continue; }
      for (const int threadAxes : {axes, std::min(axes, 2)}) {
        for (const std::string& block : all) {
          for (const std::string& step : all) {
            Candidate one{.rank = rank};
            for (int axis = 0; axis < axes; ++axis) {
              const auto at = static_cast<std::size_t>(axis);
              if (axis < threadAxes) { one.block[at] = block; }
              one.step[at] = step;
            }
            candidates.push_back(one);
          }
        }
        if (axes < 3) { break; }  // a 3D grid of flat blocks: each thread marches along z
      }
    }
    const auto begin = std::chrono::steady_clock::now();
    std::vector<LaunchTrial> trials;
    std::int64_t mostCovered = 0;
    for (const Candidate& one : candidates) {
      if (!trials.empty() && std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(700)) { break; }
      apply(one);
      trials.push_back(tryLaunch());
      mostCovered = std::max(mostCovered, trials.back().covered);
    }
    // A launch that leaves a good part of the output out is free of faults only because it does not get there.
    const auto merit = [&](std::size_t at) {
      const LaunchTrial& trial = trials[at];
      const bool getsThere = static_cast<double>(trial.covered) >= kCoverage * static_cast<double>(mostCovered);
      return std::tuple(trial.clean && getsThere, trial.covered, -static_cast<std::int64_t>(trial.blocks));
    };
    std::size_t best = 0;
    for (std::size_t at = 1; at < trials.size(); ++at) {
      if (merit(at) > merit(best)) { best = at; }
    }
    if (!trials.empty()) {
      apply(candidates[best]);
      rank_ = candidates[best].rank;
    }
    // In the sizes' names: the launch that is used may have others than the proposed ones.
    assume(fmt::format(
        "No launch could be read from the text: blocks of {}×{}×{} threads in a grid of {} × {} × {} are proposed.",
        file_.block[0].text(), file_.block[1].text(), file_.block[2].text(), file_.grid[0].text(), file_.grid[1].text(),
        file_.grid[2].text()));
  }

  void apply(const Candidate& one) {
    shapeArrays(one.rank);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      file_.block[axis] = Expression(one.block[axis]);
      const bool grows = one.step[axis] != "1" || facts_.axes[axis];
      const std::string size = extent(static_cast<int>(axis));
      file_.grid[axis] = Expression(!grows                  ? "1"
                                    : one.step[axis] == "1" ? size
                                                            : fmt::format("ceil({} / {})", size, one.step[axis]));
    }
    const bool dynamic = std::ranges::any_of(program_.objects, [](const MemoryObject& object) {
      return object.space == MemorySpace::Shared && object.extentsAtLaunch;
    });
    if (dynamic) {
      const LaunchConfiguration launch = file_.configuration(file_.defaults());
      file_.dynamicSharedBytes = Expression(std::to_string(
          std::min<std::int64_t>(kMaxSharedBytesPerBlock, std::int64_t{4 * 4} * launch.threadsPerBlock() + 4096)));
    }
  }

  [[nodiscard]] LaunchTrial tryLaunch() const { return experiment::tryLaunch(file_, program_, facts_.written); }

  void overrideLaunch() {
    const auto set = [](std::array<Expression, 3>& to, const Dim3& from) {
      to = {Expression(std::to_string(from.x)), Expression(std::to_string(from.y)), Expression(std::to_string(from.z))};
    };
    if (clues_.overrides.grid) { set(file_.grid, *clues_.overrides.grid); }
    if (clues_.overrides.block) { set(file_.block, *clues_.overrides.block); }
    if (clues_.overrides.dynamicSharedBytes) {
      file_.dynamicSharedBytes = Expression(std::to_string(*clues_.overrides.dynamicSharedBytes));
    }
  }

  /// The one array that is only read and is no filter, the one that is written, the one filter. None where there are
  /// several of a kind.
  void recognise() {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<std::string> filters;
    for (ObjectId id = 0; id < program_.objects.size(); ++id) {
      const MemoryObject& object = program_.objects[id];
      if (object.space != MemorySpace::Global && object.space != MemorySpace::Constant) { continue; }
      if (facts_.written.contains(id)) {
        outputs.push_back(object.name);
      } else if (object.space == MemorySpace::Constant || (isFilter(object.name) && readArrays() > 1)) {
        filters.push_back(object.initial.empty() ? object.name : "");
      } else {
        inputs.push_back(object.name);
      }
    }
    const bool plain = inputs.size() == 1 && outputs.size() == 1 && filters.size() == 1 && !filters[0].empty() &&
                       !facts_.clamps && !facts_.read.contains(program_.findObject(outputs[0]));
    if (!plain) { return; }
    Computes computes{.output = outputs[0], .input = inputs[0], .weights = filters[0], .taps = {}, .window = {}};
    if (!clues_.starCoefficients.empty() && filters[0] == clues_.starCoefficients && rank_ == 3) {
      computes.taps = {{0, 0, 0}, {0, 0, -1}, {0, 0, 1}, {0, -1, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, 0}};
      computes.border = Computes::Border::Keeps;
      assume(
          "It is checked as the book's seven-point stencil: c0 at the centre, c1 at k-1, c2 at k+1, c3 at j-1, c4 at "
          "j+1, c5 at i-1, c6 at i+1.");
    } else if (lower(clues_.functionName).find("conv") != std::string::npos && rank_ <= 2) {
      const std::int64_t width = filterWidth();
      std::int64_t elements = width;
      for (int axis = 1; axis < rank_; ++axis) { elements *= width; }
      if (width % 2 == 0 || elements != elementsOf(filters[0])) {
        recogniseByRunning(std::move(computes));
        return;
      }
      computes.window.assign(static_cast<std::size_t>(rank_), Expression(std::to_string(width / 2)));
      computes.border = Computes::Border::Zero;
      computes.guessed = true;
      assume(fmt::format("It is compared with a {}D convolution of {} with {}, radius {}, ghost cells zero.", rank_,
                         inputs[0], filters[0], width / 2));
    } else {
      recogniseByRunning(std::move(computes));
      return;
    }
    file_.computes = std::move(computes);
  }

  /// A weighted sum whose order of coefficients no name tells.
  void recogniseByRunning(Computes computes) {
    std::optional<TapOrder> order;
    try {
      order = findTapOrder(file_, program_, computes.input, computes.output, computes.weights);
    } catch (const SourceError&) { return; } catch (const InputError&) {
      return;
    }
    if (!order) { return; }
    const auto count = static_cast<std::int64_t>(order->taps.size());
    if (count != elementsOf(computes.weights)) {
      const auto declared = std::ranges::find(file_.arrays, computes.weights, &ArrayDeclaration::name);
      const bool given = clues_.overrides.bindings.contains(computes.weights);
      if (declared == file_.arrays.end() || given) { return; }
      declared->shape = {Expression(std::to_string(count))};
    }
    assume(fmt::format(
        "It is checked as a {}-point stencil in the order that running it showed, so that the order "
        "itself cannot be wrong: {}; {}.",
        count, describe(*order, computes.weights, rank_),
        order->border == Computes::Border::Keeps ? "border points keep their value" : "ghost cells are zero"));
    computes.taps = order->taps;
    computes.border = order->border;
    file_.computes = std::move(computes);
  }

  /// What the arrays that the kernel reads are filled with: no text says that.
  void tellFillings() {
    std::vector<std::string> parts;
    for (ObjectId id = 0; id < program_.objects.size(); ++id) {
      const MemoryObject& object = program_.objects[id];
      const bool filled =
          (object.space == MemorySpace::Global || object.space == MemorySpace::Constant) && object.initial.empty();
      if (!filled || !facts_.read.contains(id)) { continue; }
      const bool weights = file_.computes && file_.computes->weights == object.name;
      parts.push_back(fmt::format("{} with {}", object.name,
                                  weights
                                      ? "different positive weights"
                                      : describe(fillingOf(program_, id, elementsOf(object.name)), object.element)));
    }
    if (!parts.empty()) {
      assume(fmt::format("The text does not say what the arrays hold; filled are {}.", fmt::join(parts, ", ")));
    }
  }

  [[nodiscard]] std::int64_t elementsOf(const std::string& name) const {
    const MemoryObject& object = program_.objects[program_.findObject(name)];
    if (object.space == MemorySpace::Constant) { return object.elementCount(); }
    std::int64_t count = 1;
    for (const ArrayDeclaration& array : file_.arrays) {
      if (array.name != name) { continue; }
      for (const Expression& one : array.shape) { count *= one.evaluateInteger(file_.defaults()); }
    }
    return count;
  }

  ProposedKernel& kernel_;
  KernelFile& file_;
  const Program& program_;
  const LaunchClues& clues_;
  ProgramFacts facts_;
  std::map<std::string, std::int64_t> constants_;
  const HostCode::LaunchCall* call_ = nullptr;
  int rank_ = 1;
  HostCode::Given known_;                         ///< sizes: by the parameter's name and by the host's
  std::map<std::string, std::string> hostNames_;  ///< of sizes, by parameter
  std::map<std::string, double> numbers_;         ///< other scalars
  std::vector<int> axes_;                         ///< of each of file_.sizes
};

}  // namespace

void proposeLaunch(ProposedKernel& kernel, const Program& program, const LaunchClues& clues) {
  Proposer(kernel, program, clues).propose();
}

}  // namespace haloscope::experiment
