import { type DomainError } from '../../kernel/errors/domain-error.js';
import { requestContext } from '../../kernel/request-context.js';

/** Codes of JSON-RPC 2.0, 5.1: its own, and the first of those left to servers for every other refusal. */
const CODES: Readonly<Record<string, number>> = { INVALID_JSON: -32700, VALIDATION_ERROR: -32600 };
const REFUSED = -32000;

/** An error of any kind as an answer of JSON-RPC to a message whose id is not known (rule 15.1). */
export const rpcBodyOf = ({ code, message, details }: DomainError): object => ({
  jsonrpc: '2.0',
  id: null,
  error: {
    code: CODES[code] ?? REFUSED,
    message,
    data: { code, request_id: requestContext.current().requestId, ...(details ?? {}) },
  },
});
