/*
 * Loaded into a process by LD_PRELOAD: counts the changes that it makes below one folder, lets chosen ones fail as a disk
 * would, ends the process at a chosen one, and keeps what would be needed to take back what was not flushed. What it is to
 * do stands in a file that it shares with whoever started it; see control.ts for its layout.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct control {
  uint64_t count;      /* changes so far */
  uint64_t first;      /* the first one that is hit, from 1; 0: none */
  uint64_t length;     /* how many are hit from there on */
  uint64_t mode;       /* what happens to them, see below */
  uint64_t hits;       /* how many were hit */
  uint64_t serial;     /* of what is kept for taking back */
  uint64_t keeps;      /* whether anything is kept */
};

enum { MODE_EIO = 1, MODE_ENOSPC = 2, MODE_TORN = 3, MODE_KILL = 4, MODE_SHORT = 5 };
enum verdict { GO, FAIL, TEAR, SHORT };

static struct control *control;
static char root[PATH_MAX], journal_folder[PATH_MAX];
static size_t root_length;
static int journal = -1;
/* Whether flushes of folders are dropped, as by a program that never asks for one. */
static int drops_folder_flushes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int raw_open(const char *path, int flags) { return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600); }

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("DISK_FAULTS_ROOT"), *file = getenv("DISK_FAULTS_CONTROL");
  const char *kept = getenv("DISK_FAULTS_JOURNAL");
  if (!folder || !file || !kept) return;
  int fd = raw_open(file, O_RDWR);
  if (fd < 0) return;
  void *shared = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (shared == MAP_FAILED) return;
  snprintf(root, sizeof root, "%s", folder);
  root_length = strlen(root);
  snprintf(journal_folder, sizeof journal_folder, "%s", kept);
  char path[PATH_MAX + 16];
  snprintf(path, sizeof path, "%s/journal", kept);
  journal = raw_open(path, O_WRONLY | O_APPEND | O_CREAT);
  drops_folder_flushes = getenv("DISK_FAULTS_NO_FOLDER_FLUSH") != NULL;
  control = shared;
}

static int is_below(const char *path) {
  return control && strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || path[root_length] == 0);
}

/* The path of an open file below the folder; 0 when it is none. The index of the write-ahead log is memory, not disk. */
static int path_of(int fd, char *path) {
  if (!control) return 0;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (length > 4 && strcmp(path + length - 4, "-shm") == 0) return 0;
  return is_below(path);
}

/* Counts a change and says what happens to it. */
static enum verdict decide(void) {
  uint64_t number = __atomic_add_fetch(&control->count, 1, __ATOMIC_SEQ_CST);
  uint64_t first = control->first;
  if (first == 0 || number < first || number >= first + control->length) return GO;
  __atomic_add_fetch(&control->hits, 1, __ATOMIC_SEQ_CST);
  switch (control->mode) {
    case MODE_KILL: syscall(SYS_kill, getpid(), SIGKILL); return FAIL;
    case MODE_TORN: return TEAR;
    case MODE_SHORT: return SHORT;
    case MODE_ENOSPC: errno = ENOSPC; return FAIL;
    default: errno = EIO; return FAIL;
  }
}

static int keeps(void) { return control && control->keeps && journal >= 0; }

/* One record: kind, inode, offset, former size, path, bytes that were there. The whole of it in one write. */
static void keep(char kind, uint64_t inode, int64_t offset, int64_t size, const char *path, const void *bytes, size_t length) {
  struct { char kind; char pad[7]; uint64_t inode; int64_t offset, size; uint64_t path_length, length; } head = {
    kind, {0}, inode, offset, size, strlen(path), length };
  struct iovec parts[3] = { { &head, sizeof head }, { (void *)path, head.path_length }, { (void *)bytes, length } };
  syscall(SYS_writev, journal, parts, 3);
}

/* Keeps what a write to this part of a file replaces. Called with the lock held. */
static void keep_bytes(int fd, const char *path, off_t offset, size_t length) {
  struct stat now;
  if (fstat(fd, &now) != 0 || !S_ISREG(now.st_mode)) return;
  size_t there = offset >= now.st_size ? 0 : (size_t)(now.st_size - offset) < length ? (size_t)(now.st_size - offset) : length;
  char *bytes = there > 0 ? malloc(there) : NULL;
  if (there > 0) {
    /* The file may be open for writing only. */
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    int reading = raw_open(self, O_RDONLY);
    ssize_t got = reading < 0 ? -1 : syscall(SYS_pread64, reading, bytes, there, offset);
    if (reading >= 0) syscall(SYS_close, reading);
    if (got != (ssize_t)there) there = 0;
  }
  keep('W', now.st_ino, offset, now.st_size, path, bytes, there);
  free(bytes);
}

