#ifndef FEDERATED_CZLIB_SHIM_H
#define FEDERATED_CZLIB_SHIM_H

#include <zlib.h>

/* inflateInit2 is a macro. Negative window bits take a raw stream, without header and checksum. */
static inline int fd_inflate_begin_raw(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }

#endif
