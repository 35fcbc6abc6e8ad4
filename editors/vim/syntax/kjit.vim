" Python, and what kernels have beside it.
runtime! syntax/python.vim
unlet! b:current_syntax
syntax keyword kjitType bool int8 int16 int32 int64 uint8 uint16 uint32 uint64
syntax keyword kjitType float16 bfloat16 float32 float64 complex64 complex128
syntax keyword kjitType float8_e4m3 float8_e5m2
syntax keyword kjitThread threadIdx blockIdx blockDim gridDim warpsize laneid
syntax keyword kjitThread grid gridsize syncthreads syncwarp threadfence
syntax match kjitLaunch /@\%(cuda\.jit\|kernel\|device\|example\|tune\|schedule\)\>/
highlight default link kjitType Type
highlight default link kjitThread Special
highlight default link kjitLaunch PreProc
let b:current_syntax = 'kjit'
