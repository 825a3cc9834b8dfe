import { VERSION_PREFIX } from '../version-prefix.js';
import { READS } from '../endpoint.js';
import { type Json } from './openapi-examples.js';

export interface Answer {
  $ref?: string;
  description?: string;
  content?: Record<string, Json>;
  headers?: Json;
}
export interface Operation extends Json {
  tags?: string[];
  parameters?: Json[];
  requestBody?: { content?: Record<string, Json> };
  responses?: Record<string, Answer>;
}

/** True for an operation that some scheme of credentials may call. */
export const accepts = ({ security }: Operation, scheme: 'ApiKey' | 'Bearer'): boolean =>
  (security as object[] | undefined)?.some((schemes) => scheme in schemes) ?? false;

/** True for authenticated writes of entities that quotas count; log-ins are not counted. */
export const mayFill = (path: string, method: string, operation: Operation): boolean =>
  method !== 'get' &&
  operation.security !== undefined &&
  operation[READS] !== true &&
  !path.startsWith(`/${VERSION_PREFIX}/auth/`);