static uint64_t inode_of(const char *path) {
  struct stat now;
  return syscall(SYS_newfstatat, AT_FDCWD, path, &now, AT_SYMLINK_NOFOLLOW) == 0 ? now.st_ino : 0;
}

/* A second name for a file that is about to lose its own, so that it can be brought back. */
static uint64_t keep_file(const char *path) {
  uint64_t number = __atomic_add_fetch(&control->serial, 1, __ATOMIC_SEQ_CST);
  char kept[PATH_MAX + 32];
  snprintf(kept, sizeof kept, "%s/%llu", journal_folder, (unsigned long long)number);
  return syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, kept, 0) == 0 ? number : 0;
}

/* Writes: the bytes of all parts at one offset; -1 stands for where the file is. */
static ssize_t written(int fd, const struct iovec *parts, int count, off_t offset) {
  char path[PATH_MAX];
  if (!path_of(fd, path))
    return offset < 0 ? syscall(SYS_writev, fd, parts, count) : syscall(SYS_pwritev, fd, parts, count, offset, 0);
  size_t length = 0;
  for (int i = 0; i < count; i += 1) length += parts[i].iov_len;
  enum verdict verdict = decide();
  if (verdict == FAIL) return -1;
  pthread_mutex_lock(&lock);
  int flags = fcntl(fd, F_GETFL);
  struct stat now;
  off_t at = offset;
  if (at < 0) at = (flags & O_APPEND) && fstat(fd, &now) == 0 ? now.st_size : lseek(fd, 0, SEEK_CUR);
  if (keeps()) keep_bytes(fd, path, at, length);
  ssize_t result;
  if (verdict == GO) {
    result = offset < 0 ? syscall(SYS_writev, fd, parts, count) : syscall(SYS_pwritev, fd, parts, count, offset, 0);
  } else {
    /* Half of the first part arrives. */
    size_t half = parts[0].iov_len / 2 > 0 ? parts[0].iov_len / 2 : parts[0].iov_len;
    result = offset < 0 ? syscall(SYS_write, fd, parts[0].iov_base, half) : syscall(SYS_pwrite64, fd, parts[0].iov_base, half, offset);
    if (verdict == TEAR) syscall(SYS_kill, getpid(), SIGKILL);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  struct iovec part = { (void *)bytes, length };
  return written(fd, &part, 1, -1);
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  struct iovec part = { (void *)bytes, length };
  return written(fd, &part, 1, offset);
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return pwrite(fd, bytes, length, offset); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return written(fd, parts, count, -1); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return written(fd, parts, count, offset); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) { return written(fd, parts, count, offset); }

/* Copies by the kernel would pass by; without them, files are copied by reading and writing. */
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t length, unsigned flags) {
  char path[PATH_MAX];
  if (path_of(out, path)) { errno = ENOSYS; return -1; }
  return syscall(SYS_copy_file_range, in, from, out, to, length, flags);
}
ssize_t sendfile64(int out, int in, off64_t *offset, size_t count) {
  char path[PATH_MAX];
  if (path_of(out, path)) { errno = EINVAL; return -1; }
  return syscall(SYS_sendfile, out, in, offset, count);
}
ssize_t sendfile(int out, int in, off_t *offset, size_t count) { return sendfile64(out, in, (off64_t *)offset, count); }

static int flushed(int fd, long call) {
  char path[PATH_MAX];
  if (!path_of(fd, path)) return (int)syscall(call, fd);
  struct stat now;
  if (drops_folder_flushes && fstat(fd, &now) == 0 && S_ISDIR(now.st_mode)) return 0;
  enum verdict verdict = decide();
  if (verdict == TEAR) syscall(SYS_kill, getpid(), SIGKILL);
  if (verdict == FAIL || verdict == SHORT) { if (verdict == SHORT) errno = EIO; return -1; }
  /* Nothing is waited for: what would be lost is taken back by whoever started this. */
  if (keeps() && fstat(fd, &now) == 0) keep(S_ISDIR(now.st_mode) ? 'D' : 'S', now.st_ino, 0, now.st_size, path, NULL, 0);
  return keeps() ? 0 : (int)syscall(call, fd);
}
int fsync(int fd) { return flushed(fd, SYS_fsync); }
int fdatasync(int fd) { return flushed(fd, SYS_fdatasync); }

