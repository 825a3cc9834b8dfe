import { tagNameKey } from '../../src/privacy/index.js';
import { type Answer, type Client } from '../support/client.js';
import { type Operation, type Parameter, type Path, valueAt, withValue } from '../support/operations.js';
import { asHeader, encoded, isStorable } from '../support/hostile-strings.js';
import { bodyOf, kindOf, pathOf, type Place } from '../support/plausible.js';

/** One place of one operation for a caller's text. */
export type Slot =
  | { kind: 'path'; operation: Operation; parameter: Parameter }
  | { kind: 'query'; operation: Operation; parameter: Parameter }
  | { kind: 'header'; operation: Operation; parameter: Parameter }
  | { kind: 'body'; operation: Operation; at: Path };

export const nameOf = (slot: Slot): string =>
  `${slot.operation.name} ${slot.kind} ${slot.kind === 'body' ? slot.at.join('.') : slot.parameter.name}`;

/** Headers that every operation reads; openapi.json has the rest. */
const COMMON_HEADERS = [
  'X-User-ID',
  'X-API-Key',
  'Authorization',
  'X-Change-Reason',
  'X-Request-Id',
  'Idempotency-Key',
  'If-Match',
];
/** Operations on which they are tried: a read and a write for each kind of caller. */
const HAVE_COMMON = /^(GET \S+\/(auth\/me|nodes|current)|(POST|PUT) \S+\/(tags|nodes|nodes\/\{\w+\}|login))$/;

export function slotsOf(operations: Operation[]): Slot[] {
  return operations.flatMap((operation) => {
    const common = HAVE_COMMON.test(operation.name) ? COMMON_HEADERS : [];
    const headers = common.filter((name) => !operation.parameters.some((known) => known.name === name));
    return [
      ...operation.parameters.map((parameter): Slot => ({ kind: parameter.in, operation, parameter })),
      ...headers.map((name): Slot => {
        return { kind: 'header', operation, parameter: { name, in: 'header', schema: { type: 'string' } } };
      }),
      ...textsIn(operation).map((at): Slot => ({ kind: 'body', operation, at })),
    ];
  });
}

/** String fields, and in free objects one value and one key. */
const textsIn = ({ fields, example }: Operation): Path[] =>
  fields.flatMap(({ at, schema }) => {
    if (schema.type === 'string') return [at];
    const isFree = schema.type === 'object' && schema.properties === undefined;
    return isFree && typeof valueAt(example, at) === 'object' ? leavesOf(valueAt(example, at), at) : [];
  });

function leavesOf(value: unknown, at: Path): Path[] {
  if (typeof value === 'string') return [at];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, [...at, Array.isArray(value) ? Number(key) : key]),
  );
}

export interface Sent {
  answer: Answer;
  client: Client;
  path: string;
  body: Record<string, unknown> | undefined;
}

/** A valid request of the operation, except for this text in that slot. */
export async function sendWith(place: Place, slot: Slot, { text, number }: { text: string; number: number }) {
  const { operation } = slot;
  const client = place.clientFor(operation);
  let path = pathOf(operation, place.things);
  let body = bodyOf(operation, place.things, number);
  const headers: Record<string, string> = {};
  if (slot.kind === 'path') {
    const name = slot.parameter.name;
    const { path: template } = operation;
    const marked = { ...operation, path: template.replace(`{${name}}`, '\u0001') };
    path = pathOf(marked, place.things).replace('\u0001', () => encoded(text));
  } else if (slot.kind === 'query') {
    path = `${path.split('?')[0]}?${slot.parameter.name}=${encoded(text)}`;
  } else if (slot.kind === 'header') {
    headers[slot.parameter.name] = asHeader(text);
  } else if (slot.kind === 'body') {
    body = withValue(body, slot.at, text);
  }
  const answer = await client.send(operation.method, path, body, { headers });
  return { answer, client, path, body };
}

