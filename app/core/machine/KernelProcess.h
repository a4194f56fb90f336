#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "machine/Arena.h"
#include "machine/MachineMessages.h"
#include "process/ForkServer.h"
#include "program/Launch.h"

namespace haloscope::machine {

/// A confined process with the machine code of one kernel for launches of one shape. For one thread at a time.
class KernelProcess {
 public:
  /// Begins it, and does not wait until its code is made. Throws std::system_error.
  KernelProcess(std::shared_ptr<process::ForkServer> server, std::shared_ptr<Arena> arena, const Program& program,
                const KernelShape& shape);
  KernelProcess(const KernelProcess&) = delete;
  KernelProcess& operator=(const KernelProcess&) = delete;
  ~KernelProcess();

  /// Whether its code is made; none while that is not known, after waiting so long for it. False if it cannot be
  /// made, or the process is gone.
  [[nodiscard]] std::optional<bool> ready(int waitMilliseconds);
  /// The process's answer, once that is known.
  [[nodiscard]] const Prepared& prepared() const { return prepared_; }

  /// Brings the arrays of a launch into the shared memory.
  void fill(const Launch& launch);
  /// Has the sweeps executed on what is there. None if the process is gone, or `proceed` returned false, after which
  /// the process is of no more use.
  [[nodiscard]] std::optional<Swept::Outcome> sweep(const Sweeps& sweeps, const std::function<bool()>& proceed);
  /// Takes the arrays that the kernel may have written, and those that took turns with them.
  void take(Launch& launch, const Sweeps& sweeps) const;

 private:
  Task task_;
  std::shared_ptr<process::ForkServer> server_;
  std::shared_ptr<Arena> arena_;
  process::ForkedProcess process_;
  std::vector<bool> written_;
  Prepared prepared_;
  bool known_ = false;
};

}  // namespace haloscope::machine
