import { readFileSync } from 'node:fs';
import { type OpenAPIObject } from '@nestjs/swagger';
import { wholeExample } from '../../src/kernel/http/openapi/openapi-examples.js';
import { type Operation, type Parameter } from '../support/operations.js';

interface Documented {
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: unknown }> };
}

/** Every operation of the checked-in openapi.json, for clients of a service that runs in another process. */
export function documentedOperations(file: string): Operation[] {
  const document = JSON.parse(readFileSync(file, 'utf8')) as OpenAPIObject;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Documented>).map(([verb, documented]) => {
      const media = documented.requestBody?.content['application/json'];
      const method = verb.toUpperCase();
      return {
        name: `${method} ${path.replace(/^\/api\/v1/, '')}`,
        method,
        path: path.startsWith('/api/v1/') ? path.slice('/api/v1'.length) : `/${path}`,
        callers: callersOf(documented.security ?? []),
        parameters: documented.parameters ?? [],
        example: media && (wholeExample(document, media.schema) as Record<string, unknown>),
        fields: [],
      };
    }),
  );
}

function callersOf(security: Record<string, unknown>[]): Operation['callers'] {
  if (security.length === 0) return 'public';
  const [byKey, byToken] = ['ApiKey', 'Bearer'].map((name) => security.some((way) => name in way));
  return byKey && byToken ? 'any' : byKey ? 'key' : 'user';
}
