/* The floating-point environment of a call: round to nearest, denormals kept. The kernels' bits
 * depend on it, so each batch sets it and puts the caller's back. */
#ifndef WP_CORE_ENVIRONMENT_H
#define WP_CORE_ENVIRONMENT_H

#include "core/base.h"

#if WP_IS_X86
#include <xmmintrin.h>

typedef uint32_t wp_environment;

WP_INLINE wp_environment wp_environment_enter(void)
{
	const uint32_t before = _mm_getcsr(), flags = 0x3fu;
	/* All exceptions masked, nearest, no flush to zero, denormals not zero. To set it waits for all that is under way. */
	if ((before & ~flags) != 0x1f80u)
		_mm_setcsr(0x1f80u);
	return before;
}

WP_INLINE void wp_environment_leave(wp_environment before) { _mm_setcsr(before); }

#elif defined(__aarch64__)

typedef uint64_t wp_environment;

WP_INLINE wp_environment wp_environment_enter(void)
{
	uint64_t before;
	__asm__ volatile("mrs %0, fpcr" : "=r"(before)::"memory");
	__asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)0) : "memory");
	return before;
}

WP_INLINE void wp_environment_leave(wp_environment before)
{
	__asm__ volatile("msr fpcr, %0" ::"r"(before) : "memory");
}

#elif defined(__arm__) && defined(__ARM_FP)

typedef uint32_t wp_environment;

WP_INLINE wp_environment wp_environment_enter(void)
{
	uint32_t before;
	__asm__ volatile("vmrs %0, fpscr" : "=r"(before)::"memory");
	__asm__ volatile("vmsr fpscr, %0" ::"r"(0) : "memory", "cc");
	return before;
}

WP_INLINE void wp_environment_leave(wp_environment before)
{
	__asm__ volatile("vmsr fpscr, %0" ::"r"(before) : "memory", "cc");
}

#elif defined(__riscv_flen)

typedef unsigned long wp_environment;

WP_INLINE wp_environment wp_environment_enter(void)
{
	unsigned long before;
	__asm__ volatile("fscsr %0, zero" : "=r"(before)::"memory");
	return before;
}

WP_INLINE void wp_environment_leave(wp_environment before) { __asm__ volatile("fscsr %0" ::"r"(before) : "memory"); }

#elif defined(__wasm__)

/* WebAssembly has one environment only, the one we want. */
typedef uint32_t wp_environment;
WP_INLINE wp_environment wp_environment_enter(void) { return 0; }
WP_INLINE void wp_environment_leave(wp_environment before) { (void)before; }

#else

#include <fenv.h>

/* As far as standard C knows it: without flushing to zero. */
typedef fenv_t wp_environment;

WP_INLINE wp_environment wp_environment_enter(void)
{
	fenv_t before;
	feholdexcept(&before);
	fesetround(FE_TONEAREST);
	return before;
}

WP_INLINE void wp_environment_leave(wp_environment before) { fesetenv(&before); }

#endif

#endif
