#include "kvern/base.h"

#include <stdarg.h>
#include <stdio.h>

#ifndef KV_VERSION
#error "the build defines KV_VERSION"
#endif

const char *kv_status_text(int status)
{
    switch (status) {
    case KV_OK: return "ok";
    case KV_E_MEMORY: return "out of memory";
    case KV_E_SYNTAX: return "cannot be read";
    case KV_E_RANGE: return "out of range";
    case KV_E_ILLEGAL: return "against the rules";
    case KV_E_IO: return "input or output failed";
    case KV_E_DAMAGED: return "damaged";
    case KV_E_VERSION: return "made by another version or for other rules";
    case KV_E_BUSY: return "busy";
    case KV_E_NOT_FOUND: return "not found";
    case KV_E_FULL: return "no room left";
    }
    return "unknown status";
}

int kv_fail(struct kv_error *error, int status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

const char *kv_version(void)
{
    return KV_VERSION;
}