/** The fault of an answer to any request; null without one. */
export function faultOf({ status, body, headers, text }: Answer): string | null {
  if (status >= 500) return `${status} ${text}`;
  if (status < 400) return null;
  const isEnvelope =
    typeof body?.error?.code === 'string' &&
    typeof body.error.message === 'string' &&
    body.error.request_id === headers['x-request-id'];
  return isEnvelope ? null : `${status} without the envelope: ${text}`;
}

/** The unexpected outcome of an id or an unstorable text; null without one. */
export function wrongOutcome(slot: Slot, text: string, { answer }: Sent): string | null {
  const { status } = answer;
  // An unknown agent has contributed nothing (rule 7.5).
  const isAgent = slot.kind === 'path' && slot.parameter.name === 'agent_id' && answer.body?.total === 0;
  // A link is checked before its target; a person without app_id has no subscription to look in.
  const isLink = /\/(content|redeliver)$/.test(slot.operation.path);
  if (slot.kind === 'path' && !isAgent && !isLink && text !== '' && !/^\.*$/.test(text)) {
    return status === 404 ? null : `${status} for a malformed id`;
  }
  if (slot.kind === 'query' && status < 300 && slot.parameter.schema.enum?.includes(text) === false) {
    return 'a value that is not one of the enumeration is taken';
  }
  if (slot.kind === 'body' && status < 300 && !isStorable(text) && !failedInside(answer)) {
    return 'a text that cannot be stored is taken';
  }
  return null;
}

/** True if an item of a batch failed alone. */
export const failedInside = ({ body }: Answer): boolean =>
  [body?.errors, body?.not_found].some((list) => Array.isArray(list) && list.length > 0);

/** Compares a stored text with the one sent; names are trimmed, those of tags brought to NFC. */
export async function readBack(slot: Slot, text: string, sent: Sent, has: (path: string) => boolean) {
  const { method } = slot.operation;
  if (slot.kind !== 'body' || sent.answer.status >= 300 || typeof sent.answer.body !== 'object') return null;
  const shown = at(sent.answer.body, slot.at);
  if (shown.length === 0) return null;
  if (!shown.some((value) => isSame(value, text))) return `answers ${JSON.stringify(shown)}`;
  const own = method === 'POST' ? `${sent.path}/${sent.answer.body.id}` : sent.path;
  if (!has(own)) return null;
  const stored = at((await sent.client.get(own)).body, slot.at);
  return stored.some((value) => isSame(value, text)) ? null : `stores ${JSON.stringify(stored)}`;
}

/** The value there; all values of a list, because its order may differ. */
function at(body: unknown, path: Path): unknown[] {
  const isItem = typeof path.at(-1) === 'number';
  return [valueAt(body, isItem ? path.slice(0, -1) : path)].flat().filter((value) => value !== undefined);
}

function isSame(shown: unknown, sent: string): boolean {
  if (shown === sent) return true;
  if (typeof shown !== 'string') return false;
  const isMoment = !Number.isNaN(Date.parse(sent)) && Date.parse(shown) === Date.parse(sent);
  return isMoment || shown === sent.trim() || tagNameKey(shown) === tagNameKey(sent);
}

/**
 * Rows that a filter should not have let through: none of their texts contains the filter's. Ids, switches and orders
 * are not filters by text.
 */
export function extraRows(slot: Slot, text: string, { answer }: Sent): string | null {
  if (slot.kind !== 'query' || answer.status !== 200 || text === '') return null;
  const { name, schema } = slot.parameter;
  if (schema.type !== 'string' || schema.enum) return null;
  // An empty list names no id.
  if (/^[\s,]*$/.test(text)) return null;
  const wanted = folded(text.trim());
  const rows = Object.values(answer.body as object).find(Array.isArray) as unknown[] | undefined;
  const isId = kindOf(name) !== undefined || /_ids?$/.test(name);
  if (isId) return (rows?.length ?? answer.body.count ?? 0) === 0 ? null : 'an id that is none matches';
  const extra = rows?.find((row) => !textsOf(row).some((value) => folded(value).includes(wanted)));
  return extra === undefined ? null : `matches ${JSON.stringify(extra)}`;
}

const folded = (text: string): string => text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : [];
