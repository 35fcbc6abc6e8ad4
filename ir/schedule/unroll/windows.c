/* Loads of an unrolled loop that share what they read: several elements a few apart, all of which
** move by one from each iteration to the next, as of neighbouring outputs of a filter.
**
**     for k in 0 to n by 1
**         s0 = add(s0, mul(load(x, add(i, k)), load(w, k)))
**         s1 = add(s1, mul(load(x, add(add(i, 1), k)), load(w, k)))
** needs x[i + k] to x[i + k + 16] for 16 iterations, which come before them, by wide loads:
**     for _i in 0 to n - 18 by 16
**         x_held[0 to 20] = x[i + _i], ...
**         for _k in 0 to 16 by 1 unroll
**             s0 = add(s0, mul(load(x_held, _k), load(w_held, _k)))
**             s1 = add(s1, mul(load(x_held, add(_k, 1)), load(w_held, _k)))
**
** Legal where each of the loads may come before all iterations (unroll.c), none counts from an
** array's end, and enough iterations follow for every element of the last wide load to be one that
** the loop reads: the loop ends so much earlier, and what is left over goes on as it was. In front
** of its first element a wide load has others of the same 16 bytes, at which no row begins.
**
** Pays where wide loads begin at multiples of their width: else each element is loaded once, too,
** as the device's compiler sees which are the same. A load alone, as x[4 * i + k], is a window if
** they bring nothing but what it reads. */
#include "base/arith.h"
#include "ir/schedule/unroll/unroll.h"

enum { AHEAD_MOST = 64 }; /* elements between the first load of a window and the last */

/* Whether the other indices of an access are the same in all iterations. */
static bool others_stay(const Unroll *u, const Access *access, int along)
{
    for (int i = 0; i < access->count; i++)
        if (i != along && !sets_invariant(&u->accesses.sets, access->indices[i], NULL))
            return false;
    return true;
}

/* What a name for another variable stands for. */
static const IrValue *behind_names(const IrSets *sets, const IrValue *value)
{
    while (value && value->op == OP_var) {
        const IrValue *set = sets_value(sets, value->var);
        if (!set || set->op != OP_var || !sets_stable(sets, set))
            break;
        value = set;
    }
    return value;
}

/* The window that a load alone is; false if it is none. */
static bool window_of(const Unroll *u, const IrSets *sets, const Access *access, Window *window)
{
    const Type *type = access->array->type;
    int along = type->array.layout == LAYOUT_F ? 0 : type->array.rank - 1;
    if (type->array.layout == LAYOUT_A || type->array.rank == 0 || !others_stay(u, access, along) ||
        !ir_nonnegative(access->indices[along]))
        return false;
    const IrValue *at = affine_without(u->unit->arena, access->indices[along], u->loop->for_.var);
    if (!at)
        return false;
    *window = (Window){ .access = access, .along = along };
    window->rest = behind_names(sets, affine_split(sets, at, &window->first));
    window->last = window->first;
    return true;
}

static bool go_together(const Window *a, const Window *b)
{
    if (a->along != b->along || !ir_same_value(a->access->array, b->access->array) ||
        !a->rest != !b->rest || (a->rest && !affine_same(a->rest, b->rest)))
        return false;
    for (int i = 0; i < a->access->count; i++)
        if (i != a->along && !affine_same(a->access->indices[i], b->access->indices[i]))
            return false;
    return true;
}

/* Puts a load into the window it belongs to, or one of its own. */
static void enter(Unroll *u, Lifted *lifted, const Window *own)
{
    Window *window = u->windows;
    while (window < u->windows + u->window_count && !go_together(window, own))
        window++;
    lifted->window = (int)(window - u->windows);
    lifted->ahead = own->first;
    if (lifted->window == u->window_count)
        u->windows[u->window_count++] = *own;
    if (own->first < window->first) {
        window->first = own->first;
        window->access = own->access;
    }
    window->last = own->last > window->last ? own->last : window->last;
    window->count++;
}

static int elements_of(const Window *window)
{
    return WIDE_BYTES / (int)type_size(window->access->array->type->array.element);
}

