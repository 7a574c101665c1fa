// The journal's file (journal.h): appending and fsync.
#include "output/journal_parts.h"

#include "base/alloc.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 18 };

// ---- messages -----------------------------------------------------------------------------------

static const char* name_of(const SarJournal* j) { return j->path[0] ? j->path : "the journal"; }

SarStatus journal_complain(const SarJournal* j, const char* what, const char* hint, int why,
                           SarError* err) {
  sar_report(err, (SarLoc){.file = name_of(j)}, hint, "%s: %s", what, strerror(why));
  return SAR_NO_FILE;
}

static SarStatus full(const SarJournal* j, int why, SarError* err) {
  return journal_complain(j, "the journal cannot be written",
                          j->path[0]
                              ? "what is in it is kept: make room, and the same command goes on"
                              : "name a journal where there is room: --journal FILE",
                          why, err);
}

// ---- writing ------------------------------------------------------------------------------------

static SarStatus flush_buffer(SarJournal* j, SarError* err) {
  for (size_t done = 0; done < j->used;) {
    const ssize_t n = pwrite(j->fd, j->buffer + done, j->used - done, (off_t)(j->end + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int why = errno;
      // whole records stay; the rest of one that did not fit is the torn tail of the next start
      return full(j, why, err);
    }
    done += (size_t)n;
  }
  j->dirty = j->dirty || j->used > 0;
  j->end += j->used;
  j->used = 0;
  return SAR_OK;
}

static SarStatus append(SarJournal* j, const void* bytes, size_t size, SarError* err) {
  const unsigned char* from = bytes;
  while (size > 0) {
    if (j->used == BUFFER) SAR_TRY(flush_buffer(j, err));
    const size_t room = BUFFER - j->used, n = size < room ? size : room;
    memcpy(j->buffer + j->used, from, n);
    j->used += n;
    from += n;
    size -= n;
  }
  return SAR_OK;
}

SarStatus sar_journal_add(SarJournal* j, uint64_t key, const void* bytes, size_t size,
                          uint64_t* place, SarError* err) {
  unsigned char head[JOURNAL_HEAD] = {0};
  if (size > SAR_JOURNAL_MOST) {
    sar_report(err, (SarLoc){.file = name_of(j)}, "", "a record of %zu bytes is too large", size);
    return SAR_OVER_LIMIT;
  }
  journal_put(head, JOURNAL_MARK, 4);
  journal_put(head + 4, size, 4);
  journal_put(head + 8, key, 8);
  journal_put(head + 16, journal_checksum(head, bytes, size), 4);
  if (place) *place = j->end + j->used;
  SAR_TRY(append(j, head, JOURNAL_HEAD, err));
  return append(j, bytes, size, err);
}

SarStatus sar_journal_sync(SarJournal* j, SarError* err) {
  SAR_TRY(flush_buffer(j, err));
  if (j->dirty && j->path[0] && fdatasync(j->fd) != 0 && errno != EINVAL)
    return full(j, errno, err);
  j->dirty = false;
  return SAR_OK;
}

SarStatus sar_journal_read(SarJournal* j, uint64_t place, void** bytes, size_t* size,
                           SarError* err) {
  unsigned char head[JOURNAL_HEAD];
  *bytes = NULL;
  SAR_TRY(flush_buffer(j, err));
  bool good = pread(j->fd, head, JOURNAL_HEAD, (off_t)place) == JOURNAL_HEAD &&
              journal_get(head, 4) == JOURNAL_MARK;
  *size = good ? (size_t)journal_get(head + 4, 4) : 0;
  good = good && *size <= SAR_JOURNAL_MOST;
  if (good) *bytes = sar_alloc_brief(*size + 1);
  if (good && !*bytes) return SAR_NO_MEMORY;
  good = good && pread(j->fd, *bytes, *size, (off_t)(place + JOURNAL_HEAD)) == (ssize_t)*size &&
         journal_get(head + 16, 4) == journal_checksum(head, *bytes, *size);
  if (good) return SAR_OK;
  sar_free(*bytes);
  *bytes = NULL;
  sar_report(err, (SarLoc){.file = name_of(j)}, "the disk, or somebody else, has changed it",
             "a record cannot be read back as it was written");
  return SAR_NO_FILE;
}

// ---- its life -----------------------------------------------------------------------------------

static SarStatus lock(SarJournal* j, SarError* err) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(j->fd, F_SETLK, &whole) == 0) return SAR_OK;
  if (errno != EACCES && errno != EAGAIN)
    return journal_complain(j, "cannot be locked", "", errno, err);
  whole = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
  const bool known = fcntl(j->fd, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
  sar_report(err, (SarLoc){.file = j->path}, "wait for it, or name another journal",
             "another job is writing this journal (process %ld)", known ? (long)whole.l_pid : -1L);
  return SAR_BAD_ARGUMENT;
}

