/* What showing stages of a kernel and of IR share. */
#pragma once

#include "runtime/binary/binary.h"

/* Reads options' facts but those of a launch; what else there is, "launch, hot, ", is for the
** message. */
kjit_status emit_read_facts(const char *text, const char *others, IrFacts *facts);
/* Whether a stage is text that the emitter writes. */
bool emit_is_text(const char *stage);
/* The dialect that a stage is in, or comes from; of stages that several have, C with `c`. */
Dialect emit_dialect(const char *stage, bool c);
/* The stages "ptx", "cubin" and "sass". */
kjit_status emit_gpu(const BuildRequest *build, const char *arch, const char *stage, char **data,
                     size_t *length);
/* The stages "ir" and "ir-full", as text. */
void emit_put_ir(Buf *out, const IrUnit *unit, const char *stage);
