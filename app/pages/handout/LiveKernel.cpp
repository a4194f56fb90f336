#include "handout/LiveKernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "catalogue/StoredKernelFile.h"
#include "experiment/ChosenArrays.h"
#include "handout/ChapterText.h"
#include "handout/Columns.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "program/StoredProgram.h"
#include "simt/WarpOrderNames.h"
#include "text/Html.h"
#include "text/JsonText.h"

namespace haloscope::handout {

namespace {

using experiment::Experiment;
using Values = std::vector<std::int64_t>;

/// Programs of a page. A small one takes 200 bytes once they are packed together.
constexpr std::size_t kMostPrograms = 240;

/// What a macro can be: all of few values, else powers of two and what it is now.
Values valuesOf(const Tunable& tunable, std::int64_t now) {
  constexpr std::int64_t kFew = 40;
  std::set<std::int64_t> values{now, tunable.defaultValue, tunable.minimum};
  for (std::int64_t value = tunable.minimum; value <= tunable.maximum;) {
    values.insert(value);
    value = tunable.maximum - tunable.minimum < kFew ? value + 1 : std::max<std::int64_t>(1, value * 2);
    if (value == 0) { break; }
  }
  return {values.begin(), values.end()};
}

/// The bindings for which programs are stored.
std::vector<Bindings> storedBindings(const Experiment& experiment) {
  const KernelFile& file = experiment.file;
  std::vector<std::pair<std::string, Values>> macros;
  for (const Tunable& tunable : file.tunables) {
    macros.emplace_back(tunable.name, valuesOf(tunable, experiment.bindings.at(tunable.name)));
  }
  if (file.precision) {
    Values types;
    for (const ValueType type : file.precision->types) { types.push_back(Precision::valueOf(type)); }
    macros.emplace_back(file.precision->macro, std::move(types));
  }
  std::size_t all = 1;
  for (const auto& [name, values] : macros) { all = std::min(all * values.size(), kMostPrograms + 1); }
  std::vector<Bindings> stored = {experiment.bindings};
  for (const auto& [name, values] : macros) {
    // Of many, one macro differs at a time; the type with each of them, since it is the last.
    const std::vector<Bindings> before =
        all <= kMostPrograms || file.isPrecision(name) ? stored : std::vector<Bindings>{experiment.bindings};
    for (Bindings one : before) {
      for (const std::int64_t value : values) {
        one[name] = value;
        if (std::ranges::find(stored, one) == stored.end()) { stored.push_back(one); }
      }
    }
  }
  if (stored.size() > kMostPrograms) { stored.resize(kMostPrograms); }
  return stored;
}

/// A number to be chosen, by a slider and by typing.
std::string knobHtml(const std::string& name, std::int64_t now, std::int64_t least, std::int64_t most,
                     const std::string& meaning) {
  // A slider over thousands of sizes could not be set to one of them.
  constexpr std::int64_t kLongest = 4;
  const std::int64_t slides = std::min(most, std::max(kLongest * now, least + 1));
  return fmt::format(
      "<label title=\"{5}\"><span>{0}</span> <input type=\"range\" data-knob=\"{0}\" min=\"{2}\" max=\"{4}\" "
      "value=\"{1}\"> <input type=\"number\" data-knob=\"{0}\" min=\"{2}\" max=\"{3}\" value=\"{1}\" "
      "aria-label=\"{0}\"></label>\n",
      escaped(name), now, least, most, slides, escaped(meaning));
}

/// Functions of the kernel, and of the formulas of its inputs, that each C library computes in its own way.
std::set<std::string> inexactFunctions(const Experiment& experiment) {
  using enum MathFunction;
  static const std::set<MathFunction> kExact = {Sqrt, Rsqrt, Abs,   Min,  Max,  Floor,
                                                Ceil, Trunc, Round, Rint, Fmod, Copysign};
  std::set<std::string> names;
  for (const Instruction& instruction : experiment.program->code) {
    const auto function = static_cast<MathFunction>(instruction.aux);
    if (instruction.op == Opcode::Math && !kExact.contains(function)) { names.insert(name(function)); }
  }
  for (const ArrayDeclaration& array : experiment.file.arrays) {
    for (const char* function : {"exp", "ln", "log2", "log10", "sin", "cos", "tan", "tanh"}) {
      const bool called = array.values && array.values->text().find(fmt::format("{}(", function)) != std::string::npos;
      if (called) { names.insert(function); }
    }
  }
  return names;
}

std::string optionHtml(const std::string& value, const std::string& text, bool chosen) {
  return fmt::format("<option value=\"{}\"{}>{}</option>", escaped(value), chosen ? " selected" : "", escaped(text));
}

std::string controlsHtml(const Experiment& experiment, std::size_t programs) {
  const KernelFile& file = experiment.file;
  std::string html =
      "<form class=\"live\" hidden>\n" + element("h3", tr("Try other values")) + "<div class=\"knobs\">\n";
  for (const SizeParameter& size : file.sizes) {
    html += knobHtml(size.name, experiment.bindings.at(size.name), size.minimum, size.maximum, tr(size.meaning));
  }
  for (const Tunable& tunable : file.tunables) {
    html += knobHtml(tunable.name, experiment.bindings.at(tunable.name), tunable.minimum, tunable.maximum,
                     tr(tunable.meaning));
  }
  if (file.precision && file.precision->types.size() > 1) {
    html += fmt::format("<label><span>{0}</span> <select data-knob=\"{0}\">", escaped(file.precision->macro));
    for (const ValueType type : file.precision->types) {
      const std::int64_t value = Precision::valueOf(type);
      html +=
          optionHtml(std::to_string(value), realTypeName(type), value == experiment.bindings.at(file.precision->macro));
    }
    html += "</select></label>\n";
  }
  html += fmt::format("<label><span>{}</span> <select class=\"order\">", escaped(tr("Order of the warps")));
  for (const auto& [name, order] : simt::kWarpOrders) {
    html += optionHtml(name, name, order == experiment.choice.order);
  }
  html += "</select></label>\n";
  const Dim3& grid = experiment.configuration.grid;
  html += fmt::format("<fieldset class=\"block\"><legend>{}</legend>", escaped(tr("Block")));
  for (const auto& [axis, at, count] :
       {std::tuple("x", experiment.block.x, grid.x), std::tuple("y", experiment.block.y, grid.y),
        std::tuple("z", experiment.block.z, grid.z)}) {
    html += fmt::format("<label>{0} <input type=\"number\" min=\"0\" max=\"{2}\" value=\"{1}\"></label>", axis, at,
                        count - 1);
  }
  html += "</fieldset>\n";
  for (const int line : experiment.barriers) {
    html += fmt::format("<label class=\"barrier\"><input type=\"checkbox\" data-line=\"{}\"{}> {}</label>\n", line,
                        experiment.choice.withoutBarriers.contains(line) ? " checked" : "",
                        escaped(trf("without the barrier of line {}", line)));
  }
  html += "</div>\n";
  const std::vector<std::string> arrays = experiment::choosableArrays(file, *experiment.program);
  if (!arrays.empty()) {
    std::string data;
    for (const std::string& text : inputs::texts(experiment.choice.data)) { data += text + "\n"; }
    html += fmt::format(
        "<label class=\"data\"><span>{}</span> <textarea rows=\"2\" spellcheck=\"false\">{}</textarea></label>\n",
        escaped(
            trf("Values of arrays, one entry per line, such as {0}=ramp, {0}=impulse, {0}=checkerboard, {0}=random:7, "
                "{0}=constant:2; or double-click a cell of an input, or drop a CSV file on it",
                arrays.front())),
        escapedLines(data));
  }
  html += "<p class=\"doing\" role=\"status\"></p>\n";
  if (const std::set<std::string> names = inexactFunctions(experiment); !names.empty()) {
    html += element("p",
                    trf("Values that come from {} can differ in the last bit from those of the program: a browser has "
                        "another C library. All others are the same.",
                        fmt::join(names, ", ")),
                    "class=\"small\"");
  }
  return html +
         element(
             "p",
             trn("The emulator of Haloscope runs in this page. It has {} program of the kernel.",
                 "The emulator of Haloscope runs in this page. It has {} programs of the kernel.", programs, programs),
             "class=\"small\"") +
         "</form>\n";
}

std::string bytesOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

LiveKernel storedKernel(const KernelFile& file, const std::vector<Bindings>& all, const std::stop_token& stop) {
  LiveKernel live;
  std::vector<std::string> arrays;
  nlohmann::json programs = nlohmann::json::array();
  std::string bytes;
  std::set<std::map<std::string, std::string>> done;
  for (const Bindings& bindings : all) {
    if (stop.stop_requested()) { throw experiment::Cancelled(); }
    std::map<std::string, std::string> defines = file.defines(bindings);
    if (!done.insert(defines).second) { continue; }
    try {
      static_cast<void>(file.configuration(file.bind(bindings)));
      const Program program = experiment::compile(file, bindings);
      arrays = experiment::choosableArrays(file, program);
      const std::string stored = bytesOf(store(program));
      programs.push_back({{"defines", std::move(defines)}, {"size", stored.size()}});
      bytes += stored;
    } catch (const UserError&) { continue; }  // these values do not go together
  }
  live.programs = programs.size();
  live.bytes = container(
      jsonText(nlohmann::json{{"file", storedFile(file)}, {"programs", std::move(programs)}, {"arrays", arrays}}),
      bytes);
  return live;
}

LiveKernel liveKernel(const Experiment& experiment, const std::vector<Bindings>& also, const std::stop_token& stop) {
  std::vector<Bindings> stored = storedBindings(experiment);
  stored.insert(stored.end(), also.begin(), also.end());
  LiveKernel live = storedKernel(experiment.file, stored, stop);
  live.controls = controlsHtml(experiment, live.programs);
  return live;
}

std::filesystem::path modulePath(const std::filesystem::path& assets, const char* name) {
  for (const std::filesystem::path& path :
       {assets / "module" / name, assets.parent_path().parent_path() / "pages" / name}) {
    if (std::filesystem::exists(path)) { return path; }
  }
  return {};
}

}  // namespace haloscope::handout
