// Part of every executable of a sanitizer build: the sanitizers' options, also in confined processes, which get no
// environment.
#include <sys/prctl.h>

extern "C" {

/// LLVM's allocators poison memory by hand in header functions compiled here, and its archives, built without the
/// sanitizer, never release it again: false reports. An allocation that is too large fails, as it does otherwise.
const char* __asan_default_options() {
  return "allow_user_poisoning=0:allocator_may_return_null=1:"
         "external_symbolizer_path=/usr/lib/llvm-19/bin/llvm-symbolizer";
}

const char* __ubsan_default_options() { return "print_stacktrace=1"; }

/// LeakSanitizer looks at a process with ptrace, which a confined one does not permit: it is not dumpable, and cannot
/// even be asked.
int __lsan_is_turned_off() { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1 ? 0 : 1; }

/// Clang has no way to own the handler of a pragma that another one takes the place of (host/DebugPragmas.cpp).
const char* __lsan_default_options() { return "print_suppressions=0"; }
const char* __lsan_default_suppressions() { return "leak:clang::Preprocessor::RegisterBuiltinPragmas\n"; }

}  // extern "C"
