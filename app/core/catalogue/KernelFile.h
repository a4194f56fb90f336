#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalogue/Expression.h"
#include "catalogue/Precision.h"
#include "catalogue/SweptProblem.h"
#include "program/Launch.h"
#include "program/SourceLocation.h"

/// A variant: one `.cu` file, with a header that describes its launch and what it should compute.
namespace haloscope {

/// Values of sizes, tunables and the precision (in bytes) by name, with which expressions are evaluated.
using Bindings = std::map<std::string, std::int64_t>;

/// A problem size, such as N or width. A kernel parameter of the same name receives it.
struct SizeParameter {
  std::string name;
  std::int64_t defaultValue = 0, minimum = 1, maximum = 1;
  std::string meaning;
  bool operator==(const SizeParameter&) const = default;
};

/// A macro of the text (tile size, filter radius) or of the launch (block width) that the user can change.
struct Tunable {
  std::string name;
  std::int64_t defaultValue = 0, minimum = 1, maximum = 1;
  std::string meaning;
  bool operator==(const Tunable&) const = default;
};

/// An array of the launch: a pointer parameter or a `__constant__` array.
struct ArrayDeclaration {
  std::string name;
  std::vector<Expression> shape;  ///< slowest axis first
  /// The value of an element of an input when no random values are requested, from its indices x (fastest axis), y and
  /// z, the sizes and the tunables; none: smooth hills.
  std::optional<Expression> values{};
  /// The parameter, a CUtensorMap, that describes the array, and the box of a tensor copy, slowest axis first; or none.
  std::string tensorMap{};
  std::vector<Expression> box{};
  /// Elements along each axis, slowest first. Throws InputError for a shape that is none.
  [[nodiscard]] std::vector<std::int64_t> extents(const Bindings& bindings) const;
  bool operator==(const ArrayDeclaration&) const = default;
};

/// What the kernel should compute, precise enough for an independent check: a weighted sum over neighbours,
///   output[p] = sum over t of weights[t] * input[p + taps[t]].
struct Computes {
  enum class Border : std::uint8_t {
    Keeps,  ///< points with a tap outside the array are not computed and keep their value
    Zero,   ///< taps outside the array (ghost cells) count as zero
  };
  /// Of a tap from the point, along each axis.
  static constexpr std::int64_t kMaxOffset = 1000;
  std::string output, input;
  std::string weights;  ///< name of their array; empty: see `coefficients` and `factors`
  /// One per tap, over sizes, tunables and the header's `arguments`: `invhx2`. Empty when `weights` names an array.
  std::vector<Expression> coefficients{};
  /// Arrays of one dimension, one for each axis of `window`: a weight is the product of their elements. Empty: not so.
  std::vector<std::string> factors{};
  /// Offsets, slowest axis first, one per weight. Empty when `window` is given.
  std::vector<std::array<int, 3>> taps;
  /// Radius along each axis: the taps are all offsets of that box, last axis fastest.
  std::vector<Expression> window;
  Border border = Border::Keeps;
  /// How often a launch computes this sum, each time from the result before; the border keeps its value in every step.
  Expression steps{};
  /// Points of the grid along each axis, slowest first, where rows of the arrays are padded. Empty: no element is
  /// padding.
  std::vector<Expression> points{};
  bool guessed = false;  ///< not stated by the text: a different result need not be wrong
  /// The order of the taps was found by running the kernel itself: a mistake in that order cannot be found with it.
  bool observed = false;

  /// How a sentence names the weights: by their array or arrays, or "the filter".
  [[nodiscard]] std::string filterName() const;
  /// Arrays of the launch from which the weights are made.
  [[nodiscard]] std::vector<std::string> weightArrays() const;
  bool operator==(const Computes&) const = default;
};

/// What the arrays of a kernel hold as a launch begins that a program made.
struct LaunchData {
  std::string launch;                                    ///< "launch 3 of 20"
  std::map<std::string, std::vector<std::byte>> arrays;  ///< by the kernel's name for them
  /// Arrays that hold nothing in some words of four bytes: which ones.
  std::map<std::string, std::shared_ptr<const std::vector<bool>>> undefined;
};

struct KernelFile {
  /// The chapter of opened files.
  static constexpr const char* kOpenedChapter = "opened";
  static constexpr const char* kMadeChapter = "make";