static int cut(int fd, off_t length) {
  char path[PATH_MAX];
  if (!path_of(fd, path)) return (int)syscall(SYS_ftruncate, fd, length);
  enum verdict verdict = decide();
  if (verdict == TEAR) syscall(SYS_kill, getpid(), SIGKILL);
  if (verdict != GO) { if (verdict == SHORT) errno = EIO; return -1; }
  pthread_mutex_lock(&lock);
  struct stat now;
  if (keeps() && fstat(fd, &now) == 0)
    keep_bytes(fd, path, length, now.st_size > length ? (size_t)(now.st_size - length) : 0);
  int result = (int)syscall(SYS_ftruncate, fd, length);
  pthread_mutex_unlock(&lock);
  return result;
}
int ftruncate(int fd, off_t length) { return cut(fd, length); }
int ftruncate64(int fd, off64_t length) { return cut(fd, length); }

/* A change of names; `kind` with the first path, the second one stands in the bytes. */
#define NAMED(first, second, kept, call) do { \
  enum verdict verdict = decide(); \
  if (verdict == TEAR) syscall(SYS_kill, getpid(), SIGKILL); \
  if (verdict != GO) { if (verdict == SHORT) errno = EIO; return -1; } \
  pthread_mutex_lock(&lock); \
  uint64_t inode = keeps() ? inode_of(first) : 0; \
  uint64_t number = keeps() ? (kept) : 0; \
  int result = (int)(call); \
  if (result == 0 && keeps()) keep(kind, inode, (int64_t)number, 0, first, second, strlen(second)); \
  pthread_mutex_unlock(&lock); \
  return result; \
} while (0)

int rename(const char *from, const char *to) {
  const char kind = 'R';
  if (!is_below(from) && !is_below(to)) return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
  NAMED(from, to, inode_of(to) ? keep_file(to) : 0, syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}
int link(const char *from, const char *to) {
  const char kind = 'L';
  if (!is_below(to)) return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
  NAMED(from, to, 0, syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int unlink(const char *path) {
  const char kind = 'U';
  if (!is_below(path)) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  NAMED(path, "", keep_file(path), syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}
int rmdir(const char *path) {
  const char kind = 'X';
  if (!is_below(path)) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
  NAMED(path, "", 0, syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR));
}
int mkdir(const char *path, mode_t mode) {
  const char kind = 'M';
  if (!is_below(path)) return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
  NAMED(path, "", 0, syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}

/* Opening changes something when it makes a file or empties one. */
static int opened(int folder, const char *path, int flags, mode_t mode) {
  int is_ours = is_below(path) && (flags & (O_CREAT | O_TRUNC));
  size_t length = strlen(path);
  if (length > 4 && strcmp(path + length - 4, "-shm") == 0) is_ours = 0;
  struct stat now;
  int is_there = is_ours && syscall(SYS_newfstatat, folder, path, &now, 0) == 0;
  int makes = is_ours && !is_there && (flags & O_CREAT);
  int empties = is_ours && is_there && (flags & O_TRUNC) && now.st_size > 0;
  if (!makes && !empties) return (int)syscall(SYS_openat, folder, path, flags, mode);
  enum verdict verdict = decide();
  if (verdict == TEAR) syscall(SYS_kill, getpid(), SIGKILL);
  if (verdict != GO) { if (verdict == SHORT) errno = EIO; return -1; }
  if (empties && keeps()) {
    int before = raw_open(path, O_RDONLY);
    pthread_mutex_lock(&lock);
    if (before >= 0) keep_bytes(before, path, 0, (size_t)now.st_size);
    pthread_mutex_unlock(&lock);
    if (before >= 0) syscall(SYS_close, before);
  }
  int fd = (int)syscall(SYS_openat, folder, path, flags, mode);
  if (fd >= 0 && makes && keeps()) keep('C', inode_of(path), 0, 0, path, NULL, 0);
  return fd;
}

static mode_t mode_of(int flags, va_list rest) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0; }
#define WITH_MODE(after, call) do { va_list rest; va_start(rest, after); mode_t mode = mode_of(flags, rest); va_end(rest); return call; } while (0)
int open(const char *path, int flags, ...) { WITH_MODE(flags, opened(AT_FDCWD, path, flags, mode)); }
int open64(const char *path, int flags, ...) { WITH_MODE(flags, opened(AT_FDCWD, path, flags | O_LARGEFILE, mode)); }
int openat(int folder, const char *path, int flags, ...) { WITH_MODE(flags, opened(folder, path, flags, mode)); }
int openat64(int folder, const char *path, int flags, ...) { WITH_MODE(flags, opened(folder, path, flags | O_LARGEFILE, mode)); }
