#include "tune/tune.h"
#define STUB(n)                                                                                              \
    enum tune_exit tune_##n(const struct tune_options *options)                                              \
    {                                                                                                        \
        return tune_complain(TUNE_FAILED, "%s", options->command);                                           \
    }
STUB(fit) STUB(report)
