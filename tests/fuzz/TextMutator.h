#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// Changes to kernel files that keep most of them readable: what a user's typing, moving and pasting does, where
/// changed bytes would only ever test the parser's first complaint.
namespace haloscope::fuzz {

/// The words of a libFuzzer dictionary: its lines `"word"`, with \\, \" and \xAB escaped. Throws std::runtime_error if
/// the file cannot be read.
std::vector<std::string> readDictionary(const std::filesystem::path& path);

/// Identifiers, numbers, comment marks, operators and single characters, in order; blanks are not among them.
std::vector<std::string_view> tokensOf(std::string_view text);

class TextMutator {
 public:
  /// `words`: what may be inserted anywhere.
  explicit TextMutator(std::vector<std::string> words);

  /// A few of: a token or a line deleted, doubled, swapped or replaced; a number made extreme; a word inserted; a
  /// bracket lost; a byte overwritten. The same seed gives the same text.
  [[nodiscard]] std::string mutated(std::string text, unsigned seed) const;
  /// Two texts joined: lines of one between lines of the other, or one's header before the other's code.
  [[nodiscard]] std::string joined(std::string_view one, std::string_view other, unsigned seed) const;

 private:
  using Random = std::minstd_rand;
  void changeTokens(std::string& text, Random& random) const;
  static void changeLines(std::string& text, Random& random);

  std::vector<std::string> words_;
};

}  // namespace haloscope::fuzz
