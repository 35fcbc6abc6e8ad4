# The command on GPUs that only pretend (tests/fake), on a driver that is none, and on GPUs that go
# bad. Kernels are launched there and do nothing.
fakes=$ROOT/$BUILD/tests/fake
cat >add.k <<'K'
@example(x=ones(100, dtype=float32), out=zeros(100, dtype=float32), grid=2, block=64)
@cuda.jit
def add(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + 1
K
gpu()
{
    env KJIT_DRIVER="$fakes/libcuda.so.1" KJIT_NVRTC="$fakes/libnvrtc.so.13" KJIT_CACHE_SIZE=0 "$@"
}

expect 0 gpu "$KJIT" doctor
says out '^found +CUDA driver +for CUDA 13.0, 2 GPUs$' '^found +cuda:0 +Pretended GPU 0, sm_90,' \
    '^found +cuda:1 +Pretended GPU 1, ' "^found +NVRTC +13.0, $fakes/libnvrtc.so.13$"
expect 0 gpu FAKE_CUDA_EVENTS=events "$KJIT" run add.k --device cuda
says out '^out  float32\[100\]  '
says events '^launch add 2x1x1 64x1x1$' '^copy_out 400$' '^release 0$'
rm events
expect 0 gpu FAKE_CUDA_EVENTS=events "$KJIT" run add.k --device cuda:1 --time 5 --json
says out '"device": "cuda:1"'
says events '^retain 1$'
holds test "$(grep -c '^launch add ' events)" -ge 6
expect 3 gpu "$KJIT" run add.k --device cuda:2
says err 'there is no device cuda:2: this machine has 2 GPUs'
# Without a word about the device it is the GPU.
expect 0 gpu "$KJIT" run add.k --json
says out '"device": "cuda:0"'

# Tiles of a product come as boxes: a launch has maps of two arrays encoded, of nothing, too.
cat >product.k <<'K'
@example(a=zeros((640, 520), dtype=float16), b=zeros((520, 648), dtype=float16),
         c=zeros((640, 648), dtype=float32), grid=(40, 41), block=(16, 16))
@cuda.jit(matmul="f16")
def product(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += float32(a[i, k]) * float32(b[k, j])
        c[i, j] = total
K
expect 0 gpu "$KJIT" build product.k --emit cuda --facts launch --arch sm_90
says out '__grid_constant__ tile_map _a_map' 'tile_load2\('
expect 0 gpu FAKE_CUDA_EVENTS=events "$KJIT" run product.k --device cuda
says events '^launch product '
rm events
expect 3 gpu FAKE_CUDA_FAIL=cuTensorMapEncodeTiled:1:1 "$KJIT" run product.k --device cuda
says err 'describing an array \(cuTensorMapEncodeTiled\)'

# A kernel compiled once comes from disk the next time.
mkdir cache
disk()
{
    gpu KJIT_CACHE="$PWD/cache" KJIT_CACHE_SIZE=1M FAKE_NVRTC_FAIL="$1" "$KJIT" run add.k -q
}
expect 0 disk 0:0
expect 0 disk nvrtcCompileProgram:1:6
rm -r cache
expect 3 disk nvrtcCompileProgram:1:6
says err 'error: made up' 'bug in kjit'

# A GPU that goes bad on the way.
expect 3 gpu FAKE_CUDA_FAIL=cuLaunchKernel:1:700 "$KJIT" run add.k
says err 'add\(float32\[::1\], float32\[::1\]\) reached outside of its arrays' 'ILLEGAL_ADDRESS'
expect 3 gpu FAKE_CUDA_FAIL=cuLaunchKernel:4:719 "$KJIT" run add.k --time 9
says err 'CUDA_ERROR_LAUNCH_FAILED'
for call in cuDeviceGet cuDevicePrimaryCtxRetain cuDeviceGetAttribute cuCtxPushCurrent \
    cuModuleLoadDataEx cuModuleGetFunction cuFuncGetAttribute cuLaunchKernel cuMemcpyHtoDAsync \
    cuMemcpyDtoHAsync cuStreamSynchronize; do
    for code in 2 999; do
        expect 3 gpu FAKE_CUDA_FAIL=$call:1:$code "$KJIT" run add.k --device cuda
        says err "$(echo $call | sed 's/Async$//')|no room|out of memory"
    done
done
for call in nvrtcCreateProgram nvrtcCompileProgram nvrtcGetCUBINSize nvrtcGetCUBIN; do
    expect 3 gpu FAKE_NVRTC_FAIL=$call:1:1 "$KJIT" run add.k
    says err "out of memory in NVRTC \\($call\\)"
    expect 3 gpu FAKE_NVRTC_FAIL=$call:1:11 "$KJIT" run add.k
    says err "NVRTC 13.0 does not compile: $call failed \\(error 11\\)"
done

# Trying it finds GPUs that do nothing, and those that go bad.
expect 3 gpu "$KJIT" doctor --try
says out '^missing +kernel on cuda:0 +it ran, and its result is wrong$' \
    '^missing +kernel on cuda:1 '
expect 3 gpu FAKE_CUDA_FAIL=cuLaunchKernel:1:700 "$KJIT" doctor --try
says out '^missing +kernel on cuda:0 .*reached outside of its arrays'

# A driver that does not start, is too old, or sees nothing: what is found is said, and the
# processor does the work unless the GPU was asked for.
no_gpu() # message, settings...
{
    message=$1
    shift
    expect 0 gpu "$@" "$KJIT" doctor
    says out "^missing +CUDA driver +.*$message"
    expect 3 gpu "$@" "$KJIT" run add.k --device cuda
    says err "$message"
    expect 0 gpu "$@" "$KJIT" run add.k
    says out 'min 2  max 2'
}
no_gpu 'does not start: cuInit failed: CUDA_ERROR_UNKNOWN' FAKE_CUDA_FAIL=cuInit:1:999
no_gpu 'does not start: cuDeviceGetCount failed: CUDA' FAKE_CUDA_FAIL=cuDeviceGetCount:1:2
no_gpu 'does not start: cuDriverGetVersion failed: CUDA' FAKE_CUDA_FAIL=cuDriverGetVersion:1:999
no_gpu 'is for CUDA 11.8, and 12.0 or newer is needed' FAKE_CUDA_VERSION=11080
no_gpu 'CUDA_ERROR_NO_DEVICE' FAKE_CUDA_DEVICES=0
no_gpu 'KJIT_DRIVER names cannot be loaded: /nowhere/libcuda.so.1: ' \
    KJIT_DRIVER=/nowhere/libcuda.so.1
echo 'this is no library' >libcuda.so.1
no_gpu 'KJIT_DRIVER names cannot be loaded: .*/libcuda.so.1: ' KJIT_DRIVER="$PWD/libcuda.so.1"
echo 'int cuInit(unsigned flags) { return flags; }' >half.c
holds ${CC:-cc} -shared -fPIC -o half.so half.c
no_gpu "half.so, which KJIT_DRIVER names, has no 'cu" KJIT_DRIVER="$PWD/half.so"

# The same of NVRTC, whose work nothing else can do.
no_nvrtc() # message, settings...
{
    message=$1
    shift
    expect 0 gpu "$@" "$KJIT" doctor
    says out '^missing +NVRTC '
    expect 3 gpu "$@" "$KJIT" run add.k
    says err "$message" 'KJIT_NVRTC'
}
no_nvrtc 'NVRTC is version 11.8, and 12.0 or newer is needed' FAKE_NVRTC_VERSION=11.8
no_nvrtc 'nvrtcVersion failed \(error 7\)' FAKE_NVRTC_FAIL=nvrtcVersion:1:7
no_nvrtc "half.so has no 'nvrtc" KJIT_NVRTC="$PWD/half.so"
no_nvrtc 'NVRTC cannot be loaded: .*/libcuda.so.1' KJIT_NVRTC="$PWD/libcuda.so.1"
