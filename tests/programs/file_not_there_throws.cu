// expects: lacks-input
// expects: says The program opens grid.txt, which is not available to it: give it a copy with --file grid.txt=PATH.
// expects: asks 9: The program opens grid.txt
#include <fstream>
#include <stdexcept>

int main() {
  int n = 0;
  std::ifstream file("grid.txt");
  if (!(file >> n)) throw std::runtime_error("grid.txt cannot be read");  // ends here
  return n;
}
