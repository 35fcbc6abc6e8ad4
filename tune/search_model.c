/* A search led by a model: a Gaussian process over what was measured says of every configuration
** what to expect and how sure that is, and the one whose expected improvement on the best is
** greatest comes next.
**
** Spaces are what they are, lists of configurations with holes, so nothing is optimised over a
** continuum: every configuration is judged, or in large spaces some of them, among them all that
** lie near the best. Values are learnt as logarithms, since times differ by factors; parameters too
** where their values grow by factors, as 16, 32, 64. A configuration that failed says nothing of
** times, and is not learnt; but how many failed nearby lessens what a place promises. */
#include "tune/search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tune/gp.h"

enum {
    LEARNT_MOST = 300,  /* points: learning takes the third power of them */
    TRIED_MOST = 500,   /* whose failures are looked at */
    JUDGED_MOST = 2000, /* configurations a step */
    NEAR_BEST = 5,      /* whose neighbours are judged */
    TUNED_ALWAYS = 24,  /* points up to which the model's settings are chosen anew each time */
    AHEAD_MOST = 64,    /* that are said to come */
    BATCH_BEGINS = 20   /* one in so many points is asked for before the next learning */
};

static const double NEAR = 0.2; /* in coordinates: configurations alike */

typedef struct Model {
    Search *search;
    Gp gp;
    size_t dims;
    double **coordinates; /* of a parameter: its values' */
    size_t *widths;       /* of a parameter: coordinates it takes */
    double *x, *y;        /* what is learnt */
    bool logarithms;
    struct Judged {
        size_t index;
        double promise;
    } * judged;
    size_t judged_count;
    uint32_t *step_judged, step; /* in which step a configuration was judged last */
    size_t *neighbours, tuned_at;
} Model;

/* ---- coordinates ----------------------------------------------------------------------------- */

/* Values that are numbers lie along one coordinate, by their logarithms if they grow by factors;
** others have one each, so that all are equally far from one another. */
static void place_values(double *place, const double *numbers, size_t count)
{
    double low = INFINITY, high = -INFINITY;
    if (!numbers) {
        for (size_t i = 0; i < count * count; i++)
            place[i] = i / count == i % count ? M_SQRT1_2 : 0;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, numbers[i]);
        high = fmax(high, numbers[i]);
    }
    bool factors = low > 0 && high / low >= 4;
    double from = factors ? log(low) : low, to = factors ? log(high) : high;
    for (size_t i = 0; i < count; i++) {
        double at = factors ? log(numbers[i]) : numbers[i];
        place[i] = to > from ? (at - from) / (to - from) : 0.5;
    }
}

static bool place_params(Model *model)
{
    const SearchSpace *space = model->search->space;
    model->coordinates = calloc(space->params + 1, sizeof *model->coordinates);
    model->widths = calloc(space->params + 1, sizeof *model->widths);
    if (!model->coordinates || !model->widths)
        return false;
    for (size_t i = 0; i < space->params; i++) {
        size_t count = space->value_counts[i], width = space->numbers[i] ? 1 : count;
        model->widths[i] = width;
        model->dims += width;
        model->coordinates[i] = malloc((count * width + 1) * sizeof **model->coordinates);
        if (!model->coordinates[i])
            return false;
        place_values(model->coordinates[i], space->numbers[i], count);
    }
    return true;
}

static void locate(const Model *model, size_t index, double *x)
{
    const uint32_t *config = search_config(model->search->space, index);
    for (size_t i = 0; i < model->search->space->params; i++) {
        size_t width = model->widths[i];
        memcpy(x, model->coordinates[i] + config[i] * width, width * sizeof *x);
        x += width;
    }
}

static double distance(const Model *model, size_t one, size_t other)
{
    double a[model->dims + 1], b[model->dims + 1], squares = 0;
    locate(model, one, a);
    locate(model, other, b);
    for (size_t i = 0; i < model->dims; i++)
        squares += (a[i] - b[i]) * (a[i] - b[i]);
    return squares;
}

/* ---- the beginning --------------------------------------------------------------------------- */

/* So many points before there is a model: a third of the budget, and not more than say where the
** plane inclines. */
static size_t beginning(const Model *model)
{
    size_t wanted = model->dims + 2, third = model->search->budget / 3;
    size_t least = third < 2 ? 2 : third;
    return wanted < least ? wanted : least;
}

