/* DIALECT_CUDA: signed integers that may overflow. NVRTC has no -fwrapv: it assumes that they do
** not, and takes `a + 1 > a` for true. Where an operation may overflow it is done with unsigned
** numbers, which wrap. Most of what kernels compute are places in arrays, which are too small for
** that: they stay as they are written. */
#include "codegen/emit/emit.h"

bool may_overflow(const Emitter *e, const IrValue *value)
{
    const Type *type = value->type;

    if (e->dialect != DIALECT_CUDA || !type_is_integer(type))
        return false;
    if (value->op == OP_intrinsic)
        return value->intrinsic == INTR_abs &&
               magnitude_open_bits(e->magnitude, value) >= magnitude_type_bits(type);
    if (type_size(type) < 4) /* C computes with int */
        return value->op == OP_mul && magnitude_open_bits(e->magnitude, value) > 31;
    if (!type_is_signed(type))
        return false;
    switch ((int)value->op) {
    case OP_add:
    case OP_sub:
    case OP_mul:
        /* Of 32 bits narrow.c alone makes them, of what fits; a negation may be the user's. */
        return !(type_size(type) == 4 && e->unit->narrow) &&
               magnitude_open_bits(e->magnitude, value) > magnitude_type_bits(type);
    case OP_neg:
        return magnitude_open_bits(e->magnitude, value) >= magnitude_type_bits(type);
    default:
        return false;
    }
}
