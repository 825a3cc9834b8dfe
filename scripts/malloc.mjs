/**
 * Settings of glibc's malloc, needed before the process begins (docs/operating.md): two arenas instead of one
 * for each thread, and memory of 128 KiB and more straight from the system, which regains it when it is
 * freed. docker/Dockerfile has the same.
 */
export const MALLOC = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
