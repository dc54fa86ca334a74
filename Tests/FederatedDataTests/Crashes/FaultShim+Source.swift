extension FaultShim {
  /// Counts the calls that change files of one folder, and lets one of them go wrong.
  ///
  /// For a loss of power it keeps, in a second folder, what each file held when it was last synced and which names
  /// the folder had then, and puts that back before it kills the process.
  static let source = #"""
    #define _GNU_SOURCE
    #include <dirent.h>
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <limits.h>
    #include <signal.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <unistd.h>

    #define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
    enum { MOST = 4096, NAMES = 512 };

    static char folder[PATH_MAX], shadow[PATH_MAX];
    static int kind, at, calls, inside;
    static char is_file[MOST], is_folder[MOST];
    static struct { char name[NAME_MAX + 1]; ino_t ino; } names[NAMES];
    static int name_count;
    enum { NONE, EIO_, ENOSPC_, TORN, DROP, KEEP, FOLDERS };

    static int is_inside(const char *path) {
      char full[PATH_MAX];
      size_t length = strlen(folder);
      if (!length || !path) return 0;
      if (path[0] != '/') return 0;
      return !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
    }
    static void copy(const char *from, const char *to) {
      char bytes[65536];
      int in = REAL(open)(from, O_RDONLY), out = REAL(open)(to, O_WRONLY | O_CREAT | O_TRUNC, 0644);
      ssize_t count;
      if (in >= 0 && out >= 0)
        while ((count = read(in, bytes, sizeof bytes)) > 0) REAL(write)(out, bytes, count);
      if (in >= 0) REAL(close)(in);
      if (out >= 0) REAL(close)(out);
    }
    static void shadow_path(char *path, ino_t ino) { snprintf(path, PATH_MAX, "%s/%lu", shadow, (unsigned long)ino); }

    static void sync_file(int fd) {
      struct stat status;
      char from[64], to[PATH_MAX];
      if (kind < DROP || kind > KEEP || fstat(fd, &status)) return;
      snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
      shadow_path(to, status.st_ino);
      copy(from, to);
    }
    static void sync_names(int with_contents) {
      DIR *directory;
      struct dirent *entry;
      if (kind < DROP || kind > KEEP || !(directory = opendir(folder))) return;
      name_count = 0;
      while ((entry = readdir(directory)) && name_count < NAMES) {
        char from[PATH_MAX], to[PATH_MAX];
        struct stat status;
        snprintf(from, PATH_MAX, "%s/%s", folder, entry->d_name);
        if (stat(from, &status) || !S_ISREG(status.st_mode)) continue;
        strcpy(names[name_count].name, entry->d_name);
        names[name_count++].ino = status.st_ino;
        shadow_path(to, status.st_ino);
        if (with_contents) copy(from, to);
      }
      closedir(directory);
    }
    static int ends_with(const char *text, const char *end) {
      size_t a = strlen(text), b = strlen(end);
      return a >= b && !strcmp(text + a - b, end);
    }
    static void lose_power(void) {
      DIR *directory = opendir(folder);
      struct dirent *entry;
      static char found[NAMES][NAME_MAX + 1];
      static ino_t inos[NAMES];
      int count = 0, i;
      while (directory && (entry = readdir(directory)) && count < NAMES) {
        char path[PATH_MAX];
        struct stat status;
        snprintf(path, PATH_MAX, "%s/%s", folder, entry->d_name);
        if (stat(path, &status) || !S_ISREG(status.st_mode)) continue;
        strcpy(found[count], entry->d_name);
        inos[count++] = status.st_ino;
      }
      if (kind == DROP)
        for (i = 0; i < count; i++) {
          char path[PATH_MAX];
          snprintf(path, PATH_MAX, "%s/%s", folder, found[i]);
          REAL(unlink)(path);
        }
      for (i = 0; i < (kind == DROP ? name_count : count); i++) {
        char from[PATH_MAX], to[PATH_MAX];
        const char *name = kind == DROP ? names[i].name : found[i];
        shadow_path(from, kind == DROP ? names[i].ino : inos[i]);
        snprintf(to, PATH_MAX, "%s/%s", folder, name);
        if (ends_with(name, "-shm")) { REAL(unlink)(to); continue; }
        if (access(from, F_OK)) {
          int fd = REAL(open)(to, O_WRONLY | O_CREAT | O_TRUNC, 0644);
          if (fd >= 0) REAL(close)(fd);
        } else copy(from, to);
      }
    }
    /* Whether the call that is about to be made fails; does not return when the process ends here. */
    static int fails(void) {
      if (inside || ++calls != at) return 0;
      inside = 1;
      switch (kind) {
        case EIO_: errno = EIO; inside = 0; return 1;
        case ENOSPC_: errno = ENOSPC; inside = 0; return 1;
        case DROP: case KEEP: lose_power();
        case TORN: kill(getpid(), SIGKILL); for (;;) pause();
      }
      inside = 0;
      return 0;
    }

    __attribute__((constructor)) static void begin(void) {
      const char *name = getenv("FAULT_KIND");
      const char *all[] = {"none", "eio", "enospc", "torn", "drop", "keep", "folders"};
      for (int i = 0; name && i < 7; i++) if (!strcmp(name, all[i])) kind = i;
      at = atoi(getenv("FAULT_AT") ? getenv("FAULT_AT") : "0");
      snprintf(folder, PATH_MAX, "%s", getenv("FAULT_FOLDER") ? getenv("FAULT_FOLDER") : "");
      snprintf(shadow, PATH_MAX, "%s", getenv("FAULT_SHADOW") ? getenv("FAULT_SHADOW") : "");
      while (strlen(folder) > 1 && folder[strlen(folder) - 1] == '/') folder[strlen(folder) - 1] = 0;
      while (strlen(shadow) > 1 && shadow[strlen(shadow) - 1] == '/') shadow[strlen(shadow) - 1] = 0;
      sync_names(1);
    }
    __attribute__((destructor)) static void end(void) {
      char text[64];
      int count = snprintf(text, sizeof text, "calls %d\n", calls);
      REAL(write)(1, text, count);
    }

    static void opened(int fd, const char *path) {
      struct stat status;
      if (fd < 0 || fd >= MOST) return;
      is_file[fd] = is_folder[fd] = 0;
      if (!is_inside(path) || fstat(fd, &status)) return;
      if (S_ISDIR(status.st_mode)) is_folder[fd] = 1; else is_file[fd] = 1;
    }
    #define OPEN(name)                                                        \
      int name(const char *path, int flags, ...) {                            \
        va_list list; va_start(list, flags);                                  \
        mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0; va_end(list); \
        if (is_inside(path) && (flags & (O_CREAT | O_WRONLY | O_RDWR | O_DIRECTORY)) && fails()) return -1; \
        int fd = REAL(name)(path, flags, mode);                               \
        opened(fd, path);                                                     \
        return fd;                                                            \
      }
    OPEN(open)
    OPEN(open64)
    #define OPENAT(name)                                                      \
      int name(int at_fd, const char *path, int flags, ...) {                 \
        va_list list; va_start(list, flags);                                  \
        mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0; va_end(list); \
        if (is_inside(path) && (flags & (O_CREAT | O_WRONLY | O_RDWR | O_DIRECTORY)) && fails()) return -1; \
        int fd = REAL(name)(at_fd, path, flags, mode);                        \
        opened(fd, path);                                                     \
        return fd;                                                            \
      }
    OPENAT(openat)
    OPENAT(openat64)
    int close(int fd) {
      if (fd >= 0 && fd < MOST) is_file[fd] = is_folder[fd] = 0;
      return REAL(close)(fd);
    }
    static int counts(int fd) { return fd >= 0 && fd < MOST && is_file[fd]; }
    /* The call at which a process is killed is left half done. */
    #define TEAR(call) if (kind == TORN && !inside && calls + 1 == at && count > 1) { inside = 1; call; inside = 0; }
    ssize_t write(int fd, const void *bytes, size_t count) {
      if (counts(fd)) { TEAR(REAL(write)(fd, bytes, count / 2)) if (fails()) return -1; }
      return REAL(write)(fd, bytes, count);
    }
    ssize_t pwrite(int fd, const void *bytes, size_t count, off_t place) {
      if (counts(fd)) { TEAR(REAL(pwrite)(fd, bytes, count / 2, place)) if (fails()) return -1; }
      return REAL(pwrite)(fd, bytes, count, place);
    }
    ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t place) {
      if (counts(fd)) { TEAR(REAL(pwrite64)(fd, bytes, count / 2, place)) if (fails()) return -1; }
      return REAL(pwrite64)(fd, bytes, count, place);
    }
    #define SYNC(name)                                                        \
      int name(int fd) {                                                      \
        if (fd < 0 || fd >= MOST || !(is_file[fd] || is_folder[fd])) return REAL(name)(fd); \
        if (kind == FOLDERS && is_folder[fd]) { errno = EIO; return -1; }      \
        if (fails()) return -1;                                               \
        int result = REAL(name)(fd);                                          \
        inside++;                                                             \
        if (is_folder[fd]) sync_names(0); else sync_file(fd);                 \
        inside--;                                                             \
        return result;                                                        \
      }
    SYNC(fsync)
    SYNC(fdatasync)
    int ftruncate(int fd, off_t size) { return counts(fd) && fails() ? -1 : REAL(ftruncate)(fd, size); }
    int ftruncate64(int fd, off64_t size) { return counts(fd) && fails() ? -1 : REAL(ftruncate64)(fd, size); }
    /* A file that loses its name keeps its number as long as it is open: no other file may get it. */
    static void hold(const char *path) { if ((kind == DROP || kind == KEEP) && is_inside(path)) REAL(open)(path, O_RDONLY | O_CLOEXEC); }
    int rename(const char *from, const char *to) {
      if (is_inside(to) && fails()) return -1;
      hold(to);
      return REAL(rename)(from, to);
    }
    int unlink(const char *path) {
      if (is_inside(path) && fails()) return -1;
      hold(path);
      return REAL(unlink)(path);
    }
    """#
}
