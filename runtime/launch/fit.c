/* Blocks and what a kernel's text demands of them (ir/predict/cover_block.c): which block satisfies
** it, and what a given one breaks. */
#include "base/arith.h"
#include "runtime/launch/launching.h"

/* A block in the making: sizes that are not chosen yet are 0. */
typedef struct Fitting {
    const IrCovers *covers;
    const kjit_arg *args;
    LaunchRequest request;
    const IrFit *by[3]; /* what the sizes were chosen by; NULL: nothing demands them */
    int64_t least[3];   /* no size may become smaller than that */
    int64_t limit;      /* threads of a block */
} Fitting;

/* What demands say of one axis; 0 where they say nothing. */
typedef struct Demands {
    int64_t equal, most, tight, close, loose;
    const IrFit *equal_by, *most_by, *tight_by, *close_by, *loose_by;
    int64_t room; /* the least FIT_MUST that is a FIT_MOST */
} Demands;

/* ---- what one demand says of an axis --------------------------------------------------------- */

static int count_size(const IrTerm *term, int axis)
{
    int count = 0;

    for (int i = 0; i < TERM_FACTS; i++)
        count += term->facts[i].kind == FACT_BLOCK && term->facts[i].axis == axis;
    return count;
}

/* A demand as weight * size + rest along an axis; false if more than that is not known. */
static bool as_line(const Fitting *f, const IrFit *fit, int axis, int64_t *weight, int64_t *rest)
{
    LaunchRequest request = f->request;

    request.block[axis] = 1;
    *weight = *rest = 0;
    for (int i = 0; i < fit->count; i++) {
        const IrTerm *term = &f->covers->terms[fit->first + i];
        int own = count_size(term, axis);
        int64_t value, *sum = own ? weight : rest;
        for (int k = 0; k < 3; k++) {
            if (!request.block[k] && count_size(term, k))
                return false;
        }
        if (own > 1 || !covers_term(term, &request, f->args, &value) ||
            __builtin_add_overflow(*sum, value, sum))
            return false;
    }
    return *weight != 0 && *weight != INT64_MIN && *rest != INT64_MIN;
}

