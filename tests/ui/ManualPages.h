#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// The pages of the manual and README.md as their tests read them: the commands that they print.
namespace haloscope::test {

/// A line of a block of shell commands.
struct PageCommand {
  std::string text;  ///< without the remark behind it
  std::string mark;  ///< of the comment <!-- run: MARK --> before its block, which no reader sees; empty: none
  int line = 0;      ///< of the file
  std::optional<std::string> prints{};  ///< the block without a language that follows that of this one command
};

[[nodiscard]] std::vector<PageCommand> commandsOf(const std::filesystem::path& page);

/// What stands between backticks outside of blocks.
[[nodiscard]] std::vector<std::string> codeWordsOf(const std::filesystem::path& page);

/// The paths that a page's links and pictures name, as written; none of the web's.
[[nodiscard]] std::vector<std::string> pathsOf(const std::filesystem::path& page);

/// All pages of a language, in their order.
[[nodiscard]] std::vector<std::filesystem::path> manualPages(const std::string& language);

}  // namespace haloscope::test
