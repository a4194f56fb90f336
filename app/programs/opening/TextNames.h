#pragma once

#include <set>
#include <string>
#include <vector>

namespace haloscope::opening {

/// The names in a text, by its tokens alone.
class TextNames {
 public:
  explicit TextNames(const std::string& text);

  /// Whether an identifier occurs anywhere but in comments and strings.
  [[nodiscard]] bool mentions(const std::string& identifier) const { return identifiers_.contains(identifier); }
  [[nodiscard]] bool isMacro(const std::string& name) const { return macros_.contains(name); }
  /// Whether a variable of this name is assigned a value somewhere: `name = …`.
  [[nodiscard]] bool assigns(const std::string& name) const { return assigned_.contains(name); }
  /// Whether it launches a kernel.
  [[nodiscard]] bool launches() const { return launches_ || mentions("cudaLaunchKernel"); }
  /// The instances of templates that it launches with numbers, types, macros and variables: "sweep<8>". Not those whose
  /// arguments are parameters of another template.
  [[nodiscard]] const std::vector<std::string>& instances() const { return instances_; }

 private:
  std::set<std::string> identifiers_;
  std::set<std::string> macros_;
  std::set<std::string> assigned_;
  std::vector<std::string> instances_;
  bool launches_ = false;
};

}  // namespace haloscope::opening
