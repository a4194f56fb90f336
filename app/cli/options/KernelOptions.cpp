#include "options/KernelOptions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <ranges>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "catalogue/KernelFile.h"
#include "experiment/ChosenArrays.h"
#include "language/Text.h"
#include "opening/TextNames.h"
#include "program/BarrierRemoval.h"
#include "program/SourceLocation.h"
#include "text/Print.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

std::vector<std::int64_t> parseBlocks(const std::string& text) {
  std::vector<std::int64_t> blocks;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at <= end) {
    std::int64_t count = 0;
    const auto [after, error] = std::from_chars(at, end, count);
    if (error != std::errc() || count < 1 || blocks.size() == 3 || (after != end && *after != ',')) {
      throw InputError(trf("--blocks {}: write X or X,Y or X,Y,Z, integers of at least 1", text));
    }
    blocks.push_back(count);
    at = after + 1;
  }
  return blocks;
}

std::string gridText(const KernelFile& file, const Bindings& bindings) {
  std::string text;
  for (const Expression& axis : file.grid) {
    text += fmt::format("{}{}", text.empty() ? "" : "×", axis.evaluateInteger(bindings));
  }
  return text;
}

/// Whether the grid has at most that many blocks along each axis. A size below the tile's can make it empty.
bool fits(const KernelFile& file, const Bindings& bindings, const std::vector<std::int64_t>& blocks) {
  for (std::size_t axis = 0; axis < blocks.size(); ++axis) {
    if (file.grid.at(axis).evaluateInteger(bindings) > blocks[axis]) { return false; }
  }
  return true;
}

/// The largest value of a size at which the grid fits, by bisection: a grid never shrinks as a size grows.
std::int64_t largest(const KernelFile& file, Bindings bindings, const SizeParameter& size,
                     const std::vector<std::int64_t>& blocks) {
  std::int64_t low = size.minimum, high = size.maximum;
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    bindings[size.name] = middle;
    if (fits(file, bindings, blocks)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// `bindings` with the largest sizes at which the grid has the number of blocks that "X[,Y[,Z]]" names for its first
/// axes: no block is cut off that need not be. Throws InputError where no size makes this grid.
Bindings sizesOfGrid(const KernelFile& file, Bindings bindings, const std::string& blocks) {
  const std::vector<std::int64_t> wanted = parseBlocks(blocks);
  if (file.sizes.empty()) { throw InputError(trf("--blocks {}: {} has no size", blocks, file.id)); }
  // An axis that does not depend on a size must not limit it.
  Bindings smallest = bindings;
  for (const SizeParameter& size : file.sizes) { smallest[size.name] = size.minimum; }
  for (const SizeParameter& size : file.sizes) {
    Bindings far = smallest;
    far[size.name] = size.maximum;
    const bool followed = std::ranges::any_of(std::views::iota(std::size_t{0}, wanted.size()), [&](std::size_t axis) {
      return file.grid.at(axis).evaluateInteger(far) != file.grid.at(axis).evaluateInteger(smallest);
    });
    if (followed) { bindings[size.name] = largest(file, smallest, size, wanted); }
  }
  for (std::size_t axis = 0; axis < wanted.size(); ++axis) {
    if (file.grid.at(axis).evaluateInteger(bindings) == wanted[axis]) { continue; }
    std::string sizes;
    for (const SizeParameter& size : file.sizes) {
      sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", size.name, bindings.at(size.name));
    }
    throw InputError(trf("--blocks {}: no size of {} makes this grid; the nearest is {}, at {}", blocks, file.id,
                         gridText(file, bindings), sizes));
  }
  return file.bind(bindings);
}

std::int64_t parseInteger(const std::string& text, const std::string& definition) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw InputError(trf("-D {}: \"{}\" is not an integer", definition, text));
  }
  return value;
}

/// What a -D of a size, a tunable or the precision of `file` binds it to.
std::int64_t boundValue(const KernelFile& file, const std::string& name, const std::string& value,
                        const std::string& definition) {
  if (!file.isPrecision(name)) {
    if (value == "half" || value == "float" || value == "double") {
      throw InputError(trf("-D {}: {} supports one type only; there is no {} to choose", definition, file.id, name));
    }
    return parseInteger(value, definition);
  }
  for (const ValueType type : file.precision->types) {
    if (realTypeName(type) == value) { return Precision::valueOf(type); }
  }
  throw InputError(trf("-D {}: {} is one of {}", definition, name, file.precision->typeNames()));
}

/// NAME=VALUE, cut in two. Throws InputError naming the option.
std::pair<std::string, std::string> cut(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) { throw InputError(trf("{} {}: write NAME=VALUE", option, text)); }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

