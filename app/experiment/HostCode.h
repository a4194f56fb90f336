#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiment/HostStructs.h"
#include "experiment/HostTokens.h"

/// What the host's half of a CUDA program says about its launches: read from the text, never executed.
namespace haloscope::experiment {

/// The tokens, macros, variables and allocations of a text, in so far as they are simple enough to be evaluated.
class HostCode {
 public:
  using Tokens = HostTokens;
  using Given = std::map<std::string, std::int64_t>;

  /// `kernel<<<grid, block, shared>>>(arguments)`.
  struct LaunchCall {
    std::string kernel;    ///< without template arguments
    std::string instance;  ///< with them: "sweep<8>"
    std::vector<Tokens> configuration, arguments;
  };

  explicit HostCode(const std::string& text);

  [[nodiscard]] const std::vector<LaunchCall>& launches() const { return launches_; }
  [[nodiscard]] bool mentions(const std::string& identifier) const { return identifiers_.contains(identifier); }
  /// Macros and constants whose value is a small whole number, by name.
  [[nodiscard]] std::map<std::string, std::int64_t> constants() const;
  [[nodiscard]] bool isMacro(const std::string& name) const { return macros_.contains(name); }

  /// The value of an expression of integers, floating-point numbers, macros, variables and ceiling divisions, in C's
  /// own arithmetic; `given` counts more than what the text says. Nothing where it cannot be known.
  [[nodiscard]] std::optional<double> number(const Tokens& expression, const Given& given = {}) const;
  [[nodiscard]] std::optional<std::int64_t> integer(const Tokens& expression, const Given& given = {}) const;
  /// x, y, z of a dim3 variable, `dim3(x, y)`, `{x, y}` or a number.
  [[nodiscard]] std::optional<std::array<std::int64_t, 3>> dimensions(const Tokens& expression,
                                                                      const Given& given = {}) const;
  /// A member of a struct that the host passes: `path` is "nx" or "size.x".
  [[nodiscard]] std::optional<double> member(const Tokens& structure, const std::string& path,
                                             const Given& given = {}) const;
  /// Bytes that cudaMalloc or cudaMallocManaged gives the pointer.
  [[nodiscard]] std::optional<std::int64_t> allocatedBytes(const std::string& pointer, const Given& given = {}) const;

 private:
  friend class HostExpression;
  struct Macro {
    bool function = false;
    std::vector<std::string> parameters;
    Tokens body;
  };

  void tokenize(const std::string& text);
  void define(const std::string& line);
  void readDeclarations();
  /// Gives the place of the token that ends it.
  std::size_t readLaunch(std::size_t at);

  Tokens tokens_;
  std::set<std::string> identifiers_;
  std::map<std::string, Macro> macros_;                   ///< and functions that only return an expression
  std::map<std::string, std::vector<Tokens>> variables_;  ///< initialisers, in the order of the text
  std::map<std::string, std::vector<Tokens>> dims_;       ///< arguments of dim3 variables
  std::map<std::string, Tokens> allocations_;
  HostStructs structs_;
  std::vector<LaunchCall> launches_;
};

}  // namespace haloscope::experiment
