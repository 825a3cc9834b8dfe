import { jest } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import fs, { readFileSync } from 'node:fs';
import request from 'supertest';
import { buildOpenApi } from '../../src/kernel/http/openapi/openapi.js';
import { RouteTable } from '../../src/kernel/http/route-table.js';
import { World } from '../support/world.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Operation = any;

const isDocument = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('openapi' in value || 'swaggerDoc' in value);

describe('the document of the API', () => {
  let world: World;
  let document: OpenAPIObject;
  let operations: [name: string, operation: Operation][];

  beforeAll(async () => {
    world = await World.startHere();
    document = JSON.parse(JSON.stringify(buildOpenApi(world.nest))) as OpenAPIObject;
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Operation>).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as [string, Operation],
      ),
    );
  });
  afterAll(() => world.stop());

  const faults = (check: (operation: Operation, name: string) => string | false): string[] =>
    operations.flatMap(([name, operation]) => {
      const fault = check(operation, name);
      return fault ? [`${name}: ${fault}`] : [];
    });

  it('equals the checked-in file (npm run openapi)', () => {
    expect(document).toEqual(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
  });

  it('openapi.json is served, with Swagger UI', async () => {
    await request(world.origin).get('/openapi.json').expect(200, document);
    await request(world.origin).get('/docs').expect(200).expect('Content-Type', /html/);
  });

  it('openapi.json is serialized once, however often strangers ask for it', async () => {
    const serialized = jest.spyOn(JSON, 'stringify');
    const paths = [
      '/openapi.json',
      '/openapi.json/',
      '/docs/swagger-ui-init.js',
      '/docs/docs/swagger-ui-init.js',
    ];
    for (const path of [...paths, ...paths]) {
      const { status, body, text, headers } = await request(world.origin).get(path);
      expect(status).toBe(200);
      expect(headers['content-type']).toMatch(path.endsWith('js') ? /javascript/ : /json/);
      expect(path.endsWith('js') ? text.includes('openapi') : body).toEqual(
        path.endsWith('js') ? true : document,
      );
    }
    const whole = serialized.mock.calls.filter(([value]: unknown[]) => isDocument(value));
    serialized.mockRestore();
    expect(whole.length).toBeLessThanOrEqual(2);
    await request(world.origin).get('/docs-yaml').expect(404);
  });

  it('files of Swagger UI are sent from memory, so that answers which wait hold none open (rule 11.9l)', async () => {
    const opened = jest.spyOn(fs, 'createReadStream');
    const agent = request(world.origin);
    for (const [name, type] of [
      ['swagger-ui.css', /css/],
      ['swagger-ui-bundle.js', /javascript/],
      ['swagger-ui-standalone-preset.js', /javascript/],
      ['favicon-16x16.png', /png/],
      ['favicon-32x32.png', /png/],
    ] as const) {
      const { headers } = await agent.get(`/docs/${name}`).expect(200).expect('Content-Type', type);
      await agent
        .head(`/docs/${name}`)
        .expect(200)
        .expect('Content-Length', String(headers['content-length']));
    }
    for (const other of ['package.json', 'swagger-ui-bundle.js.map', '..%2fpackage.json'])
      await agent.get(`/docs/${other}`).expect(404);
    expect(opened).not.toHaveBeenCalled();
    opened.mockRestore();
  });

  it('openapi.json has every route', () => {
    const routes = world.nest
      .get(RouteTable)
      .routes.map(({ method, path }) => `${method} ${path.replace(/[:*]([A-Za-z_]+)/g, '{$1}')}`);
    expect([...new Set(operations.map(([name]) => name))].sort()).toEqual([...new Set(routes)].sort());
  });

  it('openapi.json has an id, a summary, a description and a tag for every operation', () => {
    const ids = operations.map(([, { operationId }]) => operationId as string);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      faults(
        ({ summary, description, tags }) =>
          (!summary || !description || !tags?.length) && 'summary, description or tag',
      ),
    ).toEqual([]);
  });

  it('openapi.json has a description of every parameter', () => {
    expect(
      faults(({ parameters = [] }) =>
        parameters
          .filter((p: Operation) => !p.description || !p.schema)
          .map((p: Operation) => p.name)
          .join(),
      ),
    ).toEqual([]);
  });

  it('openapi.json has a schema for every answer with a body, and an example for every JSON body', () => {
    const bodies = (operation: Operation): [string, Operation][] => [
      ...(operation.requestBody ? [['request', operation.requestBody] as [string, Operation]] : []),
      ...Object.entries(operation.responses as Record<string, Operation>).filter(
        ([status]) => !['204', '302', '304'].includes(status),
      ),
    ];
    expect(
      faults((operation) =>
        bodies(operation)
          .filter(([, { content }]) => {
            const [media] = Object.values((content ?? {}) as Record<string, Operation>);
            return (
              !media?.schema ||
              (content['application/json'] && media.example === undefined && media.examples === undefined)
            );
          })
          .map(([name]) => name)
          .join(),
      ),
    ).toEqual([]);
  });

  it('declares 401, 403 and 429 for operations that need a credential, and 4xx for the rest', () => {
    expect(
      faults(({ security, responses }) => {
        const needed = security.length > 0 ? ['401', '403', '429'] : ['429'];
        return needed.filter((status) => !responses[status]).join();
      }),
    ).toEqual([]);
  });
});
