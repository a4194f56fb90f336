"""cuDNN's 2D convolution through PyTorch, on random data: prints the median milliseconds of a launch.

Arguments: width=8192 height=8192 FILTER_RADIUS=2 precision=float. Started by `haloscope bench --suite limit --peers`.
"""

import statistics
import sys

try:
    import torch
except ImportError:
    sys.exit("python3 has no torch (PyTorch)")
if not torch.cuda.is_available():
    sys.exit("PyTorch finds no GPU")

given = dict(argument.split("=", 1) for argument in sys.argv[1:])
radius = int(given["FILTER_RADIUS"])
real = {"float": torch.float32, "double": torch.float64, "half": torch.float16}[given["precision"]]
torch.backends.cudnn.benchmark = True  # the fastest of its algorithms
torch.backends.cudnn.allow_tf32 = False  # as precise as the variants
image = torch.rand(1, 1, int(given["height"]), int(given["width"]), device="cuda", dtype=real)
weights = torch.rand(1, 1, 2 * radius + 1, 2 * radius + 1, device="cuda", dtype=real)

# The launches between two events follow each other without a gap, so that the host's time does not count.
times = []
launches = 5
with torch.inference_mode():
    for sample in range(25):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(launches):
            torch.nn.functional.conv2d(image, weights, padding=radius)
        end.record()
        end.synchronize()
        if sample < 4:  # those before warm up, and tell how many launches take 20 ms
            launches = max(5, min(500, round(20 * launches / begin.elapsed_time(end))))
        else:
            times.append(begin.elapsed_time(end) / launches)
print(statistics.median(times))
