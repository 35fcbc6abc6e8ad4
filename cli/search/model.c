/* Bayesian optimisation: a Gaussian process over the measurements predicts mean and deviation of
** every configuration, and the one with the greatest expected improvement on the best is evaluated
** next.
**
** Spaces are discrete, with holes, so the acquisition function is computed for every configuration,
** or in large spaces for a sample that includes the neighbours of the best. Values are learnt as
** logarithms, since times differ by factors; parameters too where their values grow by factors, as
** 16, 32, 64.
**
** Estimates of the space, if any, are the prior mean, and the process learns the residuals: the
** first configuration is then a good guess already, and few values suffice. Space-filling initial
** points would take a large part of a small budget.
**
** A failed configuration has no time. A second process learns which ones work, and expected
** improvements are weighted by that probability: Gelbart, Snoek, Adams, "Bayesian optimization with
** unknown constraints", 2014; the classes are learnt by regression (Rasmussen, Williams, section
** 6.5). It has a linear trend, too, since most failures occur from some size on. */
#include "cli/search/search.h"

#include <math.h>

#include "cli/search/gp.h"

enum {
    LEARNT_MOST = 300,  /* points: fitting takes time of their third power */
    JUDGED_MOST = 2000, /* candidates per step */
    NEAR_BEST = 5,      /* best configurations whose neighbours are candidates */
    TUNED_ALWAYS = 24,  /* up to so many points the model's settings are chosen again at each
                           step */
    AHEAD_MOST = 64,    /* candidates that are announced */
    BATCH_BEGINS = 20   /* one in so many points is evaluated between fits */
};

/* The prior of whether a configuration works: 1 is yes, 0 is no. */
static const double WORK_MEAN = 0.8, WORK_DEVIATION = 0.5, WORK_TREND = 2, WORK_NOISE = 0.01;

typedef struct Model {
    Search *search;
    Gp gp;      /* of the values */
    Gp working; /* of whether configurations work */
    size_t failures;
    size_t dims;
    double **coordinates; /* per parameter and value */
    size_t *widths;       /* per parameter: its number of coordinates */
    double *x, *y;        /* training data */
    bool logarithms;
    struct Judged {
        size_t index;
        double promise, chance; /* expected improvement; a random number for ties */
    } * judged;
    size_t judged_count;
    uint32_t *step_judged, step; /* per configuration: the step in which it was a candidate last */
    size_t *neighbours, tuned_at;
} Model;

/* ---- coordinates ----------------------------------------------------------------------------- */

/* Numbers lie along one coordinate, by their logarithms if they grow by factors; other values have
** a coordinate each (one-hot), so that all are equally distant. */
static void value_coordinates(double *coordinates, const double *numbers, size_t count)
{
    double low = INFINITY, high = -INFINITY;
    if (!numbers) {
        for (size_t i = 0; i < count * count; i++)
            coordinates[i] = i / count == i % count ? M_SQRT1_2 : 0;
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
        coordinates[i] = to > from ? (at - from) / (to - from) : 0.5;
    }
}

static bool assign_coordinates(Model *model)
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
        value_coordinates(model->coordinates[i], space->numbers[i], count);
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

/* ---- learning -------------------------------------------------------------------------------- */

/* The logarithm of a value; for negative values, those of objectives to be maximised, minus that of
** its magnitude. */
static double scaled(const Model *model, double value)
{
    if (!model->logarithms)
        return value;
    return value > 0 ? log(value) : -log(-value);
}

/* The prior mean. */
static double expected(const Model *model, size_t index)
{
    const double *all = model->search->space->expected;
    return all && model->logarithms ? all[index] : 0;
}

/* Chooses training points: the best, for half of the limit, then the latest of the others. */
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

/* Whether all have one sign. */
static bool have_logarithms(const Search *search, const size_t *list, size_t count)
{
    size_t above = 0, below = 0;
    for (size_t i = 0; i < count; i++) {
        double value = search->values[list[i]];
        above += isfinite(value) && !(value < 0);
        below += isfinite(value) && !(value > 0);
    }
    return !above || !below;
}

static bool learn_working(Model *model, const size_t *list, size_t count)
{
    model->failures = 0;
    for (size_t i = 0; i < count; i++) {
        bool works = isfinite(model->search->values[list[i]]);
        locate(model, list[i], model->x + i * model->dims);
        model->y[i] = works;
        model->failures += !works;
    }
    return !model->failures || gp_learn(&model->working, model->x, model->y, count, false);
}

