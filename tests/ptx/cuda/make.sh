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
    local name=$1 machine=$2
    local flags=(-ptx -O3 "-arch=$machine" -fmad=false)
    "$nvcc" "${flags[@]}" -o "$name.$machine.ptx" "$name.cu"
    named "$name.$machine.ptx" "$("$nvcc" --version | grep release)" "${flags[*]}"
}

by_clang() {
    local name=$1 tag=$2
    shift 2
    local flags=(-x cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-feature=+ptx63 -nocudainc -nocudalib -O3
        -ffp-contract=off "$@")
    "$clang" "${flags[@]}" -S -o "$name.$tag.ptx" "$name.cu"
    named "$name.$tag.ptx" "$("$clang" --version | head -n 1)" "${flags[*]}"
}

# A first line that says how a file was made.
named() {
    local file=$1 compiler=$2 flags=$3
    printf '// %s of %s: %s\n' "$compiler" "${file%%.*}.cu" "$flags" | cat - "$file" >"$file.new"
    mv "$file.new" "$file"
}

if [ $# -eq 0 ]; then
    set -- *.cu
fi
for file in "$@"; do
    name=${file%.cu}
    by_nvcc "$name" sm_75
    by_nvcc "$name" sm_100
    by_clang "$name" clang
done
