constexpr int kPoints = 5;
