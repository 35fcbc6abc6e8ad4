/* The machine's load, from the system's own accounts: proc_pid_stat(5) and proc_stat(5), and of the
** time that threads wait for a processor "schedstat" (Documentation/scheduler/sched-stats.rst of
** Linux). */
#include "cli/measure/load.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "cli/measure/clock.h"

/* What a thread is taken to wait each time that it is displaced, where the system counts only how
** often that is: the least that Linux gives the next one as a rule. */
static const double DISPLACED = 0.001;

static double process_seconds(void)
{
    struct timespec had;

    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &had) != 0)
        return 0;
    return (double)had.tv_sec + (double)had.tv_nsec / 1e9;
}

/* A thread's accounts: nanoseconds on a processor, nanoseconds of waiting for one, time slices. */
static bool add_thread(Load *load, const char *thread)
{
    char path[300];
    unsigned long long ran, waited, slices;

    snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", thread);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool known = fscanf(file, "%llu %llu %llu", &ran, &waited, &slices) == 3;
    fclose(file);
    if (known) {
        load->waited += (double)waited / 1e9;
        load->slices += (double)slices;
    }
    return known;
}

static void read_threads(Load *load)
{
    DIR *threads = opendir("/proc/self/task");
    struct rusage usage;
    bool known = false;

    for (struct dirent *entry; threads && (entry = readdir(threads));)
        if (entry->d_name[0] != '.')
            known = add_thread(load, entry->d_name) || known;
    if (threads)
        closedir(threads);
    if (!known && getrusage(RUSAGE_SELF, &usage) == 0)
        load->waited = DISPLACED * (double)usage.ru_nivcsw;
}

/* Of one processor's line: all but the fourth and fifth number, which are idle, and the last two,
** which are in the first already. */
static double busy_seconds(const char *line, int *processor)
{
    unsigned long long of[8] = { 0 };
    int found = sscanf(line, "cpu%d %llu %llu %llu %llu %llu %llu %llu %llu", processor, &of[0],
                       &of[1], &of[2], &of[3], &of[4], &of[5], &of[6], &of[7]);

    if (found < 5)
        return -1;
    return (double)(of[0] + of[1] + of[2] + of[5] + of[6] + of[7]) / (double)sysconf(_SC_CLK_TCK);
}

/* The processors' busy time that was not this process's own. */
static void read_processors(Load *load)
{
    char line[512];
    cpu_set_t allowed;
    FILE *file = fopen("/proc/stat", "re");
    double busy = 0;

    if (!file)
        return;
    bool limited = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    while (fgets(line, sizeof line, file)) {
        int processor = -1;
        double seconds = busy_seconds(line, &processor);
        if (seconds < 0 || (limited && !CPU_ISSET((size_t)processor, &allowed)))
            continue;
        load->processors++;
        busy += seconds;
    }
    fclose(file);
    if (load->processors)
        load->others = busy - load->processor;
}

void load_read(Load *load)
{
    *load = (Load){ .wall = clock_of_launches(), .processor = process_seconds() };
    read_threads(load);
    read_processors(load);
}
