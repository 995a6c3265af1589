// What the kernels here need of CUDA: of its headers, or for clang, which has none of them, of its builtins.
#pragma once

typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned char u8;
typedef unsigned short u16;

#ifdef __NVCC__
#include <assert.h>
#include <stdio.h>
#else
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __grid_constant__
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))

#define AXES(name, register)                                                             \
    struct name##_type {                                                                 \
        __declspec(property(get = get_x)) u32 x;                                         \
        __declspec(property(get = get_y)) u32 y;                                         \
        static __device__ u32 get_x() { return __nvvm_read_ptx_sreg_##register##_x(); } \
        static __device__ u32 get_y() { return __nvvm_read_ptx_sreg_##register##_y(); } \
    };                                                                                   \
    extern const __device__ name##_type name;
AXES(threadIdx, tid)
AXES(blockIdx, ctaid)
AXES(blockDim, ntid)
AXES(gridDim, nctaid)
#define warpSize 32

#define INTO static inline __device__
INTO u32 atomicAdd(u32 *at, u32 value) { return __nvvm_atom_add_gen_i((int *)at, value); }
INTO int atomicAdd(int *at, int value) { return __nvvm_atom_add_gen_i(at, value); }
INTO u64 atomicAdd(u64 *at, u64 value) { return __nvvm_atom_add_gen_ll((long long *)at, value); }
INTO float atomicAdd(float *at, float value) { return __nvvm_atom_add_gen_f(at, value); }
INTO u32 atomicCAS(u32 *at, u32 old, u32 value) { return __nvvm_atom_cas_gen_i((int *)at, old, value); }
INTO u32 atomicExch(u32 *at, u32 value) { return __nvvm_atom_xchg_gen_i((int *)at, value); }
INTO u32 atomicMin(u32 *at, u32 value) { return __nvvm_atom_min_gen_ui(at, value); }
INTO int atomicMax(int *at, int value) { return __nvvm_atom_max_gen_i(at, value); }
INTO u32 atomicOr(u32 *at, u32 value) { return __nvvm_atom_or_gen_i((int *)at, value); }
INTO void __threadfence() { __nvvm_membar_gl(); }
INTO void __syncwarp() { __nvvm_bar_warp_sync(~0u); }
INTO u32 __ballot_sync(u32 mask, int holds) { return __nvvm_vote_ballot_sync(mask, holds); }
INTO int __all_sync(u32 mask, int holds) { return __nvvm_vote_all_sync(mask, holds); }
INTO int __any_sync(u32 mask, int holds) { return __nvvm_vote_any_sync(mask, holds); }
INTO u32 __activemask() { return __nvvm_activemask(); }
INTO u32 __match_any_sync(u32 mask, u32 value) { return __nvvm_match_any_sync_i32(mask, value); }
INTO u32 __match_all_sync(u32 mask, u32 value, int *all) { return __nvvm_match_all_sync_i32p(mask, value, all); }
INTO u32 __shfl_sync(u32 mask, u32 value, int lane) { return __nvvm_shfl_sync_idx_i32(mask, value, lane, 0x1f); }
INTO u32 __shfl_up_sync(u32 mask, u32 value, u32 distance) { return __nvvm_shfl_sync_up_i32(mask, value, distance, 0); }
INTO u32 __shfl_down_sync(u32 mask, u32 value, u32 distance) {
    return __nvvm_shfl_sync_down_i32(mask, value, distance, 0x1f);
}
INTO u32 __shfl_xor_sync(u32 mask, u32 value, int lanes) { return __nvvm_shfl_sync_bfly_i32(mask, value, lanes, 0x1f); }
INTO int __popc(u32 x) { return __builtin_popcount(x); }
INTO int __popcll(u64 x) { return __builtin_popcountll(x); }
INTO int __clz(u32 x) { return x ? __builtin_clz(x) : 32; }
INTO int __ffs(u32 x) { return __builtin_ffs(x); }
INTO u32 __brev(u32 x) { return __builtin_bitreverse32(x); }
INTO u32 __umulhi(u32 x, u32 y) { return (u64)x * y >> 32; }
INTO u64 __umul64hi(u64 x, u64 y) { return (unsigned __int128)x * y >> 64; }
INTO u32 __funnelshift_l(u32 low, u32 high, u32 by) { return (((u64)high << 32 | low) << (by & 31)) >> 32; }
INTO float fmaf(float x, float y, float z) { return __nvvm_fma_rn_f(x, y, z); }
INTO double fma(double x, double y, double z) { return __nvvm_fma_rn_d(x, y, z); }
INTO float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
INTO double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
INTO float fminf(float x, float y) { return __builtin_fminf(x, y); }
INTO float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
INTO double fabs(double x) { return __builtin_fabs(x); }
INTO double floor(double x) { return __builtin_floor(x); }
INTO float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
INTO int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
INTO int min(int x, int y) { return x < y ? x : y; }
INTO int max(int x, int y) { return x > y ? x : y; }
INTO u32 min(u32 x, u32 y) { return x < y ? x : y; }
INTO u32 max(u32 x, u32 y) { return x > y ? x : y; }
#undef INTO
extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ void __assertfail(const char *, const char *, u32, const char *, u64) __attribute__((noreturn));
#define assert(holds) ((holds) ? (void)0 : __assertfail(#holds, __FILE__, __LINE__, __func__, 1))
#endif

// The number of a thread in its grid of one dimension.
#define GLOBAL_ID (blockIdx.x * blockDim.x + threadIdx.x)
// All lanes of a warp.
#define ALL 0xffffffffu
#define KERNEL extern "C" __global__ void
