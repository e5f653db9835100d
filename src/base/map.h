/* Files read by address: mapped where the system can, refused elsewhere. */
#ifndef KV_BASE_MAP_H
#define KV_BASE_MAP_H

#include "kvern/base.h"

struct kv_map {
    const uint8_t *bytes; /* NULL when the file is empty */
    size_t size;
};

/* Maps a file for reading. KV_E_NOT_FOUND, or KV_E_IO with errno. */
int kv_map_open(struct kv_map *map, const char *path);
void kv_map_close(struct kv_map *map); /* a zeroed one is allowed */

#endif
