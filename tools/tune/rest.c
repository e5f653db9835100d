#include "tune/tune.h"
enum tune_exit tune_data(const struct tune_options *options)
{
    return tune_complain(TUNE_FAILED, "%s", options->command);
}
enum tune_exit tune_fit(const struct tune_options *options)
{
    return tune_complain(TUNE_FAILED, "%s", options->command);
}
enum tune_exit tune_report(const struct tune_options *options)
{
    return tune_complain(TUNE_FAILED, "%s", options->command);
}
enum tune_exit tune_soak(const struct tune_options *options)
{
    return tune_complain(TUNE_FAILED, "%s", options->command);
}
