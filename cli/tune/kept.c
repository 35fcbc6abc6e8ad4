/* The fastest configurations stay compiled and loaded, since they will be measured again. */
#include "cli/tune/child.h"

void kept_add(Child *child, Job *job, double ms)
{
    size_t worst = 0;
    for (size_t i = 0; i < KEPT; i++) {
        if (!child->kept[i]) {
            child->kept[i] = job;
            child->kept_ms[i] = ms;
            return;
        }
        if (child->kept_ms[i] > child->kept_ms[worst])
            worst = i;
    }
    if (ms < child->kept_ms[worst]) {
        Job *former = child->kept[worst];
        child->kept[worst] = job;
        child->kept_ms[worst] = ms;
        job = former;
    }
    job_free(job);
}

Job *kept_find(Child *child, size_t id)
{
    for (size_t i = 0; i < KEPT; i++)
        if (child->kept[i] && child->kept[i]->id == id)
            return child->kept[i];
    return NULL;
}

void kept_free(Child *child)
{
    for (size_t i = 0; i < KEPT; i++) {
        job_free(child->kept[i]);
        child->kept[i] = NULL;
    }
}
