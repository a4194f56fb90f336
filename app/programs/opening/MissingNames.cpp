#include "opening/MissingNames.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "language/Text.h"
#include "program/Misspelling.h"

namespace haloscope::opening {

namespace {

bool isMacroName(const std::string& name) {
  return std::ranges::none_of(name, [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; });
}

bool contains(const std::string& name, std::initializer_list<const char*> parts) {
  std::string upper = name;
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return std::ranges::any_of(parts, [&](const char* part) { return upper.find(part) != std::string::npos; });
}

/// c0, c12: the book's coefficients.
bool isCoefficient(const std::string& name) {
  return name.size() > 1 && name.size() < 4 && name[0] == 'c' &&
         std::all_of(name.begin() + 1, name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool isRadiusName(const std::string& name) {
  return name == "R" || name == "r" || contains(name, {"RADIUS", "HALO", "ORDER"});
}

bool isFilterWidthName(const std::string& name) {
  return contains(name, {"MASK", "FILTER", "KERNEL"}) && contains(name, {"WIDTH", "SIZE", "DIM", "LEN"});
}

}  // namespace

MissingNames::MissingNames(const TextNames& names, const std::string& text) : names_(names), text_(text) {}

const std::vector<frontend::SourceToken>& MissingNames::tokens() {
  if (!tokens_) { tokens_.emplace(text_); }
  return tokens_->all();
}

int MissingNames::subscripts(const std::string& name) {
  const std::vector<frontend::SourceToken>& all = tokens();
  for (std::size_t at = 0; at + 1 < all.size(); ++at) {
    if (all[at].spelling != name) { continue; }
    if (all[at + 1].spelling == "(") { return kCalled; }
    int count = 0;
    for (std::size_t next = at + 1; next < all.size() && all[next].spelling == "["; ++count) {
      int depth = 0;
      do {
        depth += all[next].spelling == "[" ? 1 : (all[next].spelling == "]" ? -1 : 0);
        ++next;
      } while (next < all.size() && depth > 0);
    }
    if (count > 0) { return count; }
  }
  return 0;
}

bool MissingNames::usesThreadIndex(std::string_view axis) {
  const std::vector<frontend::SourceToken>& all = tokens();
  for (std::size_t at = 0; at + 2 < all.size(); ++at) {
    const bool index = all[at].spelling == "threadIdx" && all[at + 1].spelling == ".";
    if (index && all[at + 2].spelling == axis) { return true; }
  }
  return false;
}

bool MissingNames::supply(const frontend::TextSummary& summary) {
  constants_ = summary.constants;
  bool any = false;
  for (const frontend::Diagnostic& one : summary.diagnostics) {
    if (one.kind != frontend::Diagnostic::Kind::UndeclaredIdentifier) { continue; }
    if (isMisspelling(one.name, one.suggestion)) { continue; }  // an error to report, not a value to supply
    const bool misspelt = !one.suggestion.empty();
    if (known_.size() < 64 && !known_.contains(one.name) && supplyName(one.name, misspelt)) {
      known_.insert(one.name);
      any = true;
    }
  }
  return any;
}

bool MissingNames::isKernelOnly() const {
  return !names_.launches() && !names_.mentions("main") && !names_.mentions("include");
}

bool MissingNames::supplyName(const std::string& name, bool misspelt) {
  const int rank = subscripts(name);
  if (rank == kCalled) { return false; }
  if (rank > 0) {
    constexpr auto kFilters = std::to_array<std::string_view>({"F", "f", "M", "c", "C", "w", "W"});
    const bool filter =
        contains(name, {"FILTER", "MASK", "COEF", "WEIGHT"}) || std::ranges::find(kFilters, name) != kFilters.end();
    if (!filter || misspelt || rank > 3 || (!isKernelOnly() && !isMacroName(name))) { return false; }
    supplyArray(name);
    return true;
  }
  if (isCoefficient(name)) {
    supplyCoefficient(name);
    return true;
  }
  constexpr auto kSizes = std::to_array<std::string_view>(
      {"n", "nx", "ny", "nz", "width", "height", "depth", "r", "Width", "Height", "radius"});
  const bool size = std::ranges::find(kSizes, name) != kSizes.end();
  const bool tile = contains(name, {"TILE", "DIM", "RADIUS", "WIDTH", "SIZE", "BLOCK", "FILTER", "MASK"});
  // A program that compiles declares its names; only macros may come from the compiler's -D options.
  const bool strict = misspelt || !isKernelOnly();
  if (strict ? !(isMacroName(name) && tile) : !(isMacroName(name) || size)) { return false; }
  supplyMacro(name);
  return true;
}

std::string MissingNames::radius() const {
  for (const Tunable& tunable : tunables_) {
    if (isRadiusName(tunable.name)) { return tunable.name; }
  }
  for (const auto& [name, value] : constants_) {
    if (isRadiusName(name) && value >= 0 && value <= 32) { return std::to_string(value); }
  }
  return "1";
}

void MissingNames::supplyMacro(const std::string& name) {
  const bool three = usesThreadIndex("z");
  const bool two = usesThreadIndex("y");
  // The output tile follows from the input tile: one tunable for both. A radius that is missing as well comes first.
  const bool fromInput = name == "OUT_TILE_DIM" && names_.mentions("IN_TILE_DIM");
  const bool fromOutput = name == "IN_TILE_DIM" && names_.isMacro("OUT_TILE_DIM");
  if (fromInput || fromOutput) {
    for (const char* other : {"FILTER_RADIUS", "RADIUS"}) {
      if (names_.mentions(other) && !names_.isMacro(other) && known_.insert(other).second) { supplyMacro(other); }
    }
    const std::string value =
        fromInput ? fmt::format("(IN_TILE_DIM - 2 * {})", radius()) : fmt::format("(OUT_TILE_DIM + 2 * {})", radius());
    macros_ += fmt::format("#define {} {}\n", name, value);
    missing_.push_back({name, "int", value});
    return;
  }
  Tunable tunable{
      .name = name, .defaultValue = 0, .minimum = 1, .maximum = 1024, .meaning = tr("not declared in the text")};
  if (isRadiusName(name)) {
    tunable.defaultValue = 1;
    tunable.maximum = 8;
  } else if (isFilterWidthName(name)) {
    tunable.defaultValue = 3;
    tunable.maximum = 17;
  } else if (contains(name, {"TILE", "BLOCK", "DIM"})) {
    tunable.defaultValue = three ? 8 : (two ? 16 : 128);
    tunable.maximum = three ? 10 : (two ? 32 : 1024);
  } else {
    tunable.defaultValue = three ? 20 : (two ? 64 : 1000);
    tunable.maximum = three ? 256 : 4096;
  }
  missing_.push_back({name, "int", std::to_string(tunable.defaultValue)});
  tunables_.push_back(std::move(tunable));
}

void MissingNames::supplyArray(const std::string& name) {
  const int rank = subscripts(name);
  const bool star = (name == "c" || contains(name, {"COEF"})) && usesThreadIndex("z");
  for (const char* other : {"FILTER_RADIUS", "RADIUS"}) {
    if (names_.mentions(other) && !names_.isMacro(other) && known_.insert(other).second) { supplyMacro(other); }
  }
  const std::string extent = fmt::format("[2 * {} + 1]", radius());
  std::string extents;
  if (star && rank == 1) {
    extents = "[7]";
  } else if (rank == 1 && usesThreadIndex("y")) {
    extents = fmt::format("[(2 * {0} + 1) * (2 * {0} + 1)]", radius());
  } else {
    for (int axis = 0; axis < rank; ++axis) { extents += extent; }
  }
  arrays_ += "__constant__ float " + name + extents + ";\n";
  missing_.push_back({name, "float" + extents, tr("positive weights with the sum 1")});
}

void MissingNames::supplyCoefficient(const std::string& name) {
  const int index = std::stoi(name.substr(1));
  bool all = true;
  for (int i = 0; i < 7; ++i) { all = all && names_.mentions(fmt::format("c{}", i)); }
  if (all && index < 7 && !names_.mentions("c7")) {
    // One array for all, so that the reference finds the weights in their order.
    if (star_.empty()) {
      star_ = names_.mentions("c") ? "coefficients_of_star" : "c";
      arrays_ += "__constant__ float " + star_ + "[7];\n";
    }
    macros_ += fmt::format("#define {} {}[{}]\n", name, star_, index);
    missing_.push_back({name, "float", fmt::format("{}[{}]", star_, index)});
    return;
  }
  const std::string value = fmt::format("{:.3f}f", 0.1 + 0.05 * index);
  macros_ += fmt::format("#define {} {}\n", name, value);
  missing_.push_back({name, "float", value});
}

void MissingNames::addTo(ProposedKernel& kernel) const {
  kernel.file.tunables.insert(kernel.file.tunables.end(), tunables_.begin(), tunables_.end());
  kernel.file.prologue += macros_ + arrays_;
  kernel.missing = missing_;
  for (const MissingValue& value : missing_) {
    kernel.assumptions.push_back(
        trf("{} is not declared in the text: taken as {} = {}.", value.name, value.type, value.value));
  }
}

}  // namespace haloscope::opening
