/** The library of the protocol, read with the first request: it takes a tenth of a second. */
export const library = () => import('@modelcontextprotocol/server');

/** The part of the library that speaks over standard input and output. */
export const stdioLibrary = () => import('@modelcontextprotocol/server/stdio');
