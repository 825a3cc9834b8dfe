import { type DomainError } from '../../kernel/errors/domain-error.js';
import { requestContext } from '../../kernel/request-context.js';

/** Codes of JSON-RPC 2.0, 5.1, and the first of those left to servers, for every refusal without one of its own. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const REFUSED = -32000;
const CODES: Readonly<Record<string, number>> = {
  INVALID_JSON: PARSE_ERROR,
  VALIDATION_ERROR: INVALID_REQUEST,
};

/** A fault of a message's parameters, in a sentence for the client. */
export class InvalidParams extends Error {}

/** An error of any kind as an answer of JSON-RPC to a message whose id is not known (rule 15.1). */
export const rpcBodyOf = ({ code, message, details }: DomainError): object => ({
  jsonrpc: '2.0',
  id: null,
  error: {
    code: CODES[code] ?? REFUSED,
    message,
    data: { ...fieldsOf(details), code, request_id: requestContext.current().requestId },
  },
});

/** Details as fields: the faults of single fields are a list, which has no names of its own. */
const fieldsOf = (details: unknown): object =>
  Array.isArray(details) ? { violations: details } : { ...(details ?? {}) };
