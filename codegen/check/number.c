/* DIALECT_CHECK: arithmetic that may fail, each operation by a function of prelude/check.c that
** reports to the checker: division by zero, shifts, overflow of indices, floats that do not fit an
** integer and, with IrUnit.nan, operations that produce NaN or infinity. */
#include "codegen/check/check.h"

/* ---- operations ------------------------------------------------------------------------------ */

/* The piece that computes an operation of floats and reports NaN and infinity; NULL for others. */
static const char *finite_piece(const IrValue *value)
{
    if (type_is_complex(value->operands[0]->type))
        return value->op == OP_add   ? "finite_complex_add"
               : value->op == OP_sub ? "finite_complex_sub"
               : value->op == OP_mul ? "finite_complex_mul"
               : value->op == OP_div ? "finite_complex_div"
                                     : NULL;
    switch ((int)value->op) {
    case OP_add:
        return "finite_add";
    case OP_sub:
        return "finite_sub";
    case OP_mul:
        return "finite_mul";
    case OP_div:
        return "finite_div";
    case OP_floordiv:
        return "finite_floor_div";
    case OP_mod:
        return "finite_floor_mod";
    case OP_pow:
        return type_is_float(value->operands[1]->type) ? "finite_pow" : "finite_pow_int";
    default:
        return NULL;
    }
}

/* Whether a divisor cannot be 0, or x / 0 is defined to be 0: NumPy's, in the standard library. */
static bool divides_freely(const IrValue *value)
{
    const IrValue *by = value->operands[1];
    const Source *source = value->span.source;
    bool library = source && !strncmp(source->name, "std:", 4);

    return (by->op == OP_constant && by->constant.integer) ||
           (library && strcmp(source->name, "std:operator") != 0);
}

/* Whether it is arithmetic of a small unsigned type that goes into an index: the access decides
** whether it may wrap. */
static bool is_cut(const Emitter *e, const IrValue *value)
{
    CheckIndex index = check_index(e, value);

    return value->op != OP_cast && index.kind == INDEX_CUT && index.number < CHECK_WRAPS;
}

/* Whether a number is computed from elements of arrays, not from a thread's index alone. */
static bool reads_data(const Emitter *e, const IrValue *value, int depth)
{
    if (value->op == OP_load || value->op == OP_call || depth > 8)
        return true;
    if (value->op == OP_var && (value->var->kind == VAR_PARAM || !e->vars[value->var->id].only))
        return value->var->kind != VAR_PARAM && e->vars[value->var->id].sets > 1;
    if (value->op == OP_var)
        return reads_data(e, e->vars[value->var->id].only, depth + 1);
    for (int i = 0; i < value->count; i++)
        if (reads_data(e, value->operands[i], depth + 1))
            return true;
    return false;
}

/* The piece that computes an operation that may fail; NULL for others. */
static const char *checked_piece(const Emitter *e, const IrValue *value)
{
    const IrValue *last = value->count ? value->operands[value->count - 1] : NULL;

    if (last && !type_is_integral(value->operands[0]->type))
        return e->unit->nan ? finite_piece(value) : NULL;
    if (!last || !type_is_integer(value->operands[0]->type))
        return NULL;
    bool index = check_index(e, value).kind == INDEX_EXACT;
    bool known = last->op == OP_constant;
    switch ((int)value->op) {
    case OP_floordiv:
        return divides_freely(value) ? NULL : "check_floor_div";
    case OP_mod:
        return divides_freely(value) ? NULL : "check_floor_mod";
    case OP_shl:
    case OP_shr:
        known = known && last->constant.integer >= 0 &&
                last->constant.integer < (int64_t)(8 * type_size(last->type));
        if (index)
            return "index_shl";
        return known ? NULL : value->op == OP_shl ? "check_shl" : "check_shr";
    case OP_add:
        return index ? "index_add" : NULL;
    case OP_sub:
        return index ? "index_sub" : NULL;
    case OP_mul:
        return index ? "index_mul" : NULL;
    case OP_neg:
        return index ? "index_neg" : NULL;
    default:
        return NULL;
    }
}

bool check_may_fail(const Emitter *e, const IrValue *value)
{
    return is_cut(e, value) || checked_piece(e, value) != NULL;
}

/* Arguments `c, site` for index arithmetic. */
static const char *index_site(Emitter *e, const IrValue *value, const char *what)
{
    const char *site = check_site_args(e, value->span, what);
    int number = check_index(e, value).number;

    e->check->sites[e->check->site_count - 1].wraps = number < CHECK_WRAPS ? 1 + number : 0;
    return site;
}