bool isParameter(const KernelFile& file, const std::string& name) {
  return file.findSize(name) != nullptr || file.arguments.contains(name);
}

/// The first -D that sets a size of `file`, as given; empty if none does.
std::string sizeDefine(const KnobOptions& knobs, const KernelFile& file) {
  for (const std::string& define : knobs.defines) {
    if (file.findSize(define.substr(0, define.find('='))) != nullptr) { return "-D " + define; }
  }
  return {};
}

/// The kernel without its data.
ChosenKernel launchedKernel(const Catalogue& catalogue, const std::string& target, const KernelOptions& options) {
  std::error_code error;
  if (catalogue.find(target) == nullptr && fs::is_directory(target, error)) {
    throw InputError(trf("{} is a folder: this command takes one .cu file, or a variant", target));
  }
  const fs::path path = fs::absolute(target).lexically_normal();
  const auto known = std::ranges::find(catalogue.kernels(), path, &KernelFile::path);
  if (catalogue.find(target) != nullptr || !isFile(target) || known != catalogue.kernels().end()) {
    const KernelFile& variant = known == catalogue.kernels().end() ? catalogue.at(target) : *known;
    options.expectOnlyKnobs(target);
    return {variant, options.knobs.bindings(variant)};
  }
  const KernelFile variant = openedVariant(catalogue, path);
  if (const std::string text = opening::readOpenedText(target); KernelFile::hasHeader(text)) {
    options.expectOnlyKnobs(target);
    KernelFile headed = KernelFile::parse(variant.id, variant.path, text);
    headed.chapter = variant.chapter;
    const Bindings bindings = options.knobs.bindings(headed);
    return {std::move(headed), bindings};
  }
  OpenedWithOptions opened = openWithOptions(target, options);
  const auto refused = std::ranges::find(opened.file.unread, options.kernel, &opening::UnreadKernel::kernel);
  if (refused != opened.file.unread.end()) { throw refused->errors.front(); }
  std::vector<std::string> names;
  for (const opening::ProposedKernel& one : opened.file.kernels) { names.push_back(one.file.kernel); }
  if (names.empty()) {
    if (!opened.file.unread.empty()) { throw opened.file.unread.front().errors.front(); }
    throw InputError(fmt::format("{}: {}", target,
                                 opened.file.diagnostics.empty() ? tr("there is no kernel in this file")
                                                                 : opened.file.diagnostics.front().message));
  }
  const auto wanted = options.kernel.empty() ? names.begin() : std::ranges::find(names, options.kernel);
  if (wanted == names.end()) {
    throw InputError(
        trf("--kernel {}: {} has no such kernel; it has: {}", options.kernel, target, fmt::join(names, ", ")));
  }
  if (options.kernel.empty() && names.size() > 1) {
    printText(stderr, "haloscope: note: {} is the first of {} kernels in {}; --kernel chooses another\n", names.front(),
              names.size(), target);
  }
  ChosenKernel chosen{
      opened.file.kernels[static_cast<std::size_t>(wanted - names.begin())].file, {}, std::move(opened.overrides)};
  chosen.file.id = variant.id;
  chosen.file.chapter = variant.chapter;
  for (const auto& [launched, data] : opened.data) {
    if (!kernelAmong({chosen.file.kernel}, launched).empty()) { chosen.file.data = data; }
  }
  return chosen;
}

}  // namespace

Bindings KnobOptions::bindings(const KernelFile& file) const {
  Bindings bindings;
  if (size) {
    if (file.sizes.empty()) { throw InputError(trf("--size {}: {} has no size", *size, file.id)); }
    for (const SizeParameter& parameter : file.sizes) { bindings[parameter.name] = *size; }
  }
  for (const std::string& define : defines) {
    const auto [name, value] = cut("-D", define);
    bindings[name] = boundValue(file, name, value, define);
  }
  bindings = file.bind(bindings);
  if (!blocks.empty()) {
    const std::string fixed = sizeDefine(*this, file);
    if (!fixed.empty()) { throw InputError(trf("--blocks {} sets the sizes, and so does {}", blocks, fixed)); }
    bindings = sizesOfGrid(file, std::move(bindings), blocks);
  }
  return bindings;
}

std::string KnobOptions::sizeOption(const KernelFile& file) const {
  if (size) { return trf("--size {}", *size); }
  return blocks.empty() ? sizeDefine(*this, file) : trf("--blocks {}", blocks);
}

