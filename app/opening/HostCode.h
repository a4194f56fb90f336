#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/SourceTokens.h"
#include "opening/HostFunctions.h"
#include "opening/HostStructs.h"
#include "opening/HostTokens.h"

/// The launches in the host code of a CUDA program: read from the text, never executed.
namespace haloscope::opening {

/// The tokens, macros, variables and allocations of a text, as far as they are simple enough to be evaluated.
class HostCode {
 public:
  using Tokens = HostTokens;
  using Given = std::map<std::string, std::int64_t>;

  /// `kernel<<<grid, block, shared>>>(arguments)`, or `cudaLaunchKernel(kernel, grid, block, arguments, shared)`.
  struct LaunchCall {
    std::string kernel;    ///< without template arguments
    std::string instance;  ///< with them: "sweep<8>"
    std::vector<Tokens> configuration, arguments;
    std::size_t function = HostFunctions::kNowhere;  ///< the function that contains it
    std::size_t call = 0;                            ///< which call of that function it is for
  };

  explicit HostCode(const std::string& text);

  [[nodiscard]] const std::vector<LaunchCall>& launches() const { return launches_; }
  [[nodiscard]] bool mentions(const std::string& identifier) const { return identifiers_.contains(identifier); }
  /// Macros and constants whose value is an integer, by name.
  [[nodiscard]] std::map<std::string, std::int64_t> constants() const;
  /// `given`, and the arguments of the function that contains a launch.
  [[nodiscard]] Given withArguments(const LaunchCall& launch, const Given& given) const;
  /// For a parameter of the function that contains a launch: the caller's name of the argument; else `name` itself.
  [[nodiscard]] std::string calledWith(const LaunchCall& launch, const std::string& name) const;
  /// An array argument of a launch: its name in the program, and the offset of the pointer in elements.
  struct PassedArray {
    std::string name;  ///< "d_in", "buffers[0]"
    Tokens offset;     ///< empty: none
  };
  /// Nullopt if the expression is more than a pointer, an offset and a cast.
  [[nodiscard]] std::optional<PassedArray> passedArray(const LaunchCall& launch, const Tokens& expression) const;
  [[nodiscard]] bool isMacro(const std::string& name) const { return macros_.contains(name); }

  /// The value of an expression of integers, floating-point numbers, macros, variables and ceiling divisions, in C's
  /// own arithmetic; `given` overrides the text. Nullopt if it cannot be determined.
  [[nodiscard]] std::optional<double> number(const Tokens& expression, const Given& given = {}) const;
  [[nodiscard]] std::optional<std::int64_t> integer(const Tokens& expression, const Given& given = {}) const;
  /// x, y, z of a dim3 variable, `dim3(x, y)`, `{x, y}` or a number.
  [[nodiscard]] std::optional<std::array<std::int64_t, 3>> dimensions(const Tokens& expression,
                                                                      const Given& given = {}) const;
  /// A member of a struct that the host passes: `path` is "nx" or "size.x".
  [[nodiscard]] std::optional<double> member(const Tokens& structure, const std::string& path,
                                             const Given& given = {}) const;
  /// Bytes that cudaMalloc or cudaMallocManaged allocates for a pointer, or for one of an array of pointers.
  [[nodiscard]] std::optional<std::int64_t> allocatedBytes(const std::string& pointer, const Given& given = {}) const;

 private:
  friend class HostExpression;
  struct Macro {
    bool function = false;
    std::vector<std::string> parameters;
    Tokens body;
  };

  void tokenize(const std::string& text);
  /// Keeps the macro that a directive defines.
  void define(const std::vector<frontend::SourceToken>& directive);
  void readDeclarations();
  /// Expands macros that launch kernels.
  void expandLaunches();
  /// Sets the arguments of a dim3 variable, which may have some already.
  void assign(const std::string& variable, std::vector<Tokens> arguments);
  /// A grid or block with the values assigned last before this point of the text: several functions may have a variable
  /// of the same name, and a variable may be assigned again between two launches.
  [[nodiscard]] Tokens withLatestArguments(const Tokens& part) const;
  /// Returns the index of the token that ends it.
  std::size_t readLaunch(std::size_t at);
  std::size_t readLaunchFunction(std::size_t at);
  /// Adds one launch for each instance of the function template that contains it.
  void add(LaunchCall launch, std::size_t at);
  void readParameters();
  /// Whether a `[` begins the extent of an array that is initialised: `args[] = {…}`.
  [[nodiscard]] bool isExtentOfArray(std::size_t at) const;

  Tokens tokens_;
  std::set<std::string> identifiers_;
  std::map<std::string, Macro> macros_;                    ///< and functions that only return an expression
  std::map<std::string, std::vector<Tokens>> variables_;   ///< initialisers, in the order of the text
  std::map<std::string, std::vector<Tokens>> dims_;        ///< arguments of dim3 variables
  std::map<std::string, std::vector<Tokens>> reassigned_;  ///< the latest arguments of those assigned several times
  std::map<std::string, std::vector<Tokens>> declared_;    ///< those of variables_ that follow a type
  std::map<std::string, Tokens> allocations_;
  std::map<std::string, Tokens> aliases_;  ///< types: `using real = float;`
  HostStructs structs_;
  HostFunctions functions_;
  std::vector<LaunchCall> launches_;
};

}  // namespace haloscope::opening
