#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "catalogue/KernelFile.h"
#include "checking/Check.h"
#include "driver/Clearance.h"
#include "faults/FaultChecks.h"
#include "program/Launch.h"
#include "program/Program.h"
#include "program/SourceLocation.h"

namespace haloscope::measuring {

/// Whether a kernel may run on a GPU at certain sizes.
struct GpuVerdict {
  std::optional<gpu::Clearance> clearance{};
  std::string objection{};  ///< why there is none: a sentence without its full stop
  SourceRange where{};      ///< what the objection is about, if it is a place in the text
};

/// The one way from a kernel's text to a GPU: gpu::Kernel takes the Clearance that only this class gives.
///
/// A variant that ships with Haloscope, its text unchanged (see isShippedVariant), is executed once on the emulator, at
/// its default sizes and the given tunables: the tests have checked it under every analysis, and at the sizes that fill
/// a GPU a check would take hours. Any other text (an edited variant, a text of the bug lab, an opened file) is checked
/// for races, uninitialised values, accesses out of bounds, divergent barriers and endless loops at exactly the given
/// sizes; InputError is thrown where these are too large to be checked. A wrong result alone is no objection.
///
/// A gate remembers its answers, since a map over tile sizes asks about one text again and again: a program has one for
/// all that it runs on GPUs.
class GpuGate {
 public:
  GpuGate() = default;
  GpuGate(const GpuGate&) = delete;
  GpuGate& operator=(const GpuGate&) = delete;

  /// Takes milliseconds for a shipped variant, seconds at worst for another text. May be called from several threads.
  /// Throws SourceError for a text that does not compile, InputError for bindings out of their ranges or a launch that
  /// is too large to be checked, Cancelled.
  [[nodiscard]] GpuVerdict ask(const KernelFile& file, const Bindings& bindings,
                               const checking::CheckOptions& options = {});
  /// A launch of an executed program, with the program's own data: it is executed here under every check, and `launch`
  /// left as the kernel leaves it. Not remembered. Throws InputError if it is too large to be checked, Cancelled.
  [[nodiscard]] static GpuVerdict ask(const Program& program, Launch& launch, faults::FaultOptions options);
  /// As ask(), but throws FaultError with the objection where there is one.
  [[nodiscard]] gpu::Clearance require(const KernelFile& file, const Bindings& bindings,
                                       const checking::CheckOptions& options = {});

 private:
  struct Answer {
    GpuVerdict verdict;
    std::string tooLarge;  ///< why it could not be checked; empty: it could
  };

  [[nodiscard]] static Answer answerOnShipped(const KernelFile& file, const Bindings& bindings,
                                              const checking::CheckOptions& options);
  [[nodiscard]] static Answer answerOnOther(const KernelFile& file, const Bindings& bindings,
                                            const checking::CheckOptions& options);
  [[nodiscard]] std::optional<Answer> remembered(const std::string& key);
  void remember(const std::string& key, const Answer& answer);

  std::mutex mutex_;
  std::map<std::string, Answer> answers_;
};

/// GpuGate::ask, or what a test puts in its place.
using AskGpuGate = std::function<GpuVerdict(const KernelFile&, const Bindings&, const checking::CheckOptions&)>;
/// Asks this gate, which must outlive the function.
[[nodiscard]] AskGpuGate asking(GpuGate& gate);
/// Asks a gate of its own.
[[nodiscard]] AskGpuGate askingOwnGate();

}  // namespace haloscope::measuring
