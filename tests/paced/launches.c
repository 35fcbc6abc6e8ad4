/* Launches that take as long as they say: tests/paced/paced.h. */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/measure/clock.h"
#include "cli/measure/load.h"
#include "cli/measure/measure.h"
#include "include/kjit.h"
#include "tests/paced/paced.h"

typedef struct Launch {
    const kjit_prepared *prepared;
    const kjit_kernel *kernel;
    double *took, *waited; /* NULL: it does not say */
    bool asks;             /* how often it was launched */
    struct Launch *next;
} Launch;

static const double TICK_MS = 1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static Launch *launches;
static double now_ms, waited_ms;

/* How often a kernel was launched, whatever was prepared for that. */
typedef struct Count {
    const kjit_kernel *kernel;
    double launches;
    struct Count *next;
} Count;

static Count *counts;

double __wrap_clock_of_launches(void);
void __wrap_load_read(Load *load);
kjit_status __wrap_measure_peaks(kjit_context *context, Peaks *peaks);
kjit_status __real_kjit_device_facts(kjit_context *context, kjit_device_info *info);
kjit_status __wrap_kjit_device_facts(kjit_context *context, kjit_device_info *info);
kjit_status __real_kjit_prepare(kjit_kernel *kernel, const kjit_launch_config *config,
                                const kjit_arg *args, size_t count, kjit_prepared **prepared);
kjit_status __wrap_kjit_prepare(kjit_kernel *kernel, const kjit_launch_config *config,
                                const kjit_arg *args, size_t count, kjit_prepared **prepared);
kjit_status __real_kjit_launch_prepared(kjit_prepared *prepared);
kjit_status __wrap_kjit_launch_prepared(kjit_prepared *prepared);
void __real_kjit_close_prepared(kjit_prepared *prepared);
void __wrap_kjit_close_prepared(kjit_prepared *prepared);

double __wrap_clock_of_launches(void)
{
    pthread_mutex_lock(&lock);
    double seconds = now_ms / 1e3;
    pthread_mutex_unlock(&lock);
    return seconds;
}

void __wrap_load_read(Load *load)
{
    pthread_mutex_lock(&lock);
    *load = (Load){ .wall = now_ms / 1e3,
                    .processor = (now_ms - waited_ms) / 1e3,
                    .waited = waited_ms / 1e3,
                    .processors = 1 };
    pthread_mutex_unlock(&lock);
}

kjit_status __wrap_measure_peaks(kjit_context *context, Peaks *peaks)
{
    (void)context;
    *peaks = (Peaks){ .copy_gbs = 100, .float32_gflops = 2000, .float64_gflops = 1000, .tries = 2 };
    return KJIT_OK;
}

kjit_status __wrap_kjit_device_facts(kjit_context *context, kjit_device_info *info)
{
    kjit_status status = __real_kjit_device_facts(context, info);

    info->l2_bytes = 1 << 20;
    return status;
}

static const kjit_array *find_array(const char *name, const kjit_kernel *kernel,
                                    const kjit_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(kjit_param_name(kernel, i), name) && args[i].kind == KJIT_ARG_ARRAY &&
            args[i].as.array.dtype == KJIT_DTYPE_FLOAT64)
            return &args[i].as.array;
    return NULL;
}

kjit_status __wrap_kjit_prepare(kjit_kernel *kernel, const kjit_launch_config *config,
                                const kjit_arg *args, size_t count, kjit_prepared **prepared)
{
    kjit_status status = __real_kjit_prepare(kernel, config, args, count, prepared);
    Launch *launch = status == KJIT_OK ? malloc(sizeof *launch) : NULL;

    if (!launch)
        return status;
    const kjit_array *took = find_array("took", kernel, args, count);
    const kjit_array *waited = find_array("waited", kernel, args, count);
    *launch = (Launch){ .prepared = *prepared,
                        .kernel = kernel,
                        .took = took ? took->data : NULL,
                        .asks = took && took->shape[0] > 1,
                        .waited = waited ? waited->data : NULL };
    pthread_mutex_lock(&lock);
    launch->next = launches;
    launches = launch;
    pthread_mutex_unlock(&lock);
    return status;
}

static Count *count_of(const kjit_kernel *kernel)
{
    Count *count = counts;

    while (count && count->kernel != kernel)
        count = count->next;
    if (count)
        return count;
    count = calloc(1, sizeof *count);
    if (!count)
        abort();
    count->kernel = kernel;
    count->next = counts;
    return counts = count;
}

static void tell_count(const kjit_prepared *prepared)
{
    for (const Launch *launch = launches; launch; launch = launch->next)
        if (launch->prepared == prepared && launch->took) {
            double before = count_of(launch->kernel)->launches++;
            if (launch->asks)
                launch->took[1] = before;
        }
}

kjit_status __wrap_kjit_launch_prepared(kjit_prepared *prepared)
{
    double ms = 0, waited = 0;

    pthread_mutex_lock(&lock);
    tell_count(prepared);
    pthread_mutex_unlock(&lock);
    kjit_status status = __real_kjit_launch_prepared(prepared);
    pthread_mutex_lock(&lock);
    for (const Launch *launch = launches; launch; launch = launch->next)
        if (launch->prepared == prepared && launch->took) {
            ms = *launch->took;
            *launch->took = 0;
            waited = launch->waited ? *launch->waited : 0;
        }
    now_ms += (isfinite(ms) && ms > 0 ? ms : TICK_MS) + waited;
    waited_ms += waited;
    pthread_mutex_unlock(&lock);
    if (isinf(ms))
        paced_hang();
    return status;
}

void __wrap_kjit_close_prepared(kjit_prepared *prepared)
{
    pthread_mutex_lock(&lock);
    for (Launch **at = &launches; *at; at = &(*at)->next)
        if ((*at)->prepared == prepared) {
            Launch *gone = *at;
            *at = gone->next;
            free(gone);
            break;
        }
    pthread_mutex_unlock(&lock);
    __real_kjit_close_prepared(prepared);
}
