/** The library of the protocol, read with the first request: it takes a tenth of a second. */
export const library = () => import('@modelcontextprotocol/server');
