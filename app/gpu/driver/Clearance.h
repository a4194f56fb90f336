#pragma once

namespace haloscope::measuring {
class GpuGate;
}

namespace haloscope::gpu {

/// Permission to run a text on a GPU. Every gpu::Kernel takes one, so that code which forgets to ask does not compile:
/// a faulty kernel can end CUDA for the whole process, or never return. Only measuring::GpuGate clears a kernel that a
/// user can choose, edit or open.
class Clearance {
 public:
  /// For a child process that was started to run one kernel: its failure ends that process alone.
  [[nodiscard]] static Clearance forChildProcess() { return {}; }

 private:
  friend class measuring::GpuGate;
  friend class OwnText;
  friend struct TestClearance;  // of tests/gpu
  Clearance() = default;
};

}  // namespace haloscope::gpu
