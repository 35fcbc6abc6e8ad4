/* `kjit run` of a file that has host code: a program. */
#include "cli/run/run.h"

int run_program(const RunOptions *run, Session *session)
{
    kjit_program_options options = { .size = sizeof options };
    (void)run;
    kjit_status status = kjit_program_run(session->module, &options);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}