/* Settings are chosen again while there are few points, later whenever there are a tenth more. */
static bool learn_values(Model *model, const size_t *list, size_t count)
{
    const Search *search = model->search;
    size_t worked = 0;
    model->logarithms = have_logarithms(search, list, count);
    for (size_t i = 0; i < count; i++) {
        double value = search->values[list[i]];
        if (!isfinite(value))
            continue;
        locate(model, list[i], model->x + worked * model->dims);
        model->y[worked++] = scaled(model, value) - expected(model, list[i]);
    }
    bool tune = worked <= TUNED_ALWAYS || search->done * 10 >= model->tuned_at * 11;
    if (tune)
        model->tuned_at = search->done;
    return !worked || gp_learn(&model->gp, model->x, model->y, worked, tune);
}

static bool learn(Model *model)
{
    size_t list[LEARNT_MOST], count = choose_learnt(model, list);
    return learn_working(model, list, count) && learn_values(model, list, count);
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* The probability that a configuration works. */
static double works(Model *model, const double *x)
{
    double mean, deviation;
    if (!model->failures)
        return 1;
    gp_predict(&model->working, x, &mean, &deviation);
    return erfc((0.5 - mean) / hypot(deviation, 0.1) * M_SQRT1_2) / 2;
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

/* The weight of the deviation: exploration. It decreases towards the end of the budget, so that the
** last evaluations go where the mean is best. */
static double exploration_weight(const Search *search)
{
    size_t left = search->budget - search->done;
    return left < 10 ? 0.3 + 0.07 * (double)left : 1;
}

/* Expected improvement, weighted by the probability of working; as long as nothing has worked, the
** prior decides. */
static double promise(Model *model, size_t index)
{
    const Search *search = model->search;
    double x[model->dims + 1], mean, deviation;
    locate(model, index, x);
    if (search->best == SIZE_MAX)
        return exp(-expected(model, index)) * works(model, x);
    gp_predict(&model->gp, x, &mean, &deviation);
    mean += expected(model, index);
    deviation *= exploration_weight(search);
    double best = scaled(model, search->values[search->best]);
    return improvement(best, mean, deviation) * works(model, x);
}

static void judge(Model *model, size_t index)
{
    Search *search = model->search;
    if (search_known(search, index) || model->step_judged[index] == model->step ||
        model->judged_count == JUDGED_MOST)
        return;
    model->step_judged[index] = model->step;
    model->judged[model->judged_count++] =
        (struct Judged){ index, promise(model, index), search_uniform(search) };
}

/* Adds the neighbours of the best few. */
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
    return one->chance < other->chance ? -1 : one->chance > other->chance;
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

/* Evaluates the most promising candidate; with many points, several. Announces the next ones. */
static bool ask(Model *model)
{
    Search *search = model->search;
    size_t wanted = 1 + search->done / BATCH_BEGINS, list[AHEAD_MOST], count = 0;
    double value;
    for (; count < AHEAD_MOST && count < model->judged_count; count++)
        list[count] = model->judged[count].index;
    search_announce(search, list, count, wanted > 1);
    for (size_t i = 0; i < wanted && i < model->judged_count; i++)
        if (!search_value(search, model->judged[i].index, &value))
            return false;
    return true;
}

static bool prepare(Model *model)
{
    const SearchSpace *space = model->search->space;
    size_t room = space->count < LEARNT_MOST ? space->count : LEARNT_MOST;
    if (!assign_coordinates(model))
        return false;
    model->x = malloc((room * model->dims + 1) * sizeof *model->x);
    model->y = malloc(room * sizeof *model->y);
    model->judged = malloc(JUDGED_MOST * sizeof *model->judged);
    model->step_judged = calloc(space->count, sizeof *model->step_judged);
    model->neighbours = malloc(search_neighbour_room(space) * sizeof *model->neighbours);
    bool made = gp_new(&model->gp, model->dims, room);
    made = gp_new(&model->working, model->dims, room) && made;
    gp_settle(&model->working, WORK_MEAN, WORK_DEVIATION);
    model->working.trend = WORK_TREND;
    model->working.noise = WORK_NOISE;
    return made && model->x && model->y && model->judged && model->step_judged && model->neighbours;
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
    gp_free(&model->working);
}

bool search_model(Search *search)
{
    Model model = { .search = search, .logarithms = true };
    bool memory = prepare(&model), going = memory;
    while (going && !search_over(search)) {
        going = memory = learn(&model);
        if (going) {
            judge_all(&model);
            going = ask(&model);
        }
    }
    release(&model);
    return memory;
}
