// expects: rejected
// expects: launches 0
// expects: problem 'opencv2/opencv.hpp' file not found: Haloscope does not have OpenCV
#include <opencv2/opencv.hpp>  // ends here

__global__ void gray(unsigned char* p) { p[threadIdx.x] = 0; }

int main() {
  cv::Mat image = cv::imread("image.png");
  gray<<<1, 32>>>(image.data);
}
