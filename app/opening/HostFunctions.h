#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "opening/HostTokens.h"

namespace haloscope::opening {

/// The functions that a host program defines, including named lambdas and constructors, and their calls.
class HostFunctions {
 public:
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  struct Call {
    std::size_t caller = kNowhere;  ///< the function that contains it
    std::vector<HostTokens> arguments, templateArguments;
  };
  struct Function {
    std::string name;
    std::vector<std::string> parameters, templateParameters;
    std::vector<HostTokens> defaults;      ///< of each parameter; empty: none
    std::size_t begin = 0, end = 0;        ///< the tokens of its body
    std::vector<HostTokens> initializers;  ///< of a constructor: member, "(", value, ")"
    std::vector<Call> calls;               ///< in the order of the text
  };

  HostFunctions() = default;
  explicit HostFunctions(const HostTokens& tokens);

  [[nodiscard]] const std::vector<Function>& all() const { return functions_; }
  /// The innermost function that contains a token, or kNowhere.
  [[nodiscard]] std::size_t enclosing(std::size_t token) const;
  /// The argument of a call for a parameter; null if there is no such parameter, or the call omits it.
  [[nodiscard]] static const HostTokens* argument(const Function& function, const Call& call, const std::string& name);

 private:
  void readDefinition(const HostTokens& tokens, std::size_t name, std::size_t bracket);
  void readCalls(const HostTokens& tokens);

  std::vector<Function> functions_;
  std::vector<std::size_t> definitions_;  ///< the token of each name
};

/// `pattern` with each of `words` replaced by its value.
[[nodiscard]] HostTokens substituted(const HostTokens& pattern, const std::vector<std::string>& words,
                                     const std::vector<HostTokens>& values);

}  // namespace haloscope::opening
