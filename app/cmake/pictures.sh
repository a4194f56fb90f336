#!/usr/bin/env bash
# Draws the pictures of README.md again, but for those taken on an H200 (tuning, on-gpu, window-on-gpu) or from a page in a
# browser or on paper (handout, worksheet). A test compares them with the program's.
#   app/cmake/pictures.sh [HALOSCOPE [FOLDER]]
set -euo pipefail
cd "$(dirname "$0")/../.."
haloscope=${1:-build/release/haloscope}
folder=${2:-assets/images}

draw() {
    HALOSCOPE_NO_GPU=1 SOURCE_DATE_EPOCH=0 LANG=en_GB.UTF-8 "$haloscope" "$@"
}
picture() {
    local name=$1
    shift
    draw render "$@" -o "$folder/$name.png"
}
small=(--width 1280 --height 720)

picture start --start "${small[@]}"
picture haloscope stencil/coarsened --step 51
picture playground --play gray_scott --size 256 --sweeps 3500 "${small[@]}"
picture lesson --lesson tiles-and-halos --scroll 0.2 --barrier 1
picture lesson-zh --language zh --lesson tiles-and-halos --scroll 0.2 --barrier 1 --light
picture discretise convolution/1d_basic --figure discretise "${small[@]}"
picture climb beyond/3d_7_rows --climb
picture program tests/programs/wave2d_three_arrays.cu --program-launch 4 --workspace program "${small[@]}"
picture program-finding tests/programs/diffusion_copied_in_elements.cu --program-launch 1 --workspace program
picture siblings tests/programs/siblings_filter_transposed.cu --kernel sum_swapped "${small[@]}"
draw export stencil/coarsened --steps 9..33 --speed 1 --width 720 --height 480 --rate 20 -o "$folder/stage.gif"