// A name that was made a moment ago outlives a loss of power only if its folder does.
static void sync_folder(const char* path) {
  const char* slash = strrchr(path, '/');
  char folder[4096] = ".";
  if (slash && (size_t)(slash - path) + 2 > sizeof folder) return;
  if (slash) memcpy(folder, path, (size_t)(slash - path) + 1), folder[slash - path + 1] = 0;
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

typedef struct Opening {
  const char *path, *identity;
  SarJournalVisitor* visit;
  void* context;
  SarJournalReport* report;
} Opening;

static SarStatus begin(SarJournal* j, const Opening* o, SarError* err) {
  const char* path = o->path;
  struct stat now;
  if (path) {
    j->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  } else {
    FILE* file = tmpfile();
    j->fd = file ? dup(fileno(file)) : -1;
    if (file) fclose(file);
  }
  if (j->fd < 0) return journal_complain(j, "cannot be opened", "", errno, err);
  if (path) SAR_TRY(lock(j, err));
  if (fstat(j->fd, &now) != 0) return journal_complain(j, "cannot be read", "", errno, err);
  if (!S_ISREG(now.st_mode)) {
    sar_report(err, (SarLoc){.file = name_of(j)}, "", "a journal must be a file");
    return SAR_BAD_ARGUMENT;
  }
  if (now.st_size > 0)
    SAR_TRY(journal_read_file(j, (uint64_t)now.st_size, o->identity, o->visit, o->context,
                              o->report, err));
  if (j->end > 0) return SAR_OK;
  SAR_TRY(append(j, JOURNAL_WORD, JOURNAL_MAGIC, err));
  SAR_TRY(sar_journal_add(j, JOURNAL_IDENTITY, o->identity, strlen(o->identity), NULL, err));
  SAR_TRY(sar_journal_sync(j, err));
  if (path) sync_folder(path);
  return SAR_OK;
}

SarStatus sar_journal_open(const char* path, const char* identity, SarJournalVisitor* visit,
                           void* context, SarJournal** out, SarJournalReport* report,
                           SarError* err) {
  SarJournal* j = sar_alloc(sizeof *j);
  const size_t n = path ? strlen(path) : 0;
  *out = NULL;
  *report = (SarJournalReport){0};
  if (!j) return SAR_NO_MEMORY;
  j->fd = -1;
  j->path = sar_alloc(n + 1);
  j->buffer = sar_alloc_brief(BUFFER);
  SarStatus st = j->path && j->buffer ? SAR_OK : SAR_NO_MEMORY;
  const Opening o = {path, identity, visit, context, report};
  if (st == SAR_OK && path) memcpy(j->path, path, n);
  if (st == SAR_OK) st = begin(j, &o, err);
  if (st != SAR_OK) {
    sar_journal_close(j);
    return st;
  }
  *out = j;
  return SAR_OK;
}

void sar_journal_leave(SarJournal* j) {
  if (j && j->fd >= 0) close(j->fd);
  if (j) j->fd = -1;
}

void sar_journal_close(SarJournal* j) {
  if (!j) return;
  if (j->fd >= 0) close(j->fd);
  sar_free(j->buffer);
  sar_free(j->path);
  sar_free(j);
}
