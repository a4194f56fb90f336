#include "ManualPages.h"

#include <algorithm>
#include <fstream>
#include <regex>

namespace haloscope::test {

namespace fs = std::filesystem;

namespace {

/// Calls `take` with each line, its number and the language of the block that it stands in: none outside of blocks. The
/// lines of the fences are not among them, but as an empty line with the language that begins.
template <typename Take>
void forEachLine(const fs::path& page, const Take& take) {
  std::ifstream file(page);
  std::optional<std::string> block;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (!line.starts_with("```")) {
      take(line, number, block);
    } else if (block) {
      block.reset();
    } else {
      block = line.substr(3);
      take(std::string(), number, block);
    }
  }
}

template <typename Take>
void forEachMatch(const std::string& line, const std::regex& pattern, const Take& take) {
  for (std::sregex_iterator it(line.begin(), line.end(), pattern), end; it != end; ++it) { take((*it)[1].str()); }
}

}  // namespace

std::vector<PageCommand> commandsOf(const fs::path& page) {
  static const std::regex kMark("<!-- run: (.*) -->");
  std::vector<PageCommand> commands;
  std::string mark;
  std::size_t blockBegins = 0;  // among the commands
  bool answered = false;
  forEachLine(page, [&](const std::string& line, int number, const std::optional<std::string>& block) {
    if (!block) {
      std::smatch given;
      if (std::regex_match(line, given, kMark)) {
        mark = given[1];
      } else if (!line.empty()) {
        mark.clear();
        blockBegins = commands.size();
      }
      answered = false;
      return;
    }
    if (*block == "sh") {
      if (line.empty()) { blockBegins = commands.size(); }
      if (line.empty()) { return; }
      const std::size_t remark = line.find("  # ");
      std::string text = line.substr(0, remark);
      while (!text.empty() && text.back() == ' ') { text.pop_back(); }
      commands.push_back({std::move(text), mark, number});
    } else if (block->empty() && commands.size() == blockBegins + 1) {
      if (line.empty() && !answered) {
        answered = true;
        commands.back().prints = std::string();
      } else {
        *commands.back().prints += line + '\n';
      }
    }
  });
  return commands;
}

std::vector<std::string> codeWordsOf(const fs::path& page) {
  static const std::regex kCode("`([^`]+)`");
  std::vector<std::string> words;
  forEachLine(page, [&](const std::string& line, int, const std::optional<std::string>& block) {
    if (!block) {
      forEachMatch(line, kCode, [&](const std::string& word) { words.push_back(word); });
    }
  });
  return words;
}

std::vector<std::string> pathsOf(const fs::path& page) {
  static const std::regex kTarget("\\]\\(([^)#]+)\\)");
  std::vector<std::string> paths;
  forEachLine(page, [&](const std::string& line, int, const std::optional<std::string>& block) {
    if (block) { return; }
    forEachMatch(line, kTarget, [&](const std::string& path) {
      if (path.find("://") == std::string::npos) { paths.push_back(path); }
    });
  });
  return paths;
}

std::vector<fs::path> manualPages(const std::string& language) {
  std::vector<fs::path> pages;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(HALOSCOPE_SOURCE_DIR) / "assets/manual" / language)) {
    pages.push_back(entry.path());
  }
  std::ranges::sort(pages);
  return pages;
}

}  // namespace haloscope::test
