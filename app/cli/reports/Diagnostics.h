#pragma once

#include <map>
#include <string>
#include <vector>

#include "faults/Finding.h"
#include "text/Print.h"
#include "verdict/Remark.h"

namespace haloscope {

/// Something that is said of a place in a text, as compilers print it: place, kind and sentence, the line with a mark
/// under what is meant, then what would mend it and further details.
struct Diagnostic {
  verdict::Place place{};
  verdict::Weight weight = verdict::Weight::Fault;
  std::string kind{};                   ///< "race-shared"; empty: "error" or "note", as its weight says
  std::string title{};                  ///< of the kind, in the interface's language; may be empty
  std::string message{};                ///< what is wrong
  std::string remedy{};                 ///< what would mend it; may be empty
  std::vector<faults::TextEdit> fix{};  ///< of the file's text; see Finding::fix
  std::vector<std::string> details{};
};
[[nodiscard]] Diagnostic diagnosticOf(const verdict::Remark& remark);

/// Prints diagnostics to standard output, in colour on a terminal. Each file is read once.
class DiagnosticPrinter {
 public:
  /// A text that is not what its file holds, as one with other sizes.
  void use(const std::string& path, const std::string& text);
  void print(const Diagnostic& diagnostic);

 private:
  [[nodiscard]] const std::vector<std::string>& linesOf(const std::string& path);
  void printExcerpt(const verdict::Place& place, Ink ink);
  void printFix(const std::string& path, const std::vector<faults::TextEdit>& fix);

  std::map<std::string, std::vector<std::string>> lines_;
};

/// A path as it is printed: relative to the current folder where it is in it.
[[nodiscard]] std::string shownPath(const std::string& path);

}  // namespace haloscope