/* Of some by chance that which is farthest from all that are known. */
static size_t farthest(Model *model)
{
    Search *search = model->search;
    double most = -1;
    size_t best = SIZE_MAX;
    for (int i = 0; i < 64; i++) {
        size_t index = search_unknown(search);
        double nearest = INFINITY;
        for (size_t k = 0; k < search->done; k++)
            nearest = fmin(nearest, distance(model, index, search->order[k]));
        if (nearest > most) {
            most = nearest;
            best = index;
        }
    }
    return best;
}

static void begin(Model *model)
{
    Search *search = model->search;
    double value;
    for (size_t count = beginning(model); search->done < count && !search_over(search);) {
        size_t index = farthest(model);
        search_coming(search, &index, 1, true);
        if (!search_value(search, index, &value))
            break;
    }
}

/* ---- learning -------------------------------------------------------------------------------- */

static double scaled(const Model *model, double value)
{
    return model->logarithms ? log(value) : value;
}

/* The best half of what may be learnt, and of the rest that which came last. */
static size_t choose_learnt(const Model *model, size_t *list)
{
    const Search *search = model->search;
    size_t count = 0;
    if (search->done <= LEARNT_MOST) {
        memcpy(list, search->order, search->done * sizeof *list);
        return search->done;
    }
    for (size_t i = 0; i < search->done; i++) {
        size_t index = search->order[i], at = count;
        if (count == LEARNT_MOST / 2 && search->values[index] >= search->values[list[count - 1]])
            continue;
        at = count < LEARNT_MOST / 2 ? count++ : count - 1;
        for (; at > 0 && search->values[list[at - 1]] > search->values[index]; at--)
            list[at] = list[at - 1];
        list[at] = index;
    }
    for (size_t i = search->done; count < LEARNT_MOST && i-- > 0;) {
        bool there = false;
        for (size_t k = 0; k < LEARNT_MOST / 2 && !there; k++)
            there = list[k] == search->order[i];
        if (!there)
            list[count++] = search->order[i];
    }
    return count;
}

/* Settings are chosen anew while there are few points, later when there are a tenth more. */
static bool learn(Model *model)
{
    const Search *search = model->search;
    size_t list[LEARNT_MOST], count = choose_learnt(model, list), worked = 0;

    model->logarithms = true;
    for (size_t i = 0; i < count; i++)
        model->logarithms = model->logarithms && search->values[list[i]] > 0;
    for (size_t i = 0; i < count; i++) {
        double value = search->values[list[i]];
        if (!isfinite(value))
            continue;
        locate(model, list[i], model->x + worked * model->dims);
        model->y[worked++] = scaled(model, value);
    }
    bool tune = worked <= TUNED_ALWAYS || search->done * 10 >= model->tuned_at * 11;
    if (tune)
        model->tuned_at = search->done;
    return gp_learn(&model->gp, model->x, model->y, worked, tune);
}

/* ---- judging --------------------------------------------------------------------------------- */

/* How likely it is that a configuration works: of those that were tried, weighed by how near they
** are. */
static double works(const Model *model, const double *x)
{
    const Search *search = model->search;
    double other[model->dims + 1], good = 1, all = 1;
    size_t first = search->done > TRIED_MOST ? search->done - TRIED_MOST : 0;
    for (size_t i = first; i < search->done; i++) {
        double squares = 0;
        locate(model, search->order[i], other);
        for (size_t d = 0; d < model->dims; d++)
            squares += (other[d] - x[d]) * (other[d] - x[d]);
        double weight = 2 * exp(-squares / (2 * NEAR * NEAR));
        all += weight;
        good += isfinite(search->values[search->order[i]]) ? weight : 0;
    }
    return good / all;
}

/* Expected improvement: Jones, Schonlau, Welch, "Efficient global optimization of expensive
** black-box functions", 1998, equation 15. */
static double improvement(double best, double mean, double deviation)
{
    if (!(deviation > 0))
        return fmax(best - mean, 0);
    double z = (best - mean) / deviation;
    return deviation * (z * erfc(-z * M_SQRT1_2) / 2 + exp(-z * z / 2) / sqrt(2 * M_PI));
}

/* How much of the deviation counts. What is learnt from a doubtful place is of use to those who can
** still go there: the last few go where the mean is best. */
static double curiosity(const Search *search)
{
    size_t left = search->budget - search->done;
    return left < 10 ? 0.3 + 0.07 * (double)left : 1;
}

