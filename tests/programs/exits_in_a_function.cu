// expects: exited 3
// expects: launches 0
// expects: prints at exit
// expects: prints destructor of a global object
#include <cstdio>
#include <cstdlib>

struct Log {
  ~Log() { std::puts("destructor of a global object"); }
} log_;

void usage() {
  std::atexit([] { std::puts("at exit"); });
  std::exit(3);
}

int main() {
  usage();
  return 0;
}
