import { endpointOf, isOfAppItself } from '../../src/kernel/http/endpoint.js';
import { Locators } from '../../src/kernel/http/locators.js';
import { type Route, RouteTable } from '../../src/kernel/http/route-table.js';
import { type Answer, type Client } from '../support/client.js';
import { type TestApp, type TestUser, World } from '../support/world.js';

const NOBODY = '00000000-0000-7000-8000-000000000000';

describe('sweeps', () => {
  let world: World;
  let routes: Route[];
  let alice: TestUser;
  let app: TestApp;

  beforeAll(async () => {
    world = await World.startHere();
    routes = world.nest.get(RouteTable).routes;
    alice = await world.user('alice');
    app = await world.app();
    await alice.lets(app);
  });
  afterAll(() => world.stop());

  const send = (client: Client, { method, path }: Route, body?: unknown): Promise<Answer> =>
    client.send(method, `//${path.slice(1)}`.replace(/[:*][A-Za-z_]+/g, NOBODY), body);
  const guarded = () => routes.filter(({ endpoint }) => endpoint?.requires !== 'public');
  const callers = ({ endpoint }: Route) =>
    endpoint?.requires === 'public' ? null : endpoint?.requires.callers;

  /** Runs a check over many routes and names every one that fails it. */
  async function sweep(chosen: Route[], check: (route: Route) => Promise<string | null>): Promise<void> {
    const failures: string[] = [];
    for (const route of chosen) {
      const failure = await check(route);
      if (failure) failures.push(`${route.method} ${route.path}: ${failure}`);
    }
    expect(chosen.length).toBeGreaterThan(0);
    expect(failures).toEqual([]);
  }

  function envelopeFault({ status, body, headers }: Answer, wanted: number, code: string): string | null {
    if (status !== wanted) return `status ${status} ${JSON.stringify(body)}`;
    // JSON-RPC has a number in the place of the code.
    const named = body?.jsonrpc === undefined ? body?.error : body.error?.data;
    if (named?.code !== code) return `code ${JSON.stringify(body)}`;
    if (typeof body.error.message !== 'string' || named.request_id !== headers['x-request-id'])
      return 'envelope';
    return null;
  }

  it('every route is declared', () => {
    expect(routes.length).toBeGreaterThan(60);
    expect(routes.filter(({ endpoint }) => endpoint === undefined)).toEqual([]);
  });

  it('every route refuses a caller without a credential, with any body', () =>
    sweep(guarded(), async (route) => {
      const answer = await send(world.api, route, route.method === 'GET' ? undefined : '{not json');
      return (
        envelopeFault(answer, 401, 'UNAUTHORIZED') ??
        (answer.headers['www-authenticate'] ? null : 'no WWW-Authenticate')
      );
    }));

  it('every route refuses a forged token and a forged key', () =>
    sweep(guarded(), async (route) => {
      const token = alice.token.slice(0, -4) + (alice.token.endsWith('AAAA') ? 'BBBB' : 'AAAA');
      const forged = await send(world.api.with({ Authorization: `Bearer ${token}` }), route);
      const key = app.apiKey.slice(0, -1) + (app.apiKey.endsWith('0') ? '1' : '0');
      const wrong = await send(world.api.with({ 'X-API-Key': key, 'X-User-ID': alice.id }), route);
      return envelopeFault(forged, 401, 'UNAUTHORIZED') ?? envelopeFault(wrong, 401, 'UNAUTHORIZED');
    }));

  it('every route refuses both credentials at once', () =>
    sweep(guarded(), async (route) => {
      const both = await send(alice.with({ 'X-API-Key': app.apiKey, 'X-User-ID': alice.id }), route);
      return envelopeFault(both, 400, 'AMBIGUOUS_CREDENTIALS');
    }));

  it('every route for users refuses keys', () =>
    sweep(
      guarded().filter((route) => callers(route) === 'user'),
      async (route) => envelopeFault(await send(app.as(alice), route, {}), 403, 'PERMISSION_DENIED'),
    ));

  it('every route for keys refuses users', () =>
    sweep(
      guarded().filter((route) => callers(route) === 'key'),
      async (route) => envelopeFault(await send(alice, route, {}), 403, 'PERMISSION_DENIED'),
    ));

  it('every route for an app acting for a user refuses an app that this user has not authorized', async () => {
    const stranger = await world.user();
    const needsUser = guarded().filter(({ endpoint }) => {
      const requires = endpoint?.requires;
      return (
        requires !== undefined &&
        requires !== 'public' &&
        requires.callers !== 'user' &&
        !isOfAppItself(requires)
      );
    });
    await sweep(needsUser, async (route) => {
      const unauthorized = await send(app.as(stranger), route, {});
      const unknown = await send(world.api.with({ 'X-API-Key': app.apiKey, 'X-User-ID': NOBODY }), route, {});
      const [one, other] = [unauthorized, unknown].map(({ text, headers }) =>
        text.replace(headers['x-request-id'] as string, ''),
      );
      const same = one === other;
      return (
        envelopeFault(unauthorized, 403, 'PERMISSION_DENIED') ??
        (same ? null : 'an unknown user reads differently')
      );
    });
  });

  it('every route with a path id answers an absent and a malformed one alike, before it reads the body', () => {
    const located = guarded().filter(
      ({ endpoint }) => endpoint?.requires !== 'public' && endpoint?.requires.resource !== undefined,
    );
    return sweep(located, async (route) => {
      const client = callers(route) === 'key' ? app.as(alice) : alice;
      const absent = await send(client, route, route.method === 'GET' ? undefined : '{not json');
      const malformed = await client.send(
        route.method,
        `//${route.path.slice(1)}`.replace(/[:*][A-Za-z_]+/g, 'no-id'),
        route.method === 'GET' ? undefined : '{not json',
      );
      if (absent.status !== 404 || malformed.status !== 404)
        return `status ${absent.status} and ${malformed.status}`;
      return absent.body.error.code === malformed.body.error.code &&
        absent.body.error.message === malformed.body.error.message
        ? null
        : 'they differ';
    });
  });

  it('every route with a path id is refused at boot if its locator does not know the verb', () => {
    const locators = world.nest.get(Locators);
    const located = guarded().flatMap((route) => {
      const { endpoint } = route;
      if (endpoint === undefined || endpoint.requires === 'public') return [];
      const { resource } = endpoint.requires;
      if (resource === undefined) return [];
      const requires = { ...endpoint.requires, resource: { ...resource, verb: 'admn' } };
      return [{ ...route, endpoint: { ...endpoint, requires } }];
    });
    expect(located.length).toBeGreaterThan(40);
    for (const route of located) {
      const table = Object.assign(Object.create(RouteTable.prototype) as RouteTable, { routes: [route] });
      expect(() => table.audit((kind, verb) => locators.knows(kind, verb))).toThrow('no locator for admn');
    }
  });

  it('every route answers an unknown method with 405 and Allow, an unknown route with 404, before any credential', async () => {
    await sweep(routes, async (route) => {
      const answer = await send(world.api, { ...route, method: 'PROPFIND' });
      if (!answer.headers.allow?.split(', ').includes(route.method)) return `Allow: ${answer.headers.allow}`;
      if (route.endpoint?.errorPage === undefined) return envelopeFault(answer, 405, 'METHOD_NOT_ALLOWED');
      return answer.status === 405 && /<h1>/.test(answer.text) ? null : `no page: ${answer.text}`;
    });
    const unknown = await world.api.get('/no/such/route');
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  });
});

