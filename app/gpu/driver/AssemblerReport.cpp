#include "driver/AssemblerReport.h"

#include <regex>
#include <sstream>

namespace haloscope::gpu {

namespace {

int number(const std::string& line, const std::regex& pattern) {
  std::smatch match;
  return std::regex_search(line, match, pattern) ? std::stoi(match[1]) : 0;
}

}  // namespace

std::map<std::string, CodeResources> takeAssemblerReport(std::string& log) {
  static const std::regex function("Function properties for (\\S+)|Compiling entry function '([^']+)'");
  static const std::regex registers("Used (\\d{1,6}) registers");
  static const std::regex shared("(\\d{1,8}) bytes smem");
  static const std::regex stack("(\\d{1,8}) bytes stack frame");
  static const std::regex spills("(\\d{1,8}) bytes spill stores");
  std::map<std::string, CodeResources> report;
  std::string name;
  std::string others;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    // "ptxas info    : …", and its continuation "ptxas         .     …".
    const bool continued = line.starts_with("ptxas  ");
    if (!line.starts_with("ptxas info") && !continued) {
      others += line + "\n";
      continue;
    }
    std::smatch match;
    if (std::regex_search(line, match, function)) { name = match[1].matched ? match[1] : match[2]; }
    if (line.find("stack frame") != std::string::npos) {
      report[name].stackBytes = number(line, stack);
      report[name].spillBytes = number(line, spills);
    }
    if (line.find(" registers") != std::string::npos && line.find("Used ") != std::string::npos) {
      report[name].registers = number(line, registers);
      report[name].sharedBytes = number(line, shared);
    }
  }
  while (others.ends_with("\n\n") || others == "\n") { others.pop_back(); }
  log = others;
  return report;
}

}  // namespace haloscope::gpu
