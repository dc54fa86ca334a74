#ifndef FEDERATED_CXML2_SHIM_H
#define FEDERATED_CXML2_SHIM_H

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

/* xmlFree is a mutable global function pointer, which Swift 6 refuses to touch. */
static inline void fd_xml_free(void *pointer) { xmlFree(pointer); }

#endif
