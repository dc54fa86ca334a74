#ifndef FEDERATED_CXML2_SHIM_H
#define FEDERATED_CXML2_SHIM_H

/* With ICU in it, libxml2's header declares ICU's types a second time beside Foundation's own, and the two
   do not agree. Only the tail of a struct that is never touched here depends on it. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <string.h>

static inline void fd_xml_say_nothing(void *context, const char *format, ...) {}

/* Some errors (of character conversion, for one) are raised without a parser, and some are simply printed.
   Both go to handlers of the thread, which are set for the length of one chunk and then put back. */
static inline int fd_xml_parse_chunk(
    xmlParserCtxtPtr parser, const char *bytes, int count, int ends, void *context,
    xmlStructuredErrorFunc handler) {
  xmlStructuredErrorFunc outer = xmlStructuredError;
  void *outerContext = xmlStructuredErrorContext;
  xmlGenericErrorFunc printer = xmlGenericError;
  void *printerContext = xmlGenericErrorContext;
  xmlSetStructuredErrorFunc(context, handler);
  xmlSetGenericErrorFunc(NULL, fd_xml_say_nothing);
  int code = xmlParseChunk(parser, bytes, count, ends);
  xmlSetGenericErrorFunc(printerContext, printer);
  xmlSetStructuredErrorFunc(outerContext, outer);
  return code;
}

#endif