std::set<std::string> KnobOptions::namesSet(const KernelFile& file) const {
  std::set<std::string> names;
  if (size || !blocks.empty()) {
    for (const SizeParameter& parameter : file.sizes) { names.insert(parameter.name); }
  }
  for (const std::string& define : defines) { names.insert(define.substr(0, define.find('='))); }
  return names;
}

void ScheduleOptions::apply(experiment::Choice& choice) const {
  choice.order = order.value_or(simt::WarpOrder::SideBySide);
  if (seed && choice.order != simt::WarpOrder::Random) {
    throw InputError(trf("--seed {}: only --order random has a seed", *seed));
  }
  choice.orderSeed = seed.value_or(0);
  choice.withoutBarriers = {withoutBarriers.begin(), withoutBarriers.end()};
}

void ScheduleOptions::expectBarriers(const Program& program) const {
  const std::set<int> known = barrierLines(program);
  for (const int line : withoutBarriers) {
    if (known.contains(line)) { continue; }
    throw InputError(trf("--without-barrier {}: there is no barrier on this line of {}; {}", line, program.kernel,
                         known.empty() ? tr("it has none") : trf("there is on {}", fmt::join(known, ", "))));
  }
}

opening::LaunchOverrides KernelOptions::overrides() const {
  opening::LaunchOverrides overrides;
  for (const std::string& define : knobs.defines) { overrides.defines.insert(cut("-D", define)); }
  for (const std::string& bind : binds) { overrides.bindings.insert(cut("--bind", bind)); }
  overrides.dynamicSharedBytes = sharedBytes;
  if (launch.empty()) { return overrides; }
  std::array<std::uint32_t, 6> numbers{};
  const char* at = launch.data();
  const char* const end = at + launch.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, numbers[i]);
    const bool last = i + 1 == numbers.size();
    if (error != std::errc() || numbers[i] == 0 || (last ? next != end : next == end || *next != ',')) {
      throw InputError(trf("--launch {}: write GX,GY,GZ,BX,BY,BZ, six integers of at least 1", launch));
    }
    at = next + 1;
  }
  overrides.grid = Dim3{numbers[0], numbers[1], numbers[2]};
  overrides.block = Dim3{numbers[3], numbers[4], numbers[5]};
  return overrides;
}

opening::LaunchOverrides KernelOptions::overridesFor(const fs::path& path, const std::string& text) const {
  if (!knobs.blocks.empty()) {
    throw InputError(trf("--blocks {}: the grid of a .cu file is set with --launch GX,GY,GZ,BX,BY,BZ", knobs.blocks));
  }
  opening::LaunchOverrides all = overrides();
  if (all.defines.empty() && !knobs.size) { return all; }
  // Whether a name is a macro's or a parameter's is known when the text has been read without it.
  const opening::TextNames names(text);
  opening::LaunchOverrides certain = all;
  std::erase_if(certain.defines, [&](const auto& define) { return !names.isMacro(define.first); });
  const opening::OpenedFile read = opening::openText(path, text, certain);
  bool sized = false;
  for (const opening::ProposedKernel& one : read.kernels) {
    if (!kernel.empty() && one.file.kernel != kernel) { continue; }
    sized = sized || !one.file.sizes.empty();
    if (!knobs.size) { continue; }
    for (const SizeParameter& size : one.file.sizes) {
      all.bindings.try_emplace(size.name, std::to_string(*knobs.size));
    }
  }
  if (knobs.size && !sized && !read.kernels.empty()) {
    throw InputError(trf(
        "--size {}: no kernel of {} has a parameter that is a size, such as n or width; --bind NAME=VALUE sets another",
        *knobs.size, path.string()));
  }
  for (const std::string& define : knobs.defines) {
    const auto [name, value] = cut("-D", define);
    const bool parameter = !certain.defines.contains(name) &&
                           std::ranges::any_of(read.kernels, [&, wanted = name](const opening::ProposedKernel& one) {
                             return isParameter(one.file, wanted);
                           });
    if (!parameter) { continue; }
    all.bindings[name] = value;
    all.defines.erase(name);
  }
  return all;
}

Bindings KernelOptions::tunablesOf(const KernelFile& file) const {
  Bindings bindings;
  for (const std::string& define : knobs.defines) {
    const auto [name, value] = cut("-D", define);
    if (file.findTunable(name) != nullptr || file.isPrecision(name)) {
      bindings[name] = boundValue(file, name, value, define);
    }
  }
  static_cast<void>(file.bind(bindings));
  return bindings;
}