/* Whether wide loads may bring it: several loads have it, or one has all that they bring. */
static bool may_be_wide(const Window *window)
{
    return window->count > 1 || (window->rest && window->first % elements_of(window) == 0);
}

static bool is_worth_it(const Unroll *u, const IrAffine *affine, const Window *window)
{
    int width = elements_of(window);
    return may_be_wide(window) && width > 1 && window->last - window->first <= AHEAD_MOST &&
           (!window->rest || affine_multiple(affine, window->rest) % width == 0) &&
           ir_rows_aligned(u->unit, window->access->array->var);
}

/* Leaves those windows that are worth it, which begin at multiples of a width. */
static void keep_best(Unroll *u)
{
    bool any = false;
    int kept = 0;
    for (int i = 0; i < u->window_count; i++)
        any |= may_be_wide(&u->windows[i]);
    const IrAffine affine = any ? ir_affine(u->unit, NULL) : (IrAffine){ 0 };
    for (int i = 0; i < u->window_count; i++) {
        Window window = u->windows[i];
        bool keep = is_worth_it(u, &affine, &window);
        int64_t first = window.first;
        window.first -= floor_rest(first, elements_of(&window));
        window.ahead = first - window.first;
        for (int k = 0; k < u->count; k++)
            if (u->lifted[k].window == i) {
                u->lifted[k].window = keep ? kept : NO_WINDOW;
                u->lifted[k].ahead -= window.first;
            }
        if (keep)
            u->windows[kept++] = window;
    }
    u->window_count = kept;
}

void windows_find(Unroll *u)
{
    const IrFunc *fn = u->unit->kernel;
    const IrSets sets = ir_sets(u->unit->arena, fn, &fn->body);
    Window own;
    for (int i = 0; i < u->count; i++) {
        u->lifted[i].window = NO_WINDOW;
        if (!u->lifted[i].wide && window_of(u, &sets, u->lifted[i].access, &own))
            enter(u, &u->lifted[i], &own);
    }
    if (u->window_count > 0)
        keep_best(u);
}

static int64_t elements_needed(const Unroll *u, const Window *window)
{
    return window->last - window->first + u->iterations;
}

int windows_pieces(const Unroll *u, const Window *window)
{
    return (int)((elements_needed(u, window) + u->width - 1) / u->width);
}

int windows_beyond(const Unroll *u)
{
    int most = 0;
    for (int i = 0; i < u->window_count && u->rows; i++) {
        const Window *window = &u->windows[i];
        int beyond = windows_pieces(u, window) * u->width - (int)elements_needed(u, window);
        most = beyond > most ? beyond : most;
    }
    return most;
}

/* ---- what is made ---------------------------------------------------------------------------- */

/* Appends a wide load of so many elements from `from` on. */
static void load_piece(const UnrollBuild *m, const Window *window, int from, int count, IrVar *at,
                       IrRegion *out)
{
    IrVar *wide = unroll_held(m, window->access, count);
    IrValue *load = unroll_wide(m, window->access, wide, at);
    IrValue **index = &load->operands[2 + window->along];
    *index = build_plus(m->b, *index, from - window->ahead);
    ir_append(out, ir_eval(m->b->arena, load, m->b->span));
    IrStmt *loop = unroll_new_loop(m, "_k", unroll_number(m, 0), unroll_number(m, count),
                                   unroll_number(m, 1), UNROLL_ALL);
    const IrVar *k = loop->for_.var;
    build_store(m->b, window->held, build_plus(m->b, k, from), NULL,
                build_load(m->b, wide, k, NULL), &loop->for_.body);
    ir_append(out, loop);
}

void windows_load(const UnrollBuild *m, const Window *window, IrVar *at, IrRegion *out)
{
    int all = windows_pieces(m->u, window) * m->u->width;
    int bytes = (int)type_size(window->access->array->type->array.element);
    for (int from = 0, count; from < all; from += count) {
        count = m->u->width;
        while (from + 2 * count <= all && 2 * count * bytes <= WIDEST_BYTES)
            count *= 2;
        load_piece(m, window, from, count, at, out);
    }
}
