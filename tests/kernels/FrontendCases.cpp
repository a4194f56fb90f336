#include "FrontendCases.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace haloscope::test {

namespace {

frontend::CompileOptions optionsOf(const std::string& text) {
  frontend::CompileOptions options;
  std::smatch line;
  if (!std::regex_search(text, line, std::regex("// options: (.*)"))) return options;
  std::istringstream words(line[1].str());
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (word.starts_with("-D")) {
      options.defines[word.substr(2, equals - 2)] = equals == std::string::npos ? "1" : word.substr(equals + 1);
    } else if (word.starts_with("-kernel=")) {
      options.kernel = word.substr(equals + 1);
    } else {
      throw std::runtime_error("unknown option " + word);
    }
  }
  return options;
}

std::string trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin == std::string::npos ? "" : line.substr(begin, line.find_last_not_of(' ') - begin + 1);
}

}  // namespace

std::vector<FrontendCase> casesIn(const std::string& folder) {
  std::vector<FrontendCase> cases;
  const std::filesystem::path where = std::filesystem::path(HALOSCOPE_TEST_DIR) / folder;
  for (const auto& entry : std::filesystem::directory_iterator(where)) {
    if (entry.path().extension() != ".cu") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    FrontendCase one{.path = entry.path(),
                     .name = entry.path().stem().string(),
                     .text = std::string(std::istreambuf_iterator<char>(stream), {}),
                     .options = {}};
    one.options = optionsOf(one.text);
    cases.push_back(std::move(one));
  }
  std::ranges::sort(cases, {}, &FrontendCase::name);
  return cases;
}

std::vector<std::string> bareListing(const Program& program) {
  std::vector<std::string> lines;
  std::istringstream listing(print(program));
  for (std::string line; std::getline(listing, line);) {
    line = line.substr(0, line.find("  ;"));
    lines.push_back(trimmed(std::regex_replace(line, std::regex("^ *[0-9]+  "), "")));
  }
  return lines;
}

}  // namespace haloscope::test