/* What a demand leaves for the size along an axis; false if it says nothing of it. */
static bool solve(const Fitting *f, const IrFit *fit, int axis, IrFitKind *kind, int64_t *size)
{
    int64_t weight, rest;

    if (!as_line(f, fit, axis, &weight, &rest))
        return false;
    *kind = (IrFitKind)fit->kind;
    if (weight < 0 && *kind != FIT_EQUAL)
        *kind = *kind == FIT_MOST ? FIT_LEAST : FIT_MOST;
    rest = weight < 0 ? rest : -rest;
    weight = weight < 0 ? -weight : weight;
    *size = *kind == FIT_LEAST ? -floor_quotient(-rest, weight) : floor_quotient(rest, weight);
    return *kind != FIT_EQUAL || rest % weight == 0;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* A larger size that is demanded, in the place of a smaller one. */
static void take_larger(int64_t size, const IrFit *fit, int64_t *largest, const IrFit **by)
{
    if (size <= *largest)
        return;
    *largest = size;
    *by = fit;
}

static void take_demand(Demands *d, const IrFit *fit, IrFitKind kind, int64_t size)
{
    if (kind == FIT_MOST) {
        if (fit->force == FIT_MUST && (!d->room || size < d->room))
            d->room = size;
        if (!d->most || size < d->most) {
            d->most = size;
            d->most_by = fit;
        }
    } else if (kind == FIT_EQUAL) {
        if (!d->equal || fit->force > d->equal_by->force) {
            d->equal = size;
            d->equal_by = fit;
        }
    } else if (fit->tight == FIT_TIGHT) {
        take_larger(size, fit, &d->tight, &d->tight_by);
    } else if (fit->tight == FIT_CLOSE) {
        take_larger(size, fit, &d->close, &d->close_by);
    } else {
        take_larger(size, fit, &d->loose, &d->loose_by);
    }
}

/* Demands that no block of the device could satisfy are none. */
static Demands find_demands(const Fitting *f, int axis)
{
    Demands d = { 0 };

    for (int i = 0; i < f->covers->fit_count; i++) {
        IrFitKind kind;
        int64_t size;
        if (solve(f, &f->covers->fits[i], axis, &kind, &size) && size >= 1 && size <= f->limit)
            take_demand(&d, &f->covers->fits[i], kind, size);
    }
    if (d.equal && d.equal_by->force != FIT_MUST && d.room && d.equal > d.room)
        d.equal = 0;
    return d;
}

static bool names_extent(const Fitting *f, const IrFit *fit)
{
    for (int i = 0; i < fit->count; i++) {
        for (int k = 0; k < TERM_FACTS; k++) {
            if (f->covers->terms[fit->first + i].facts[k].kind == FACT_EXTENT)
                return true;
        }
    }
    return false;
}

/* The size for which a tile of `most` elements was made: without the one or two that keep rows
** apart in their banks, or hold a neighbour. */
static int64_t without_padding(const Fitting *f, const IrFit *fit, int64_t most, int64_t least)
{
    int64_t round = most - most % 16;

    return round && most - round <= 2 && round >= least && !names_extent(f, fit) ? round : most;
}

/* The size along an axis, or 0 if none is demanded. */
static int64_t choose_size(Fitting *f, int axis)
{
    const Demands d = find_demands(f, axis);
    int64_t least = d.close > d.loose ? d.close : d.loose;

    if (d.equal) {
        f->by[axis] = d.equal_by;
        f->least[axis] = d.equal;
        return d.equal;
    }
    f->least[axis] = d.tight > d.loose ? d.tight : d.loose;
    if (d.most && f->least[axis] > d.most)
        f->least[axis] = d.most;
    if (d.tight) {
        f->by[axis] = d.tight_by;
        return f->least[axis];
    }
    if (d.most) {
        f->by[axis] = d.most_by;
        return without_padding(f, d.most_by, d.most, least);
    }
    if (d.close) {
        f->by[axis] = d.close_by;
        return least;
    }
    return 0;
}

/* The axis to choose next: one that has a fixed size, else one of which anything is demanded, else
** the first; -1: all are chosen. */
static int next_axis(const Fitting *f, int axes)
{
    int next = -1, best = -1;

    for (int axis = 0; axis < axes; axis++) {
        if (f->request.block[axis])
            continue;
        const Demands d = find_demands(f, axis);
        int rank = d.equal ? 2 : d.tight || d.most || d.close;
        if (rank > best) {
            best = rank;
            next = axis;
        }
    }
    return next;
}

static uint64_t threads_of(const Fitting *f)
{
    const uint32_t *block = f->request.block;

    return (uint64_t)block[0] * block[1] * block[2];
}

/* Makes sizes smaller that may be, the last axis first, until the device has room. */
static void shrink(Fitting *f, int axes)
{
    for (int axis = axes - 1; axis >= 0; axis--) {
        uint32_t *size = &f->request.block[axis];
        while (threads_of(f) > (uint64_t)f->limit && *size > 1 && *size / 2 >= f->least[axis])
            *size /= 2;
    }
}

/* ---- what a block breaks --------------------------------------------------------------------- */

static bool is_broken(const Fitting *f, const IrFit *fit)
{
    int64_t sum = 0, value;

    for (int i = 0; i < fit->count; i++) {
        if (!covers_term(&f->covers->terms[fit->first + i], &f->request, f->args, &value) ||
            __builtin_add_overflow(sum, value, &sum))
            return false;
    }
    return fit->kind == FIT_EQUAL ? sum != 0 : fit->kind == FIT_MOST ? sum > 0 : sum < 0;
}

/* The firmest demand that a block breaks, and of those one that fixes a size; NULL: none. */
static const IrFit *find_broken(const Fitting *f, int force)
{
    const IrFit *found = NULL;
    int best = -1;

    for (int i = 0; i < f->covers->fit_count; i++) {
        const IrFit *fit = &f->covers->fits[i];
        int rank = 2 * fit->force + (fit->kind == FIT_EQUAL);
        if (fit->force >= force && rank > best && is_broken(f, fit)) {
            found = fit;
            best = rank;
        }
    }
    return found;
}

static const char *file_of(const kjit_kernel *kernel)
{
    const ModulePart *main = kernel->module->main;

    return main && main->path ? main->path : kjit_kernel_name(kernel);
}

/* "k.k:9 has room for 16 threads along x, not for 32". */
static void print_broken(char *out, size_t room, const Fitting *f, const IrFit *fit,
                         const kjit_kernel *kernel)
{
    static const char *const forms[] = {
        [FIT_EQUAL] = "%s:%d is for blocks of %lld threads along %c, not of %u",
        [FIT_MOST] = "%s:%d has room for %lld threads along %c, not for %u",
        [FIT_LEAST] = "%s:%d needs %lld threads along %c, not %u",
    };
    int64_t size = 0;
    IrFitKind kind = FIT_EQUAL;
    int axis = 0;

    while (axis < 3 && (!solve(f, fit, axis, &kind, &size) || size < 1))
        axis++;
    if (axis < 3)
        snprintf(out, room, forms[kind], file_of(kernel), fit->line, (long long)size, "xyz"[axis],
                 f -> request.block[axis]);
    else
        snprintf(out, room, "%s:%d is for other blocks", file_of(kernel), fit->line);
}

/* ---- for others ------------------------------------------------------------------------------ */

static Fitting fitting_of(const kjit_kernel *kernel, const Specialisation *spec,
                          const kjit_arg *args)
{
    Fitting f = { .covers = &spec->covers,
                  .args = args,
                  .request = { .grid = { 1, 1, 1 } },
                  .limit = kernel->module->context->device->limits.threads };

    if (spec->launch_bound && spec->launch_bound < f.limit)
        f.limit = spec->launch_bound;
    return f;
}

/* The lines that the sizes were chosen by. */
static void print_reasons(char *out, size_t room, const Fitting *f, const kjit_kernel *kernel)
{
    size_t used = 0;

    *out = 0;
    for (int axis = 0; axis < 3 && used < room; axis++) {
        if (f->by[axis])
            used += (size_t)snprintf(out + used, room - used, "; %s:%d asks for %u along %c",
                                     file_of(kernel), f->by[axis]->line, f->request.block[axis],
                                     "xyz"[axis]);
    }
}

static kjit_status refuse(const Fitting *f, const IrFit *broken, const kjit_kernel *kernel)
{
    char what[512], reasons[512];
    const uint32_t *block = f->request.block;

    if (broken)
        print_broken(what, sizeof what, f, broken, kernel);
    else
        snprintf(what, sizeof what, "%u x %u x %u are more than the %lld threads of a block",
                 block[0], block[1], block[2], (long long)f->limit);
    print_reasons(reasons, sizeof reasons, f, kernel);
    return error_set(KJIT_ARGUMENT,
                     "error: no block suits all of %s: %s%s\n"
                     "note: a block that is given is taken as it is (--grid GxB; block in "
                     "kjit_launch_config)",
                     kjit_kernel_name(kernel), what, reasons);
}

kjit_status fit_block(const kjit_kernel *kernel, const Specialisation *spec, const kjit_arg *args,
                      const uint32_t usual[3], uint32_t block[3])
{
    Fitting f = fitting_of(kernel, spec, args);
    bool any = false;

    for (int axis = spec->axes; axis < 3; axis++)
        f.request.block[axis] = 1;
    for (int axis; (axis = next_axis(&f, spec->axes)) >= 0;) {
        int64_t size = choose_size(&f, axis);
        any = any || size;
        if (!size)
            size = usual[axis] > f.least[axis] ? usual[axis] : f.least[axis];
        f.request.block[axis] = (uint32_t)size;
    }
    shrink(&f, spec->axes);
    const IrFit *broken = find_broken(&f, FIT_MUST);
    if (broken || (any && threads_of(&f) > (uint64_t)f.limit))
        return refuse(&f, broken, kernel);
    memcpy(block, f.request.block, sizeof f.request.block);
    return KJIT_OK;
}

bool fit_demands(const kjit_kernel *kernel, const Specialisation *spec, const kjit_arg *args)
{
    Fitting f = fitting_of(kernel, spec, args);
    const Demands d = find_demands(&f, 0);

    return d.equal || d.tight || d.most || d.close;
}

kjit_status kjit_misfit(kjit_kernel *kernel, const kjit_launch_config *config, const kjit_arg *args,
                        size_t count, char **misfit)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    kjit_launch_config room;
    const kjit_launch_config *own = config_read(config, &room);
    char text[512];
    Specialisation *spec;

    launch_clear_report();
    *misfit = NULL;
    KJIT_TRY(dispatch_describe(kernel, args, count, &spec));
    Fitting f = fitting_of(kernel, spec, args);
    KJIT_TRY(launch_check_config(own, kernel->module->context->device, spec, &f.request));
    const IrFit *broken = find_broken(&f, FIT_WARN);
    if (!broken)
        return KJIT_OK;
    print_broken(text, sizeof text, &f, broken, kernel);
    *misfit = memory_strdup(text);
    return *misfit ? KJIT_OK : error_memory();
}
