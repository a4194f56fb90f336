#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/SourceLocation.h"

/// What is said of a kernel, and what that rests on.
namespace haloscope::verdict {

/// BASIS(name, word, says): with what a result is compared, the strongest first.
///   word  stable, for scripts
///   says  whether a result that agrees is right; else it is only consistent: kernels with one mistake agree
#define HALOSCOPE_BASES(BASIS)                                                             \
  BASIS(Reference, "reference", true)          /* a kernel that the user named */          \
  BASIS(Definition, "definition", true)        /* what its header says that it computes */ \
  BASIS(OwnFunction, "own-function", true)     /* a function of its program */             \
  BASIS(OwnComparison, "own-comparison", true) /* what its program says of the result */   \
  BASIS(Recognised, "recognised", false)       /* the sum that most of its points are */   \
  BASIS(Siblings, "siblings", false)           /* kernels that get the same data */        \
  BASIS(MovedData, "moved-data", false)        /* its own result of data that are moved */

enum class Basis : std::uint8_t {
#define HALOSCOPE_BASIS(name, ...) name,
  HALOSCOPE_BASES(HALOSCOPE_BASIS)
#undef HALOSCOPE_BASIS
};

struct BasisRow {
  const char* word;
  bool says;
};

/// In the order of Basis.
inline constexpr std::array kBasisRows = {
#define HALOSCOPE_BASIS_ROW(name, word, says) BasisRow{word, says},
    HALOSCOPE_BASES(HALOSCOPE_BASIS_ROW)
#undef HALOSCOPE_BASIS_ROW
};

[[nodiscard]] constexpr const BasisRow& rowOf(Basis basis) { return kBasisRows[static_cast<std::size_t>(basis)]; }

/// Sizes at which a kernel and a reference were executed with the same result.
struct ComparedSize {
  std::string sizes;        ///< "n = 256"
  std::int64_t points = 0;  ///< at which a difference would have shown
};
/// "n = 64 (62 points) and n = 131 (129 points)".
[[nodiscard]] std::string sizesText(const std::vector<ComparedSize>& at);

enum class Outcome : std::uint8_t {
  Agrees,
  Differs,  ///< it is wrong
  Unlike,   ///< it differs, and which of the two is right is not known
};

/// One comparison of a kernel's result, and how it ended.
struct Evidence {
  Basis basis = Basis::MovedData;
  Outcome outcome = Outcome::Agrees;
  std::vector<std::string> with{};  ///< "heat_cpu (line 12)", or the line in which the program says so; may be empty
  std::vector<ComparedSize> at{};
  bool onOwnDataOnly = false;  ///< on the data that the program has, and no other
};
/// How a sentence names it: "the comparison with heat_cpu (line 12)".
[[nodiscard]] std::string nameOf(const Evidence& evidence);

/// All that a result was compared with: of each basis one comparison, the strongest basis first.
class EvidenceList {
 public:
  /// Takes the place of what there is of the same basis.
  void add(Evidence evidence);
  void drop(Basis basis);
  /// Null: there is none.
  [[nodiscard]] const Evidence* of(Basis basis) const;
  [[nodiscard]] bool has(Basis basis, Outcome outcome) const;
  [[nodiscard]] const std::vector<Evidence>& all() const { return all_; }
  /// What decides: the strongest that says whether the result is right, or wrong; else the strongest of the others.
  /// Null: there is none.
  [[nodiscard]] const Evidence* decisive() const;
  /// Whether anything says that the result is right or wrong, or only alike.
  [[nodiscard]] bool isCompared() const;
  /// Whether the result is what it should be, or is recognised as; nothing where this was not compared.
  [[nodiscard]] std::optional<bool> matches() const;

 private:
  std::vector<Evidence> all_;
};

/// KIND(name, word): what is said, the gravest first.
///   word  stable, for scripts
#define HALOSCOPE_VERDICT_KINDS(KIND)                                                                       \
  KIND(Unread, "unread")            /* its text cannot be read */                                           \
  KIND(NotExecuted, "not-executed") /* it, or its program, could not be executed */                         \
  KIND(Fault, "fault")              /* something is wrong with how it, or its program, works */             \
  KIND(Wrong, "wrong")              /* no fault, but its result is wrong */                                 \
  KIND(Disagrees, "disagrees")      /* its siblings compute something else; which is right, is not known */ \
  KIND(NotCompared, "not-compared") /* no fault, and nothing says what it should compute */                 \
  KIND(Consistent, "consistent")    /* no fault, and its result is consistent: see BasisRow::says */        \
  KIND(Right, "right")              /* no fault, and its result is right */

enum class Kind : std::uint8_t {
#define HALOSCOPE_KIND(name, ...) name,
  HALOSCOPE_VERDICT_KINDS(HALOSCOPE_KIND)
#undef HALOSCOPE_KIND
};
[[nodiscard]] const char* wordOf(Kind kind);

/// What was executed.
enum class Scope : std::uint8_t {
  Nothing,
  ProposedLaunch,  ///< a launch that the text alone suggests, with sizes and data that are assumed
  GivenLaunch,     ///< that of a header, or of who asked
  PartOfLaunches,  ///< the program's own ones, but not all of them, not whole, or with smaller sizes
  AllLaunches,     ///< all of the program's own, whole
};
[[nodiscard]] const char* wordOf(Scope scope);

/// A place in a text; without a line where it has none.
struct Place {
  std::string file{};
  SourceRange range{};
};

struct Verdict {
  Kind kind = Kind::NotCompared;
  EvidenceList evidence{};
  Place place{};  ///< of the first thing that is wrong
  Scope scope = Scope::Nothing;
  std::string doubt{};  ///< why the kernel that the user named does not say that the result is right: "it …"

  /// Nothing is wrong with it, as far as is known.
  [[nodiscard]] bool faultless() const { return kind >= Kind::Disagrees; }
  /// Its result was compared with something that says whether it is right.
  [[nodiscard]] bool judged() const { return kind == Kind::Wrong || kind == Kind::Right; }
};

/// In short, what its result was compared with: "matches heat_cpu (line 12)", "agrees with heat_tiled", "uniform".
[[nodiscard]] std::string resultText(const Verdict& verdict);
/// What it rests on, and how strong that is: "it computes the same as heat_tiled; that both are wrong alike is not
/// excluded". Of a verdict without a fault.
[[nodiscard]] std::string clause(const Verdict& verdict);

}  // namespace haloscope::verdict