  std::string id;  ///< "stencil/tiled": folder and file name below the catalogue's root
  std::filesystem::path path;
  std::string text;     ///< the whole file, with the header
  std::string chapter;  ///< the folder: "stencil"
  std::string title, book, idea;
  /// The variant to which this one adds its idea; and on the lowest rung the name of the climb. Empty: see Climb.
  std::string extends, climb;
  SourceRange rungAt;      ///< where the header says either
  std::string task, hint;  ///< for a bug-lab kernel: the symptom, and where to look
  int order = 0;           ///< position in the chapter
  std::string kernel;      ///< name of the __global__ function; empty: the file's first
  std::vector<SizeParameter> sizes;
  std::vector<Tunable> tunables;
  std::optional<Precision> precision;  ///< none: the text fixes its types
  std::vector<ArrayDeclaration> arrays;
  std::map<std::string, Expression> arguments;  ///< scalar parameters that are neither a size nor a tunable
  std::array<Expression, 3> grid, block;        ///< x, y, z
  std::vector<Expression> conditions;           ///< "requires": conditions on the tunables together, e.g. a > 2 * b
  std::optional<Expression> dynamicSharedBytes;
  bool cooperative = true;  ///< see LaunchConfiguration
  Dim3 cluster{0, 0, 0};    ///< likewise
  int leastCapability = 0;  ///< of a GPU that has what the text uses: 90 for 9.0; 0: any
  std::optional<Computes> computes;
  std::optional<Definition> definition;       ///< in place of `computes`
  std::optional<SweptProblem> problem;        ///< none: it is not in the playground
  std::optional<Derivative> firstDerivative;  ///< the weights with which the kernel computes one
  std::optional<Expression> opPerByte;        ///< the book's formula, counting global loads only
  int firstCodeLine = 1;                      ///< first line after the header
  // What an opened file needs besides its text; empty for the kernels of the catalogue.
  std::map<std::string, std::string> macros;  ///< further -D macros, which override the text's own
  std::string prologue;  ///< declarations read before the text, of names that it uses without declaring them
  std::map<std::string, std::string> headers;  ///< by path relative to the file, as in `#include "…"`
  std::filesystem::path includedBy;            ///< for a kernel in a header: the program that was opened
  std::vector<std::string> instances;          ///< `sweep<8>`: template instances that the host code launches
  std::shared_ptr<const LaunchData> data;      ///< in place of made-up values, for arrays of these sizes; null: none
  /// What the program that launches it has in its arrays of integers, by their names: in place of made-up values where
  /// these would reach an index, or lie in constant memory. Null: nothing is known.
  std::shared_ptr<const std::map<std::string, std::vector<std::byte>>> integers;
  /// Arrays whose size is unknown, or where in them a pointer points: an access beyond one is not the kernel's mistake.
  std::set<std::string> assumedArrays;

  /// Whether a text has a header, so that parse() applies.
  [[nodiscard]] static bool hasHeader(const std::string& text);
  /// Reads the header. Throws SourceError naming file:line:column for an unknown or missing key, or a bad value.
  static KernelFile parse(std::string id, std::filesystem::path path, std::string text);

  [[nodiscard]] Bindings defaults() const;
  /// Defaults overridden by `chosen`. Throws InputError for an unknown name (listing the known ones) or a value out of
  /// its range.
  [[nodiscard]] Bindings bind(const Bindings& chosen) const;
  /// The names that the code depends on: tunables and the macro of the precision.
  [[nodiscard]] std::vector<std::string> macroNames() const;
  /// The macroNames() of `bindings`, and `macros`, as -D macros.
  [[nodiscard]] std::map<std::string, std::string> defines(const Bindings& bindings) const;
  /// Throws InputError with the numbers if the launch exceeds a limit of the hardware.
  [[nodiscard]] LaunchConfiguration configuration(const Bindings& bindings) const;
  /// Offsets of all taps, slowest axis first, one per weight.
  [[nodiscard]] std::vector<std::array<int, 3>> taps(const Bindings& bindings) const;
  /// Time steps of one launch; 1 where it is not known what the kernel computes.
  [[nodiscard]] std::int64_t steps(const Bindings& bindings) const;
  /// Points of the grid along each axis, slowest first: the extents of the input of `computes` without its padding.
  /// Empty where it is not known what the kernel computes.
  [[nodiscard]] std::vector<std::int64_t> points(const Bindings& bindings) const;
  /// Values of `computes->coefficients`, one per tap; empty if an array holds the weights.
  [[nodiscard]] std::vector<double> coefficients(const Bindings& bindings) const;
  [[nodiscard]] const SizeParameter* findSize(const std::string& name) const;
  [[nodiscard]] const Tunable* findTunable(const std::string& name) const;
  [[nodiscard]] const ArrayDeclaration* findArray(const std::string& name) const;
  /// Whether the header says what the result should be.
  [[nodiscard]] bool isDefined() const { return definition || (computes && !computes->guessed); }
  /// Tunables that only change scalar parameters or the values of arrays, not the text: what a problem is about.
  [[nodiscard]] std::vector<const Tunable*> coefficientsOfProblem() const;
  /// True for an opened file, false for a variant of the catalogue.
  [[nodiscard]] bool isOpened() const { return chapter == kOpenedChapter; }
  /// True for what is written for a task: what would mend it is for its author to find out.
  [[nodiscard]] bool isForTask() const { return chapter == kMadeChapter; }
  /// Whether the user has written it: an opened file, or the solution of a task.
  [[nodiscard]] bool isOwn() const { return isOpened() || isForTask(); }
  void markOpened() { chapter = kOpenedChapter; }
  [[nodiscard]] bool isPrecision(const std::string& name) const { return precision && precision->macro == name; }
  /// Whether a size, a tunable or the precision has this name, and its range includes the value.
  [[nodiscard]] bool offers(const std::string& name, std::int64_t value) const;
  /// A bound value as text: "32"; "double" for the precision.
  [[nodiscard]] std::string valueText(const std::string& name, std::int64_t value) const;
  /// "N = 32, h = 4": the sizes among `bindings`.
  [[nodiscard]] std::string sizesText(const Bindings& bindings) const;
  bool operator==(const KernelFile&) const = default;
};

}  // namespace haloscope
