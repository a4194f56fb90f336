// runs: 8
// expects: lacks-input
// expects: launches 0
// expects: says The program reads argv[2], and 1 argument was given: give it after --, for example `haloscope check argument_missing_as_text.cu -- 8 64`.
#include <string>

int main(int, char **argv) {
  const int rows = std::stoi(argv[1]);
  const char *second = argv[2];
  return rows + std::stoi(second);  // ends here
}
