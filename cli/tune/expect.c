/* Preparations of measuring: the expected outputs, the work of a launch, and whether the device can
** measure the objective. */
#include "cli/tune/child.h"

/* Launches the untuned kernel for its outputs. */
static int learn_from_untuned(Child *child)
{
    uint32_t config[PARAMS_MOST] = { 0 };
    json_t *record = begin_compile(child, child->own, config, ID_UNTUNED);
    const char *why = json_string_value(json_object_get(record, "why"));
    if (!record)
        child->untuned = ahead_take(child->ahead, ID_UNTUNED, child->quiet);
    child_mark(child, "compiled");
    Job *job = child->untuned;
    if (job && job->status != KJIT_OK)
        why = job->message;
    else if (job && launch_once(child, job, RESTORE_NOTHING, &child->expected) != KJIT_OK)
        why = kjit_error_message();
    if (why)
        complain("the untuned kernel, which says what results are right, fails: %s (--reference "
                 "NAME=FILE.npy for all that it writes, or --no-verify, does without)",
                 why);
    json_decref(record);
    return why ? EXIT_FAILED : EXIT_DONE;
}

/* References first; the untuned kernel for outputs without one. */
int child_learn_expected(Child *child)
{
    const Pairs *references = &child->command->references;
    int done = EXIT_DONE;
    if (child->learnt || child->command->unverified)
        return EXIT_DONE;
    outputs_new(&child->expected, child->kernel, child->device_args, child->access);
    outputs_new(&child->now, child->kernel, child->device_args, child->access);
    outputs_pin(&child->now, child->context, true);
    for (size_t i = 0; done == EXIT_DONE && i < references->count; i++)
        done = outputs_read(&child->expected, references->list[i].name, references->list[i].value);
    if (done == EXIT_DONE && !outputs_are_given(&child->expected))
        done = learn_from_untuned(child);
    child->learnt = done == EXIT_DONE;
    return done;
}

/* Counts the work of a launch, for rates. */
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

/* Refuses quantities that are unknown for kernels on the processor. */
static int check_facts(const Child *child)
{
    static const struct {
        const char *quantity, *is;
    } facts[] = { { "registers", "how many registers a thread takes" },
                  { "shared", "how much shared memory a block takes" },
                  { "local", "how much local memory a thread takes" },
                  { "spills", "what is spilled to memory" },
                  { "occupancy", "how many warps fit on it" } };
    const Objective *objective = child->command->run.objective;
    for (size_t i = 0; child->quiet && i < sizeof facts / sizeof facts[0]; i++) {
        if (!objective_needs(objective, facts[i].quantity))
            continue;
        return complain_failed(
            "--objective '%s': %s (device %s) does not tell %s, as a GPU does; there it takes "
            "time, gflops, gbs, compile, and expressions over these",
            objective_text(objective), kjit_device_model(child->context),
            kjit_device_name(child->context), facts[i].is);
    }
    return EXIT_DONE;
}

static int check_energy(const Child *child)
{
    kjit_sensors sensors = { .size = sizeof sensors };
    if (!child->command->energy)
        return EXIT_DONE;
    kjit_status status = kjit_device_sensors(child->context, &sensors);
    if (status != KJIT_OK)
        return complain_status(status);
    if (sensors.millijoules >= 0)
        return EXIT_DONE;
    return complain_failed(
        "--objective '%s': %s (device %s) does not tell how much energy it used%s%s",
        objective_text(child->command->run.objective), kjit_device_model(child->context),
        kjit_device_name(child->context), *sensors.why_not ? ": " : "", sensors.why_not);
}

int child_check_objective(Child *child)
{
    int done = check_facts(child);
    return done == EXIT_DONE ? check_energy(child) : done;
}
