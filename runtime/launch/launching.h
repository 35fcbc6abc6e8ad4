/* What the files of a launch share: what is checked before it (check.c), which compiled code
** carries it out, and how (launch.c), launches that are prepared once (prepared.c). */
#pragma once

#include "runtime/capture/capture.h"
#include "runtime/launch/hot.h"
#include "runtime/launch/pack.h"
#include "runtime/launch/variant.h"

/* ---- check.c --------------------------------------------------------------------------------- */

/* KJIT_ARGUMENT for a configuration that is NULL or does not say its size. */
kjit_status launch_check_size(const kjit_launch_config *config);
/* Fills a request from a configuration that the device allows. */
kjit_status launch_check_config(const kjit_launch_config *config, const Device *device,
                                const Specialisation *spec, LaunchRequest *request);
/* Whether any array in the argument lacks a flag: is host memory, or writable. */
bool launch_any_without(const kjit_arg *arg, uint32_t flag);
/* Refuses a kernel that writes what its caller forbids, whatever its types say, and one whose sums
** lie beside an array (deterministic=True) that is not alone. */
kjit_status launch_check_arrays(const kjit_kernel *kernel, const Specialisation *spec,
                                const kjit_arg *args, size_t count);
/* Refuses what would have to wait, or have memory of its own, where a graph is recorded. */
kjit_status launch_check_recording(const kjit_kernel *kernel, const kjit_launch_config *config,
                                   const Specialisation *spec, const kjit_arg *args, size_t count);
/* The same of a launch without copies. */
kjit_status launch_refuse_recording(const kjit_kernel *kernel, const Specialisation *spec);

/* ---- fault.c --------------------------------------------------------------------------------- */

/* Makes an error of what a debug kernel left; waits for it. */
kjit_status launch_check_fault(Device *device, const Specialisation *spec, Pack *pack);

/* ---- launch.c -------------------------------------------------------------------------------- */

/* The specialisation for a launch, the launch as a request, and what carries that out. */
typedef struct Choice {
    Specialisation *spec;
    LaunchRequest asked, real;
} Choice;

/* Decides how a launch is carried out; compiles as dispatch() does. A specialisation whose shape
** does not fit the device gives way to the plain one. */
kjit_status launch_choose(kjit_kernel *kernel, const kjit_launch_config *config,
                          const kjit_arg *args, size_t count, DispatchBest best, Choice *choice);
/* Goes over to the variant with the launch's values as constants, if there is one for it. `timed`
** as for hot_choose(). */
void launch_heat(kjit_kernel *kernel, const kjit_launch_config *config, const kjit_arg *args,
                 size_t count, Choice *choice, HotLaunch *timed);
/* The launch as one to capture; NULL if it is known, or recorded into a graph. */
CapturePlan *launch_plan(const kjit_kernel *kernel, const kjit_launch_config *config,
                         const LaunchRequest *request, const Specialisation *spec,
                         const kjit_arg *args, size_t count);
void launch_set_params(LaunchRequest *request, const Pack *pack);
void launch_clear_report(void);

/* ---- fit.c ----------------------------------------------------------------------------------- */

/* The block that suits a kernel's text, with `usual` sizes along the axes of which it demands
** nothing. KJIT_ARGUMENT where it demands what no block has. */
kjit_status fit_block(const kjit_kernel *kernel, const Specialisation *spec, const kjit_arg *args,
                      const uint32_t usual[3], uint32_t block[3]);
/* Whether it demands a size along x. */
bool fit_demands(const kjit_kernel *kernel, const Specialisation *spec, const kjit_arg *args);