/* Template for arithmetic of a small unsigned type. */
static const char *cut_template(Emitter *e, const IrValue *value)
{
    static const char *const signs[OP_COUNT] = {
        [OP_add] = "(long long)%0 + %1",         [OP_sub] = "(long long)%0 - %1",
        [OP_mul] = "(long long)%0 * %1",         [OP_neg] = "-(long long)%0",
        [OP_shl] = "(long long)%0 << (%1 & 15)",
    };

    return arena_printf(e->arena, "%%{cut}(%s, %d, %d, %s)",
                        index_site(e, value, ir_ops[value->op].name), check_index(e, value).number,
                        reads_data(e, value, 0), signs[value->op]);
}

const char *check_operator_template(Emitter *e, const IrValue *value)
{
    if (is_cut(e, value))
        return cut_template(e, value);
    const char *site = index_site(e, value, ir_ops[value->op].name);
    return arena_printf(e->arena, "%%{%s}(%s, %%0%s)", checked_piece(e, value), site,
                        value->count > 1 ? ", %1" : "");
}

/* Whether an intrinsic is a mathematical function: math's, cuda's, libdevice's. */
static bool is_function(IrIntrinsic intrinsic)
{
    return (intrinsic >= INTR_acos && intrinsic <= INTR_ldexp) || intrinsic == INTR_cbrt ||
           intrinsic == INTR_fma ||
           (intrinsic > INTR_ufunc_refuse_this && intrinsic < INTR_np_shape);
}

bool check_tests_finite(const Emitter *e, const IrValue *value)
{
    if (!e->unit->nan || !is_function(value->intrinsic) || !type_is_float(value->type) ||
        !value->count || !type_is_float(value->operands[0]->type))
        return false;
    for (int i = 0; i < value->count; i++)
        if (!type_is_float(value->operands[i]->type) && !type_is_integer(value->operands[i]->type))
            return false;
    return true;
}

const char *check_finite_piece(const IrValue *value)
{
    return value->count == 3 && type_is_float(value->operands[2]->type) ? "check_finite_3"
                                                                        : "check_finite";
}

/* ---- conversions ----------------------------------------------------------------------------- */

bool check_narrows_index(const Emitter *e, const IrValue *cast)
{
    CheckIndex index = check_index(e, cast);

    return index.kind == INDEX_EXACT || (index.kind && index.number < CHECK_WRAPS);
}

const char *check_index_cast(Emitter *e, const IrValue *cast)
{
    const IrValue *from = cast->operands[0];
    CheckIndex index = check_index(e, cast);
    const char *piece = from->type == type_uint64 ? "index_cast_from_u64" : "index_cast";
    const char *site = index_site(e, cast, "cast"), *text = value_text(e, from, PREC_ARGUMENT);

    if (index.kind == INDEX_EXACT)
        return arena_printf(e->arena, "%s(%s, %s)", prelude(e, piece, cast->type), site, text);
    piece = index.kind == INDEX_CUT ? "cut" : "stored_cut";
    return arena_printf(e->arena, "%s(%s, %d, %d, %s)", prelude(e, piece, cast->type), site,
                        index.number, reads_data(e, from, 0), text);
}

const char *check_used_index(Emitter *e, const IrValue *index, const char *text, const char *array,
                             const char *extent)
{
    uint64_t mask = check_index_mask(e, index);

    if (!mask)
        return text;
    int site = check_site(e, index->span, array, "index", 1);
    return arena_printf(e->arena, "%s(%s, %d, %uu, %uu, %s, %s)", prelude(e, "used_index", NULL),
                        e->context_arg, site, (unsigned)mask, (unsigned)(mask >> 32), text, extent);
}

const char *check_narrowed(Emitter *e, const Type *to, const char *text, Span span)
{
    const char *end = to == type_float32           ? "0x1.ffffffp127"
                      : to->kind == TY_FLOAT16     ? "65520"
                      : to->kind == TY_FLOAT8_E5M2 ? "61440"
                      : to->kind == TY_FLOAT8_E4M3 ? "0x1.d00002p8"
                                                   : "0x1.ffp127";

    if (e->dialect != DIALECT_CHECK || !e->unit->nan)
        return text;
    return arena_printf(e->arena, "%s(%s, %s, %s)", prelude(e, "narrows", NULL),
                        check_site_args(e, span, "conversion"), text, end);
}

const char *check_cast_argument(Emitter *e, const Type *to, const char *text, Span span)
{
    return arena_printf(e->arena, "%s(%s, %s)", prelude(e, "fits", to),
                        check_site_args(e, span, "cast"), text);
}
