// AddressSanitizer's options, for every fuzzer.

/// LLVM's allocators poison memory by hand in header functions compiled here, and its archives, built without the
/// sanitizer, never release it again: false reports.
extern "C" const char* __asan_default_options() { return "allow_user_poisoning=0"; }