void KernelOptions::expectOnlyKnobs(const std::string& id) const {
  const auto refuse = [&](const std::string& option) {
    throw InputError(
        trf("{}: the header of {} defines its launch; set its sizes and tunables with -D NAME=VALUE and --size", option,
            id));
  };
  if (!kernel.empty()) { refuse(trf("--kernel {}", kernel)); }
  if (!launch.empty()) { refuse(trf("--launch {}", launch)); }
  if (!binds.empty()) { refuse(trf("--bind {}", binds.front())); }
  if (sharedBytes) { refuse(trf("--shared {}", *sharedBytes)); }
  program.expectNone(id);
}

OpenedWithOptions openWithOptions(const fs::path& path, const KernelOptions& options,
                                  std::optional<ProgramLaunches> executed) {
  if (!executed && !options.program.noHost) {
    const opening::LaunchOverrides given = options.overridesFor(path, opening::readOpenedText(path));
    executed = launchesOfProgram(path, options.program, given.defines);
  }
  if (!executed) { executed.emplace(); }
  const auto other = executed->texts.find(path.lexically_normal());
  const std::string text = other == executed->texts.end() ? opening::readOpenedText(path) : other->second;
  OpenedWithOptions opened;
  opened.overrides = options.overridesFor(path, text);
  opened.overrides.headerTexts = std::move(executed->texts);
  opened.overrides.executed = std::move(executed->launches);
  opened.data = std::move(executed->data);
  opened.file = opening::openText(path, text, opened.overrides);
  const std::vector<std::string>& unused = opened.file.unusedDefines;
  if (!unused.empty() && !opened.file.kernels.empty()) {
    throw InputError(trf("-D {}: the name does not occur in {}", unused.front(), path.string()));
  }
  const bool shared = std::ranges::any_of(opened.file.kernels, &opening::ProposedKernel::dynamicShared);
  if (options.sharedBytes && !shared && !opened.file.kernels.empty()) {
    throw InputError(trf("--shared {}: no kernel of {} has an array that is \"extern __shared__\"",
                         *options.sharedBytes, path.string()));
  }
  return opened;
}

experiment::Choice ChosenKernel::choice() const {
  experiment::Choice choice{file.id, bindings};
  choice.data = data;
  return choice;
}

inputs::ChosenData chosenData(const std::vector<std::string>& options) {
  inputs::ChosenData data;
  for (const std::string& option : options) {
    try {
      inputs::choose(data, option);
    } catch (const InputError& error) { throw InputError(trf("--data {}", error.what())); }
  }
  return data;
}

Bindings fittingSizes(const KernelFile& file, Bindings bindings, const inputs::ChosenData& data,
                      std::set<std::string> fixed) {
  for (const auto& [name, choice] : data) {
    if (choice.numbers == nullptr) { continue; }
    const auto sizes = experiment::sizesThatFit(file, file.bind(bindings), name, *choice.numbers, fixed);
    for (const auto& [size, value] : sizes.value_or(Bindings{})) {
      bindings[size] = value;
      fixed.insert(size);
    }
  }
  return bindings;
}

bool isFile(const std::string& target) {
  std::error_code error;
  return target.ends_with(".cu") || fs::is_regular_file(target, error);
}

ChosenKernel chosenKernel(const Catalogue& catalogue, const std::string& target, const KernelOptions& options) {
  inputs::ChosenData data = chosenData(options.data);
  ChosenKernel chosen = launchedKernel(catalogue, target, options);
  if (!data.empty()) {
    chosen.bindings = fittingSizes(chosen.file, std::move(chosen.bindings), data, options.knobs.namesSet(chosen.file));
  }
  chosen.data = std::move(data);
  return chosen;
}

Dim3 parseBlock(const std::string& text, const Dim3& grid) {
  Dim3 block{0, 0, 0};
  std::uint32_t* const axes[] = {&block.x, &block.y, &block.z};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [next, error] = std::from_chars(at, end, *axes[axis]);
    const bool last = axis == 2;
    if (error != std::errc() || (last ? next != end : (next == end || *next != ','))) {
      throw InputError(trf("--block {}: write X,Y,Z, three integers", text));
    }
    at = next + (last ? 0 : 1);
  }
  if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z) {
    throw InputError(trf("--block {}: the grid has {}×{}×{} blocks", text, grid.x, grid.y, grid.z));
  }
  return block;
}

std::string unknownTarget(const Catalogue& catalogue, const std::string& target) {
  const std::string text = trf("{}: neither a file, nor a folder, nor a variant that \"haloscope list\" names", target);
  if (const KernelFile* meant = catalogue.closest(target)) { return trf("{}; did you mean {}?", text, meant->id); }
  return text;
}

}  // namespace haloscope
