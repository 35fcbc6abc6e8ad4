/* What is known before anything is measured: what is right, how much work it is, and whether the
** device tells what is asked for. */
#include <stdlib.h>
#include <string.h>

#include "cli/tune_child.h"

/* What the untuned kernel leaves is what all others are to leave. */
int child_learn_expected(Child *child)
{
    uint32_t config[PARAMS_MOST] = { 0 };
    const Pairs *references = &child->command->references;
    int done = EXIT_DONE;
    json_t *record = begin_compile(child, child->own, config, ID_AGAIN);
    Job *job = record ? NULL : ahead_take(child->ahead, ID_AGAIN, true);
    const char *why = record                   ? json_string_value(json_object_get(record, "why"))
                      : job->status != KJIT_OK ? job->message
                                               : NULL;
    if (!why) {
        outputs_new(&child->expected, job->kernel, child->device_args, child->access);
        outputs_new(&child->now, job->kernel, child->device_args, child->access);
        outputs_pin(&child->now, child->context, true);
        if (launch_once(child, job, true, &child->expected) != KJIT_OK)
            why = kjit_error_message();
    }
    for (size_t i = 0; !why && done == EXIT_DONE && i < references->count; i++)
        done = outputs_read(&child->expected, references->list[i].name, references->list[i].value);
    if (why) {
        complain("the untuned kernel, which says what results are right, fails: %s (--no-verify "
                 "does without)",
                 why);
        done = EXIT_FAILED;
    }
    json_decref(record);
    job_free(job);
    return done;
}

/* What rates need: how much work a launch is. */
int child_count_work(Child *child)
{
    uint32_t config[PARAMS_MOST] = { 0 };
    kjit_launch_config shape;
    kjit_module *module = NULL;
    kjit_kernel *kernel = NULL;
    child->work.size = sizeof child->work;
    kjit_status status = kjit_space_kernel(child->own, config, &module, &kernel);
    if (status == KJIT_OK)
        status = child_shape(child, child->own, config, &shape);
    if (status == KJIT_OK)
        status = kjit_count_work(kernel, &shape, child->args, child->count, &child->work);
    child->counted = status == KJIT_OK;
    int done = status == KJIT_OK ? EXIT_DONE : complain_status(status);
    kjit_close_module(module);
    return done;
}

int child_check_energy(Child *child)
{
    kjit_sensors sensors = { .size = sizeof sensors };
    kjit_status status = kjit_device_sensors(child->context, &sensors);
    if (status != KJIT_OK)
        return complain_status(status);
    if (sensors.millijoules >= 0)
        return EXIT_DONE;
    complain("--objective energy: %s does not tell how much it used%s%s",
             kjit_device_model(child->context), *sensors.why_not ? ": " : "", sensors.why_not);
    return EXIT_FAILED;
}
