import { type ClientName } from './tool.js';

/** The first product of a User-Agent with its version (RFC 9110, 10.1.5). */
const PRODUCT = /^([\w!#$%&'*+.^`|~-]{1,200})\/([\w!#$%&'*+.^`|~-]{1,100})(?: |$)/;
/** Browsers, and libraries that send their own name: they do not say which program uses them. */
const ANONYMOUS =
  /^(mozilla|node|undici|python|aiohttp|httpx|go-http-client|axios|got|okhttp|java|ruby|dart|reqwest|curl)\b/i;

/** The program that a User-Agent names, by its own account; null for none, a browser or a library. */
export function programOf(userAgent: string | undefined): ClientName | null {
  const [, name, version = null] = PRODUCT.exec(userAgent ?? '') ?? [];
  return name === undefined || ANONYMOUS.test(name) ? null : { name, version };
}