static void judge(Model *model, size_t index)
{
    Search *search = model->search;
    double x[model->dims + 1], mean, deviation;
    if (search_known(search, index) || model->step_judged[index] == model->step ||
        model->judged_count == JUDGED_MOST)
        return;
    model->step_judged[index] = model->step;
    locate(model, index, x);
    gp_predict(&model->gp, x, &mean, &deviation);
    double best = scaled(model, search->values[search->best]);
    double promise = improvement(best, mean, deviation * curiosity(search));
    model->judged[model->judged_count++] = (struct Judged){ index, promise * works(model, x) };
}

/* The neighbours of the best few. */
static void judge_near_best(Model *model)
{
    Search *search = model->search;
    size_t best[NEAR_BEST], count = 0;
    for (size_t i = 0; i < search->done; i++) {
        size_t index = search->order[i], at;
        if (count == NEAR_BEST && search->values[index] >= search->values[best[count - 1]])
            continue;
        at = count < NEAR_BEST ? count++ : count - 1;
        for (; at > 0 && search->values[best[at - 1]] > search->values[index]; at--)
            best[at] = best[at - 1];
        best[at] = index;
    }
    for (size_t i = 0; i < count; i++) {
        size_t neighbours = search_neighbours(search, best[i], model->neighbours);
        for (size_t k = 0; k < neighbours; k++)
            judge(model, model->neighbours[k]);
    }
}

static int more_promising(const void *a, const void *b)
{
    const struct Judged *one = a, *other = b;
    if (one->promise != other->promise)
        return one->promise < other->promise ? 1 : -1;
    return one->index < other->index ? -1 : one->index > other->index;
}

static void judge_all(Model *model)
{
    Search *search = model->search;
    size_t count = search->space->count;
    model->judged_count = 0;
    model->step++;
    if (count - search->done <= JUDGED_MOST) {
        for (size_t i = 0; i < count; i++)
            judge(model, i);
    } else {
        judge_near_best(model);
        for (int i = 0; i < JUDGED_MOST; i++)
            judge(model, search_unknown(search));
    }
    qsort(model->judged, model->judged_count, sizeof *model->judged, more_promising);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Asks for the most promising; where there are many points, for several. Those that come next are
** likely to be asked for soon. */
static bool ask(Model *model)
{
    Search *search = model->search;
    size_t wanted = 1 + search->done / BATCH_BEGINS, list[AHEAD_MOST], count = 0;
    double value;
    for (; count < AHEAD_MOST && count < model->judged_count; count++)
        list[count] = model->judged[count].index;
    search_coming(search, list, count, wanted > 1);
    for (size_t i = 0; i < wanted && i < model->judged_count; i++)
        if (!search_value(search, model->judged[i].index, &value))
            return false;
    return true;
}

/* Where everything failed so far nothing is learnt: far away is the best guess. */
static bool ask_far(Model *model)
{
    double value;
    size_t index = farthest(model);
    search_coming(model->search, &index, 1, true);
    return search_value(model->search, index, &value);
}

static bool prepare(Model *model)
{
    const SearchSpace *space = model->search->space;
    size_t room = space->count < LEARNT_MOST ? space->count : LEARNT_MOST;
    if (!place_params(model))
        return false;
    model->x = malloc((room * model->dims + 1) * sizeof *model->x);
    model->y = malloc(room * sizeof *model->y);
    model->judged = malloc(JUDGED_MOST * sizeof *model->judged);
    model->step_judged = calloc(space->count, sizeof *model->step_judged);
    model->neighbours = malloc(search_neighbour_room(space) * sizeof *model->neighbours);
    return gp_new(&model->gp, model->dims, room) && model->x && model->y && model->judged &&
           model->step_judged && model->neighbours;
}

static void release(Model *model)
{
    for (size_t i = 0; model->coordinates && i < model->search->space->params; i++)
        free(model->coordinates[i]);
    free(model->coordinates);
    free(model->widths);
    free(model->x);
    free(model->y);
    free(model->judged);
    free(model->step_judged);
    free(model->neighbours);
    gp_free(&model->gp);
}

bool search_model(Search *search)
{
    Model model = { .search = search };
    bool going = prepare(&model), memory = going;
    if (going)
        begin(&model);
    while (going && !search_over(search)) {
        if (search->best == SIZE_MAX) {
            going = ask_far(&model);
            continue;
        }
        going = memory = learn(&model);
        if (going) {
            judge_all(&model);
            going = ask(&model);
        }
    }
    release(&model);
    return memory;
}
