#include "base/pages.h"

#include <stdlib.h>
#include <string.h>

#if defined(__unix__)
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20 };

void *kv_pages_take(size_t bytes)
{
    /* One large page more than needed, so that the block can begin on a boundary of them. */
    size_t slack = bytes >= LARGE_PAGE ? LARGE_PAGE : 0;
    char *raw =
        mmap(NULL, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED)
        return NULL;
    if (slack == 0)
        return raw;
    size_t ahead = (LARGE_PAGE - (size_t)raw % LARGE_PAGE) % LARGE_PAGE;
    if (ahead > 0)
        munmap(raw, ahead);
    if (slack > ahead)
        munmap(raw + ahead + (bytes + 4095) / 4096 * 4096, (slack - ahead) / 4096 * 4096);
#ifdef MADV_HUGEPAGE
    madvise(raw + ahead, bytes, MADV_HUGEPAGE);
#endif
    return raw + ahead;
}

void kv_pages_give(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes);
}

#else
void *kv_pages_take(size_t bytes)
{
    return calloc(1, bytes);
}

void kv_pages_give(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}
#endif

/* Handing the pages back to the system would be quicker, but whoever writes next would pay for it, one
 * page at a time, when every millisecond may count. */
void kv_pages_zero(void *memory, size_t bytes)
{
    memset(memory, 0, bytes);
}
