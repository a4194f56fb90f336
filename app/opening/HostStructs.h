#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "opening/HostTokens.h"

namespace haloscope::opening {

/// The values that host code assigns to structs: `Grid g = {64, 48}; g.nz = 20;`, `make_int3(64, 48, 20)`.
class HostStructs {
 public:
  using Tokens = HostTokens;

  HostStructs() = default;
  explicit HostStructs(const Tokens& tokens);

  /// The expressions that the text assigns to a member of a struct, given as a variable or as an expression that makes
  /// one. `path` is "nx" or "size.x". Empty if there are none.
  [[nodiscard]] std::vector<Tokens> member(const Tokens& structure, const std::string& path) const;

  /// The first expression assigned to "grid.x", if any.
  [[nodiscard]] std::optional<Tokens> assigned(const std::string& path) const;

 private:
  struct Field {
    std::string type, name;
  };

  void readDefinition(const Tokens& tokens, std::size_t at);
  void readVariable(const Tokens& tokens, std::size_t at);
  [[nodiscard]] std::optional<Tokens> element(const Tokens& structure, const std::string& type,
                                              const std::string& path) const;

  std::map<std::string, std::vector<Field>> types_;                  ///< by name, in the order of the text
  std::map<std::string, std::pair<std::string, Tokens>> variables_;  ///< type and initialiser
  std::map<std::string, std::vector<Tokens>> assigned_;              ///< by "g.nx"
};

}  // namespace haloscope::opening
