#include "simt/InstructionSet.h"

namespace haloscope::simt {

InstructionSet bestInstructionSet() {
#if defined(__x86_64__)
  const bool avx2 =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("bmi2") != 0;
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
                      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0;
  if (avx512) { return InstructionSet::Avx512; }
  if (avx2) { return InstructionSet::Avx2; }
#endif
  return InstructionSet::Baseline;
}

}  // namespace haloscope::simt
