#include "catalogue/LimitSuite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "catalogue/Precision.h"
#include "catalogue/YamlReader.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSuiteEnding = ".yaml";

LimitClass readClass(const YamlReader& reader, const YAML::Node& node) {
  const std::string what = tr("a class");
  reader.expectKeys(node, what, {"name", "climb", "problem", "precision", "steps", "measure", "reach", "aim", "peer"});
  LimitClass one{.name = reader.text(reader.need(node, what, "name"), "name"),
                 .climb = reader.text(reader.need(node, what, "climb"), "climb")};
  const YAML::Node problem = reader.need(node, what, "problem");
  if (!problem.IsMap()) { reader.fail(problem, tr("\"problem\" must be a list of \"NAME: value\"")); }
  for (const auto& entry : problem) {
    one.problem[reader.text(entry.first, "problem")] = reader.integer(entry.second, "problem");
  }
  const YAML::Node precision = reader.need(node, what, "precision");
  try {
    one.precision = realTypeNamed(reader.text(precision, "precision"));
  } catch (const InputError& error) { reader.fail(precision, error.what()); }
  if (const YAML::Node steps = node["steps"]) { one.steps = reader.integer(steps, "steps"); }
  if (one.steps < 1) { reader.fail(node["steps"], tr("a launch computes at least one step")); }
  const YAML::Node measure = reader.need(node, what, "measure");
  const std::string named = reader.text(measure, "measure");
  if (named != "copy" && named != "multiply-adds") {
    reader.fail(measure, trf("unknown measure \"{}\"; known measures: copy, multiply-adds", named));
  }
  one.measure = named == "copy" ? LimitClass::Measure::Copy : LimitClass::Measure::MultiplyAdds;
  one.reach = reader.number(reader.need(node, what, "reach"), "reach");
  one.aim = reader.number(reader.need(node, what, "aim"), "aim");
  if (!(one.reach > 0 && one.reach <= one.aim)) {
    reader.fail(node["reach"], trf("reach {} and aim {} are not in ascending order", one.reach, one.aim));
  }
  if (const YAML::Node peer = node["peer"]) { one.peer = reader.text(peer, "peer"); }
  return one;
}

}  // namespace

LimitSuite LimitSuite::read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) { throw SourceError(file.string(), {}, tr("cannot be opened for reading")); }
  std::ostringstream text;
  text << in.rdbuf();
  const YamlReader reader(file.string(), text.str());
  reader.expectKeys(reader.root(), tr("a suite"), {"classes"});
  const YAML::Node classes = reader.need(reader.root(), tr("a suite"), "classes");
  if (!classes.IsSequence() || classes.size() == 0) {
    reader.fail(classes, tr("\"classes\" must be a list of classes"));
  }
  LimitSuite suite{.name = file.stem().string(), .classes = {}};
  std::set<std::string> names;
  for (const auto& node : classes) {
    suite.classes.push_back(readClass(reader, node));
    const std::string& name = suite.classes.back().name;
    if (!names.insert(name).second) { reader.fail(node["name"], trf("there are two classes \"{}\"", name)); }
  }
  return suite;
}

LimitSuite LimitSuite::named(const std::string& name, const fs::path& folder) {
  if (name.ends_with(kSuiteEnding)) { return read(name); }
  const fs::path file = folder / (name + kSuiteEnding);
  if (fs::exists(file)) { return read(file); }
  std::vector<std::string> known;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == kSuiteEnding) { known.push_back(entry.path().stem().string()); }
  }
  std::ranges::sort(known);
  throw InputError(
      trf("there is no suite \"{}\"; known suites: {}; a path ends in {}", name, fmt::join(known, ", "), kSuiteEnding));
}

}  // namespace haloscope
