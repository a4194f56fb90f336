#!/usr/bin/env bash
# Draws the pictures of README.md and the manual again, but for those taken on an H200 (tuning, on-gpu, window-on-gpu). That
# of a page in a browser and that of a worksheet need Chromium and pdftoppm (Debian: chromium, poppler-utils); without them
# they stay as they are, which the script says. A test compares the pictures with the program's.
#   app/cmake/pictures.sh [HALOSCOPE [FOLDER [NAME...]]]
# NAME: only these.
set -euo pipefail
cd "$(dirname "$0")/../.."
haloscope=${1:-build/release/haloscope}
folder=${2:-assets/images}
names=("${@:3}")
wanted() {
    ((${#names[@]} == 0)) || [[ " ${names[*]} " == *" $1 "* ]]
}

draw() {
    HALOSCOPE_NO_GPU=1 SOURCE_DATE_EPOCH=0 LANG=en_GB.UTF-8 "$haloscope" "$@"
}
picture() {
    local name=$1
    shift
    ! wanted "$name" || draw render "$@" -o "$folder/$name.png"
}
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome
}
# screenshot NAME PAGE WIDTH,HEIGHT [OPTION...]: what a browser shows of a page.
screenshot() {
    local name=$1 page=$2 size=$3
    shift 3
    timeout 240 "$(browser)" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$made/profile" \
        --force-device-scale-factor=1 --window-size="$size" --virtual-time-budget=60000 "$@" \
        --screenshot="$made/$name.png" "file://$page" 2>"$made/said" || { cat "$made/said" >&2; return 1; }
    cp "$made/$name.png" "$folder/$name.png"
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
! wanted stage ||
    draw export stencil/coarsened --steps 9..33 --speed 1 --width 720 --height 480 --rate 20 -o "$folder/stage.gif"

if ! wanted handout && ! wanted worksheet; then
    exit
elif browser >/dev/null && command -v pdftoppm >/dev/null; then
    draw export stencil/coarsened --step 52 --html "$made/page.html"
    screenshot handout "$made/page.html" 1280,800
    # The sheet with the block, blank and filled in, side by side.
    draw export stencil/coarsened --step 19 --pdf "$made/blank.pdf"
    draw export stencil/coarsened --step 19 --pdf "$made/filled.pdf" --solutions
    for sheet in blank filled; do
        pdftoppm -f 2 -l 2 -r 88 -x 32 -y 50 -W 666 -H 872 -png -singlefile "$made/$sheet.pdf" "$made/$sheet"
    done
    printf '<body style="margin: 24px; display: flex; gap: 24px; background: #d8dbe3">%s</body>' \
        '<img src="blank.png"><img src="filled.png">' >"$made/sheets.html"
    screenshot worksheet "$made/sheets.html" 1404,920 --hide-scrollbars
else
    echo "Chromium or pdftoppm is missing: handout and worksheet were not drawn" >&2
fi
