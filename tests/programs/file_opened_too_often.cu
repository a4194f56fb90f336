// runs with: data.txt 1
// expects: exited 0
// expects: launches 0
// expects: prints opened 7 times
// expects: asks 12: The program opens data.txt more than 7 times
#include <cstdio>
#include <fstream>

int main() {
  int opened = 0;
  for (int i = 0; i < 9; ++i) {
    std::ifstream in("data.txt");
    opened += in.good();
  }
  printf("opened %d times\n", opened);
}
