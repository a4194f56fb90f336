#pragma once

#include <memory>
#include <string>
#include <vector>

#include "faults/Finding.h"
#include "faults/FindingGroups.h"
#include "faults/IntegerTruncations.h"
#include "faults/NumberObserver.h"
#include "faults/UnsignedWraps.h"

namespace haloscope::faults {

/// Integer divisions and remainders by zero: they have no result, whatever the hardware puts there.
class ZeroDivisions final : public NumberObserver {
 public:
  explicit ZeroDivisions(const Program& program);
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<ZeroDivisions>(program_); }
  [[nodiscard]] std::vector<Finding> findings() const;

 protected:
  [[nodiscard]] bool faulty(const simt::Warp& warp, const Instruction& instruction, int lane) const override;
};

/// All checks of arithmetic. Which instructions are worth watching is found from the program beforehand.
class NumberChecks {
 public:
  /// `program` must outlive the checks.
  explicit NumberChecks(const Program& program)
      : program_(program), wraps_(program), truncations_(program), zeroDivisions_(program) {}

  /// What to hand to simt::execute; empty where the text leaves nothing to watch.
  [[nodiscard]] std::vector<simt::Observer*> observers() {
    std::vector<simt::Observer*> needed;
    if (wraps_.needed()) { needed.push_back(&wraps_); }
    if (truncations_.needed()) { needed.push_back(&truncations_); }
    if (zeroDivisions_.needed()) { needed.push_back(&zeroDivisions_); }
    return needed;
  }
  /// After the launch, by place in the code; also valid when there was nothing to observe.
  [[nodiscard]] std::vector<Finding> findings() const {
    std::vector<Finding> all = wraps_.findings();
    const std::vector<Finding> truncations = truncations_.findings();
    all.insert(all.end(), truncations.begin(), truncations.end());
    const std::vector<Finding> zeroDivisions = zeroDivisions_.findings();
    all.insert(all.end(), zeroDivisions.begin(), zeroDivisions.end());
    return FindingGroups(program_).merged(all);
  }

  /// Of what is odd, but did no harm: a sentence each.
  [[nodiscard]] std::vector<std::string> notes() const { return wraps_.notes(); }

 private:
  const Program& program_;
  UnsignedWraps wraps_;
  IntegerTruncations truncations_;
  ZeroDivisions zeroDivisions_;
};

}  // namespace haloscope::faults