describe('the audit at boot', () => {
  it('refuses a route without a declaration, an empty one, and one for an unknown resource or verb', () => {
    const table = Object.create(RouteTable.prototype) as RouteTable;
    const audit = (endpoint: unknown) => {
      Object.assign(table, { routes: [{ method: 'GET', path: '/x/:id', handler: 'X.y', endpoint }] });
      return () => table.audit((kind, verb) => kind === 'known' && verb === 'read');
    };
    expect(endpointOf(() => undefined)).toBeUndefined();
    expect(audit(undefined)).toThrow('no @Endpoint');
    expect(audit({ requires: undefined })).toThrow('requires nothing');
    expect(audit({ requires: {} })).toThrow('requires nothing');
    expect(
      audit({ requires: { callers: 'any', resource: { kind: 'other', param: 'id', verb: 'read' } } }),
    ).toThrow('no locator');
    expect(
      audit({ requires: { callers: 'any', resource: { kind: 'known', param: 'id', verb: 'admn' } } }),
    ).toThrow('no locator');
    expect(
      audit({ requires: { callers: 'any', resource: { kind: 'known', param: 'no', verb: 'read' } } }),
    ).toThrow('no parameter');
    expect(
      audit({ requires: { callers: 'any', resource: { kind: 'known', param: 'id', verb: 'read' } } }),
    ).not.toThrow();
    expect(audit({ requires: 'public' })).not.toThrow();
  });

  it('refuses a route that an earlier one shadows', () => {
    const audit = (...paths: string[]) => {
      const routes = paths.map((path) => ({
        method: 'GET',
        path,
        handler: path,
        endpoint: { requires: 'public' },
      }));
      const table = Object.assign(Object.create(RouteTable.prototype) as RouteTable, { routes });
      return () => table.audit(() => true);
    };
    expect(audit('/nodes/:id', '/nodes/history')).toThrow('/nodes/history) is never reached');
    expect(audit('/nodes/:id/history/:version', '/nodes/:id/history/at-time')).toThrow('is never reached');
    expect(audit('/nodes/history', '/nodes/:id', '/nodes/:id/history', '/nodes')).not.toThrow();
  });
});
