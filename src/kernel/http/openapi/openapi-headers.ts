import { type OpenAPIObject } from '@nestjs/swagger';
import { CONFIRMABLE, READS } from '../endpoint.js';
import { takesIdempotencyKey } from '../idempotent-requests.js';
import { VERSION_PREFIX } from '../version-prefix.js';
import { type Json, refOf } from './openapi-examples.js';
import { accepts, type Answer, mayFill, type Operation } from './openapi-operations.js';

const described = (description: string, schema: Json = { type: 'string' }): Json => ({ description, schema });
const HEADERS = {
  'X-Request-Id': described(
    'The id of this request, as in the logs. Your own is used if it is 1-64 characters of `A-Za-z0-9_-`.',
  ),
  'Retry-After': described('Seconds to wait.', { type: 'integer' }),
  'Idempotent-Replayed': described(
    'Present if this is the stored answer to an earlier request with this key.',
    {
      type: 'string',
      enum: ['true'],
    },
  ),
  'Content-Range': described('The size of the file: `bytes */<size>`.'),
  ETag: described(
    'For If-Match: the version in quotes, followed by a digest for apps that are not shown everything; an opaque value ' +
      'at detail minimal, and for relationships and tags where anything is hidden. Behind a dot, reads add a digest of ' +
      'the answer, for If-None-Match. Replayed answers may lack it.',
  ),
};
/** The entity tag of an answer that can be confirmed (rule 11.14). */
const CONFIRMED = {
  'ETag-Of-Answer': described(
    'For If-None-Match: a digest of the answer, behind the version where it has one.',
  ),
};
const UNCHANGED = '#/components/responses/Unchanged';

/** The caller's rate limit, on every answer below the version prefix (rule 9.7c). */
const RATE_LIMITS = {
  'X-RateLimit-Limit': described('The limit of the window with the fewest requests left.', {
    type: 'integer',
  }),
  'X-RateLimit-Remaining': described('The number of requests left in that window.', { type: 'integer' }),
  'X-RateLimit-Reset': described('The end of that window, as Unix time in seconds.', { type: 'integer' }),
};
/** The header that shows users their quotas, on answers to their own writes (rule 9.8e). */
const QUOTAS = {
  'X-Quota': described(
    'After a write to your own graph or account with a JWT: the used amount and the limit of each quota, as a dictionary ' +
      'of RFC 9651 such as `nodes=12;limit=250000, tags=3;limit=10000`. Quotas without limit are left out.',
  ),
};
/** The header that names what was ignored of a body, on answers to bodies (rule 11.4c). */
const IGNORED = {
  'Ignored-Fields': described(
    'Present if the body has fields that the operation does not know: their dotted paths, up to 1,000 characters, then ' +
      '`...`. Characters other than letters, digits, `-` and `_` are percent-encoded.',
  ),
};
const references = (headers: Json): Record<string, { $ref: string }> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const LIMITED = references(RATE_LIMITS);
const COUNTED = references(QUOTAS);
const NAMED = references(IGNORED);
const OF_ANSWER = { $ref: '#/components/headers/ETag-Of-Answer' };

/** Documents the headers of answers, and answers without a body to reads that hold one (rule 11.14). */
export function addResponseHeaders(document: OpenAPIObject): void {
  const { paths } = document;
  document.components = {
    ...document.components,
    headers: { ...RATE_LIMITS, ...QUOTAS, ...IGNORED, ...CONFIRMED },
    responses: { ...document.components?.responses, Unchanged: unchanged() },
  };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      operation,
      isCounted: accepts(operation, 'Bearer') && mayFill(path, method, operation),
      isConfirmed: method === 'get' && operation[CONFIRMABLE] === true,
      isKeyed:
        takesIdempotencyKey(method, path, operation[READS] === true) && operation.security !== undefined,
      standing: path.startsWith(`/${VERSION_PREFIX}/`) ? LIMITED : {},
    })),
  );
  const versioned = versionedSchemas(document);
  for (const { operation, standing, isCounted, isConfirmed, isKeyed } of operations) {
    for (const [status, answer] of Object.entries(operation.responses ?? {})) {
      const isDone = status.startsWith('2');
      const names: (keyof typeof HEADERS)[] = ['X-Request-Id'];
      if (status === '429' || status === '503') names.push('Retry-After');
      if (status === '416') names.push('Content-Range');
      if (isDone && isKeyed) names.push('Idempotent-Replayed');
      if (isDone && versioned.has(schemaOf(answer))) names.push('ETag');
      answer.headers = {
        ...(isDone && isConfirmed ? { ETag: OF_ANSWER } : {}),
        ...Object.fromEntries(names.map((name) => [name, HEADERS[name]])),
        ...standing,
        ...(isDone && isCounted ? COUNTED : {}),
        ...(isDone && operation.requestBody?.content?.['application/json'] ? NAMED : {}),
        ...answer.headers,
      };
    }
    if (isConfirmed) (operation.responses ??= {})['304'] = { $ref: UNCHANGED };
    delete operation[READS];
    delete operation[CONFIRMABLE];
  }
}

type ResponseObject = Exclude<NonNullable<OpenAPIObject['components']>['responses'], undefined>[string];

const unchanged = (): ResponseObject => ({
  description: 'The answer whose entity tag `If-None-Match` names still holds.',
  headers: { ETag: OF_ANSWER, ...LIMITED },
});

const schemaOf = ({ content }: Answer): string | undefined => refOf(content?.['application/json']?.schema);

/**
 * The schemas of answers with an ETag: those that a GET answers of a resource that is changed under If-Match, and those
 * that its PUT answers if they have a version.
 */
function versionedSchemas({ paths, components }: OpenAPIObject): Set<string | undefined> {
  const schemas = new Set<string | undefined>();
  const bearsVersion = (name: string | undefined): boolean =>
    'version' in
    ((components?.schemas?.[name?.split('/').at(-1) ?? ''] as { properties?: Json } | undefined)
      ?.properties ?? {});
  for (const item of Object.values(paths) as Record<string, Operation>[]) {
    const isConditional = [item.put, item.patch].some((operation) => operation?.responses?.['412']);
    if (isConditional && item.get?.responses?.['200']) schemas.add(schemaOf(item.get.responses['200']));
    const written = isConditional && item.put?.responses?.['200'];
    if (written && bearsVersion(schemaOf(written))) schemas.add(schemaOf(written));
  }
  schemas.delete(undefined);
  return schemas;
}
