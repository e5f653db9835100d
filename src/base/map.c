#include "base/map.h"

#include <errno.h>
#include <fcntl.h>

#ifndef __wasm__
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int kv_map_open(struct kv_map *map, const char *path)
{
    struct stat facts;
    struct kv_map made = {NULL, 0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT ? KV_E_NOT_FOUND : KV_E_IO;
    int status = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) ? KV_OK : KV_E_IO;
    if (status == KV_OK && facts.st_size > 0) {
        made.size = (size_t)facts.st_size;
        void *bytes = mmap(NULL, made.size, PROT_READ, MAP_SHARED, file, 0);
        if (bytes == MAP_FAILED)
            status = KV_E_IO;
        else
            made.bytes = bytes;
    }
    close(file);
    if (status == KV_OK)
        *map = made;
    return status;
}

void kv_map_close(struct kv_map *map)
{
    if (map->bytes)
        munmap((void *)(uintptr_t)map->bytes, map->size);
    *map = (struct kv_map){NULL, 0};
}
#else
int kv_map_open(struct kv_map *map, const char *path)
{
    (void)map, (void)path;
    errno = ENOSYS;
    return KV_E_IO;
}

void kv_map_close(struct kv_map *map)
{
    *map = (struct kv_map){NULL, 0};
}
#endif
