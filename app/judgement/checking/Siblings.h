#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "checking/Check.h"
#include "program/Launch.h"
#include "program/Program.h"

/// Kernels that take the same arguments should compute the same: they are executed on the same data, and the one whose
/// result differs from that of most others is reported.
namespace haloscope::checking {

struct Sibling {
  const KernelFile* file = nullptr;
  Bindings bindings;
  /// In and out: what the check found so far. `program` is what is executed.
  CheckReport* report = nullptr;
  bool isReference = false;  ///< named by the user: what it computes is right
  bool isAssumed = false;    ///< its launch is: points that it leaves alone may be its launch's fault
  bool anySize = false;      ///< nothing launches it at these sizes: it is executed at those of the others
  /// With the data of its program, and the kernel as its launch has it; null: not known.
  const Launch* own = nullptr;
  std::shared_ptr<const Program> ownProgram{};
  /// Whether, given the same data, the host of its program gets what that of the reference gets; null: not known.
  std::function<bool()> endsAlike{};
  std::string notCompared{};  ///< out: why no reference was compared with it; empty if one was, or none is named
};

/// Compares kernels with the same parameters and array sizes, on random inputs and coefficients that all differ. A
/// kernel that the user named decides, whatever a kernel matches otherwise; without one, a kernel that matches its
/// reference speaks for all that agree with it, or else most decide. The report of a kernel that agrees names those
/// that it agrees with; one that does not gets a WrongResult finding with the first point that differs and, where a
/// coefficient was exchanged for another, which. Kernels of which one has read what the other computed in their program
/// are steps of one computation, and are not compared.
void compareSiblings(std::span<Sibling> kernels, const std::stop_token& stop = {});

}  // namespace haloscope::checking
