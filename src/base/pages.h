/* Large blocks of zeroed memory from the system, page by page. */
#ifndef KV_BASE_PAGES_H
#define KV_BASE_PAGES_H

#include <stddef.h>

/* `bytes` > 0 of zeroed memory, aligned to 64 bytes at least; NULL when there is none. Pages become
 * resident when they are first written; large ones are asked for where the system has them, since
 * random access to a big table is mostly waiting for address translation. */
void *kv_pages_take(size_t bytes);
void kv_pages_give(void *memory, size_t bytes); /* NULL is allowed */
void kv_pages_zero(void *memory, size_t bytes); /* all of it, and all resident */

#endif
