#!/usr/bin/env bash
# Makes the PTX of the CUDA sources beside it: NAME.TAG.ptx, where TAG says which compiler and which machine.
#
#     NVCC=path/to/nvcc CLANG=clang-19 tests/ptx/cuda/make.sh [NAME...]
#
# nvcc is that of `pip install nvidia-cuda-nvcc nvidia-nvvm nvidia-cuda-crt nvidia-cuda-runtime nvidia-cuda-cccl`, clang that of
# `apt-get install clang-19`. The files say which versions have made them. Tests read what is committed and need neither.
set -euo pipefail
cd "$(dirname "$0")"
nvcc=${NVCC:-nvcc} clang=${CLANG:-clang-19}

# Products and sums are rounded one by one where the source does not ask for more, so that results are the same by all compilers.
by_nvcc() {
    local name=$1 tag=$2
    local flags=(-ptx "${@:3}" -fmad=false)
    "$nvcc" "${flags[@]}" -o "$name.$tag.ptx" "$name.cu"
    without_paths "$name.$tag.ptx"
    named "$name.$tag.ptx" "$("$nvcc" --version | grep release)" "${flags[*]}"
}

# Files of source have no folders, and what debuggers alone read, which has them in bytes, is left out.
without_paths() {
    awk '/^[[:space:]]*\.section/ { skips = 1 }
        /^[[:space:]]*\.file/ { sub(/"[^"]*\//, "\"") }
        !skips { print }
        skips && /}/ { skips = 0 }' "$1" >"$1.new"
    mv "$1.new" "$1"
}

by_clang() {
    local name=$1 tag=$2
    shift 2
    local flags=(-x cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-feature=+ptx63 -nocudainc -nocudalib -O3
        -ffp-contract=off "$@")
    "$clang" "${flags[@]}" -S -o "$name.$tag.ptx" "$name.cu"
    without_paths "$name.$tag.ptx"
    named "$name.$tag.ptx" "$("$clang" --version | head -n 1)" "${flags[*]}"
}

# A first line that says how a file was made.
named() {
    local file=$1 compiler=$2 flags=$3
    printf '// %s of %s: %s\n' "$compiler" "${file%%.*}.cu" "$flags" | cat - "$file" >"$file.new"
    mv "$file.new" "$file"
}

if [ $# -eq 0 ]; then
    set -- *.cu lines/*.cu
fi
for file in "$@"; do
    name=${file%.cu}
    case $name in
        lines/*)
            by_nvcc "$name" sm_75 -O3 -lineinfo -arch=sm_75
            by_nvcc "$name" sm_100 -O3 -lineinfo -arch=sm_100
            by_clang "$name" clang -gline-tables-only
            continue
            ;;
    esac
    by_nvcc "$name" sm_75 -O3 -arch=sm_75
    by_nvcc "$name" sm_100 -O3 -arch=sm_100
    by_nvcc "$name" debug -G -arch=sm_75
    by_clang "$name" clang
done
