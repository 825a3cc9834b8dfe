import { type OpenAPIObject } from '@nestjs/swagger';
import { buildOpenApi } from '../../src/kernel/http/openapi/openapi.js';
import { mapLeaves, type Operation, operationsOf } from '../support/operations.js';
import { bodyOf, ELSEWHERE, endsSomething, kindOf, pathOf, Place } from '../support/plausible.js';
import { World } from '../support/world.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** A reader of openapi.json in Swagger UI who tries the operations. */
describe('examples', () => {
  let world: World;
  let document: OpenAPIObject;
  let operations: Operation[];

  beforeAll(async () => {
    world = await World.startHere();
    document = buildOpenApi(world.nest);
    operations = operationsOf(world.nest);
  });
  afterAll(() => world.stop());

  const documented = ({ method, path }: Operation): Json =>
    (document.paths[path.slice(1)] as Json)[method.toLowerCase()];
  const exampleOf = (operation: Operation): Json =>
    documented(operation).requestBody?.content['application/json']?.example;

  it.each(['/tags', '/exposure-profiles', '/nodes'])(
    'openapi.json has an example for POST %s that succeeds unchanged',
    async (path) => {
      const operation = operations.find((one) => one.method === 'POST' && one.path.endsWith(`/v1${path}`));
      const alice = await world.user();
      const answer = await alice.post(path, exampleOf(operation as Operation));
      expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 201 });
    },
  );

  it.each(['/relationships', '/authorizations'])(
    'openapi.json has an example for POST %s that needs nothing but existing ids',
    async (path) => {
      const operation = operations.find((one) => one.method === 'POST' && one.path.endsWith(`/v1${path}`));
      const place = await Place.make(world);
      const { id: app } = await world.app();
      const ids: Record<string, string> = { ...place.things, app };
      const filled = mapLeaves(
        exampleOf(operation as Operation),
        (leaf, key) => ids[kindOf(key) ?? ''] ?? leaf,
      );
      const { status, body } = await place.user.post(path, filled);
      expect({ status, error: body.error }).toEqual({ status: 201 });
    },
  );

  it('openapi.json has no optional id in examples of bodies', () => {
    const faults: string[] = [];
    for (const operation of operations) {
      const required = operation.fields
        .filter(({ isRequired }) => isRequired)
        .map(({ at }) => String(at.at(-1)));
      mapLeaves(exampleOf(operation) ?? {}, (leaf, key) => {
        if (typeof leaf === 'string' && UUID.test(leaf) && !required.includes(key))
          faults.push(`${operation.name} ${key}`);
        return leaf;
      });
    }
    expect(faults).toEqual([]);
  });

  it('describes required parameters and ids in words of their own', () => {
    const faults: string[] = [];
    for (const operation of operations) {
      for (const { name, in: where, description = '' } of documented(operation).parameters ?? [])
        if (where !== 'path' && ['', `The ${name.replaceAll('_', ' ')}.`].includes(description))
          faults.push(`${operation.name} ${name}`);
      for (const { at, schema, isRequired } of operation.fields)
        if (isRequired && /_ids?$/.test(String(at[0])) && at.length === 1 && !(schema as Json).description)
          faults.push(`${operation.name} ${at.join('.')}`);
    }
    expect(faults).toEqual([]);
  });

  it('documents tag expressions as trees, and transformations by their types', () => {
    const { CreateProfileBody, TagExpression } = document.components?.schemas as Json;
    expect(TagExpression.properties.conditions.items.oneOf).toContainEqual({
      $ref: '#/components/schemas/TagExpression',
    });
    const { tag_expression, transformations } = CreateProfileBody.properties;
    expect(tag_expression.allOf).toEqual([{ $ref: '#/components/schemas/TagExpression' }]);
    const titles = transformations.items.oneOf.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(expect.arrayContaining(['pii_redaction', 'field_mask', 'truncate', 'round_date']));
  });

  it('documents headers of requests as parameters', () => {
    const headers = (operation: Operation): string[] =>
      documented(operation)
        .parameters.filter((parameter: Json) => parameter.in === 'header')
        .map(({ name }: Json) => name);
    for (const operation of operations.filter(({ callers }) => callers !== 'public')) {
      // A stored answer would hold the secret that each of these gives out.
      const isSecret = /^\/\/api\/v1\/(auth\/|oauth\/|sync\/ticket$)/.test(operation.path);
      // A repeated read has no effect to prevent.
      const onlyReads = /\/(preview|validate|lookup|search|search\/vector)$/.test(operation.path);
      const isKeyed = operation.method === 'POST' && !isSecret && !onlyReads;
      expect([operation.name, headers(operation).includes('Idempotency-Key')]).toEqual([
        operation.name,
        isKeyed,
      ]);
      expect(headers(operation).includes('X-Change-Reason')).toBe(operation.method !== 'GET');
    }
    const changing = operations.filter(({ name }) =>
      /^(PUT|PATCH|DELETE) .*\/nodes\/\{node_id\}$/.test(name),
    );
    expect(changing.length).toBeGreaterThan(2);
    expect(changing.filter((operation) => !headers(operation).includes('If-Match'))).toEqual([]);
  });

  it('documents the headers of answers, and only those', async () => {
    const faults: string[] = [];
    const found = new Set<string>();
    const never: string[] = [];
    let number = 0;
    let place = await Place.make(world);
    for (const operation of operations.filter(({ path }) => path.startsWith('//api/v1'))) {
      const client = place.clientFor(operation);
      const path = pathOf(operation, place.things);
      const key = { headers: { 'Idempotency-Key': `key ${++number}` } };
      const body = bodyOf(operation, place.things, number);
      const answers = [await client.send(operation.method, path, body, key)];
      if (operation.method === 'POST') answers.push(await client.send(operation.method, path, body, key));
      for (const [index, { status, headers }] of answers.entries()) {
        // Limits and quotas are off in tests, and examples have no unknown fields; other tests check these headers.
        const told = Object.keys(documented(operation).responses[status]?.headers ?? {}).filter(
          (name) => !/^(X-RateLimit-.*|X-Quota|Ignored-Fields)$/.test(name),
        );
        const carried = ['ETag', 'X-Request-Id', 'Retry-After', 'Idempotent-Replayed'].filter(
          (name) => headers[name.toLowerCase()] !== undefined,
        );
        carried.forEach((name) => found.add(name));
        // A stored answer is cut by today's profile and has no version. Answers with a version describe that in text.
        const isToldInWords = /schemas\/\{schema_id\}$/.test(operation.path);
        const optional = [index === 0 || status >= 300 ? 'Idempotent-Replayed' : 'ETag'];
        const wrong = [
          ...carried.filter((name) => !told.includes(name) && !(isToldInWords && name === 'ETag')),
          ...told.filter((name) => headers[name.toLowerCase()] === undefined && !optional.includes(name)),
        ];
        if (wrong.length > 0) faults.push(`${operation.name} ${status}: ${wrong.join()}`);
      }
      if (!answers.some(({ status }) => status < 300) && !ELSEWHERE.test(operation.name))
        never.push(`${operation.name} ${answers[0]?.status}`);
      if (answers.some((answer) => endsSomething(operation, answer))) place = await Place.make(world);
    }
    expect(faults).toEqual([]);
    // Each of the other headers was in some answer.
    expect(never).toEqual([]);
    expect([...found].sort()).toEqual(['ETag', 'Idempotent-Replayed', 'X-Request-Id']);
  }, 600_000);
});
