/* The rounding mode that sums of floats have. */
#ifndef TESTS_SUPPORT_ROUNDING_H
#define TESTS_SUPPORT_ROUNDING_H

#include <fenv.h>

/* As fegetround says where that looks at the right register: on x86-64 it reads the x87's, which calls need not touch. */
static inline int rounding_now(void)
{
	volatile const float one = 1, little = 0x1p-30f;
	volatile const float above = one + little, below = one - little, beyond = -one - little;
	return above > 1 ? FE_UPWARD : beyond < -1 ? FE_DOWNWARD : below < 1 ? FE_TOWARDZERO : FE_TONEAREST;
}

#endif
