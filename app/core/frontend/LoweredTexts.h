#pragma once

#include <list>
#include <mutex>
#include <optional>
#include <string>

#include "frontend/Frontend.h"
#include "language/Language.h"

namespace haloscope::frontend {

/// The texts that were lowered last. A kernel is lowered again for each of its checks, counts and comparisons, at other
/// sizes that are no macros, and that takes longer than executing it at small sizes. Safe from several threads.
class LoweredTexts {
 public:
  /// What this text was lowered to with these options, if it is still known.
  [[nodiscard]] std::optional<CompileResult> find(const std::string& text, const CompileOptions& options);
  void keep(const std::string& text, const CompileOptions& options, const CompileResult& result);

 private:
  struct Lowered {
    std::string text;
    CompileOptions options;
    Language language;  ///< of the warnings
    CompileResult result;
  };

  std::mutex lock_;
  std::list<Lowered> last_;  ///< the last used one first
};

}  // namespace haloscope::frontend
