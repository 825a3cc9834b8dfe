import { servesAsApp } from '../../src/kernel/http/endpoint.js';
import { RouteTable } from '../../src/kernel/http/route-table.js';
import { asApp } from '../support/as-app.js';
import { byToken } from '../support/app-token.js';
import { byTool, hasTool } from '../support/as-assistant.js';
import { type Answer, type Client } from '../support/client.js';
import { operationsOf } from '../support/operations.js';
import { type TestApp, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { contentRows } from './content-rows.js';
import { logRows } from './log-rows.js';
import { ownedRows } from './owned-rows.js';
import { peopleRows } from './people-rows.js';
import { DENIED, FULL, GONE, NEW, readAll, readWork, type Row } from './permission-rows.js';
import { proposalRows } from './proposal-rows.js';
import { readingRows } from './reading-rows.js';
import { ruleRows } from './rule-rows.js';
import { isPerson, type Requested, requestedBy, TableWorld, outcomeOf } from './table-world.js';
import { writingRows } from './writing-rows.js';

/** To change a rule, add its row first. Columns that are left out are not affected by any rule. */
const tableRows = {
  ...readingRows,
  ...ruleRows,
  ...logRows,
  ...proposalRows,
  ...writingRows,
  ...ownedRows,
  ...contentRows,
  ...peopleRows,
};
/** A token of an app is judged like a user key of it (rule 14.2b): those rows again, by token. */
const tokenRows = Object.values(tableRows)
  .flat()
  .filter(([who]) => who === 'user key')
  .map(([, ...rest]): Row => ['token', ...rest]);
/** An assistant is judged like its app (rule 15.3a): the rows of every endpoint that a tool stands for, by that tool. */
const toolRows = Object.values(tableRows)
  .flat()
  .filter(([who, , , endpoint, , , body]) => {
    const [method, path] = endpoint.split(' ') as [string, string];
    return who.startsWith('app') && hasTool(method, path, body);
  });
const everyRow = {
  ...tableRows,
  'an app by token is answered like one with a user key (rule 14.2b)': tokenRows,
};

type Narrow = { reads?: 'freeform' | 'none'; writes?: 'freeform' | 'none' };

/** Requests that narrow schemas themselves: the ceiling counts like the grant. */
const narrow: [Narrow, Row][] = [
  [{ reads: 'none' }, ['app', 'read', readAll, 'GET /nodes/:work', GONE, GONE]],
  [{ reads: 'freeform' }, ['app', 'read', readAll, 'GET /nodes/:work', '200', GONE]],
  [{ reads: 'freeform' }, ['app', 'read', readAll, 'GET /nodes/:typed', GONE, GONE]],
  [{ writes: 'none' }, ['app', 'read edit', FULL, 'PUT /nodes/:work', DENIED, GONE, { title: 'x' }]],
  [{ writes: 'freeform' }, ['app', 'read edit', FULL, 'PUT /nodes/:typed', DENIED, GONE, { title: 'x' }]],
  [{ writes: 'none' }, ['app', 'create', FULL, 'POST /nodes', DENIED, null, NEW]],
  [{ writes: 'freeform' }, ['app', 'create', FULL, 'POST /nodes', '201', null, NEW]],
];

let world: World;
const apps = new Map<string, TestApp>();

withWorld((started) => (world = started));

/** The paths that a person may read as an app (rule 2.11). */
let asApps: RegExp[];
beforeAll(() => {
  asApps = operationsOf(world.nest)
    .filter(({ parameters }) => parameters.some(({ name }) => name === 'as_app'))
    .map(({ path }) => new RegExp(`^${path.replace('//api/v1', '').replace(/\{[^}]+\}/g, '[^/]+')}$`));
});
/** The callers that act for alice. */
const ACTING: readonly string[] = ['app', 'user key', 'token', 'app not let in'];

async function appThatRequests(requested: Requested, schemas: Narrow): Promise<TestApp> {
  const declared = requestedBy(requested, schemas);
  const name = JSON.stringify(declared);
  const app = apps.get(name) ?? (await world.app({ requested: declared as never }));
  apps.set(name, app);
  return app;
}

/** Rows that change nothing may share a graph; rows with another authorization, or with a proposal, may not. */
let shared: TableWorld | null = null;
let peopled: TableWorld | null = null;
const ABOUT_PEOPLE = /\/(sharing|follows|blocked-users|groups)|:g\./;
async function tableFor([who, , , endpoint, present]: Row): Promise<TableWorld> {
  if (isPerson(who) || ABOUT_PEOPLE.test(endpoint)) {
    const changesNothing = endpoint.startsWith('GET ') || !present.startsWith('2');
    const isOfGroup = /\/groups|:g\./.test(endpoint);
    if (!changesNothing) return (await TableWorld.make(world)).befriend(isOfGroup ? 'group' : 'shares');
    return (peopled ??= await (await TableWorld.make(world)).befriend('shares', 'group'));
  }
  const isAlone =
    who === 'app not let in' || who === 'token' || who.endsWith('user key') || endpoint.includes(':proposal');
  const sharable =
    !isAlone && (present.startsWith('4') || /^GET \/(nodes|tags|relationships)/.test(endpoint));
  return sharable ? (shared ??= await TableWorld.make(world)) : TableWorld.make(world);
}

type Send = (client: Client, ...request: Parameters<Client['send']>) => Promise<Answer>;
const plainly: Send = (client, ...request) => client.send(...request);

async function run(row: Row, schemas: Narrow = {}, by = plainly) {
  const [who, requested, granted, endpoint, , absent, body] = row;
  const table = await tableFor(row);
  const ofApp = JSON.stringify([endpoint, body]).includes('schema.app');
  const app = ofApp
    ? await world.app({ requested: requestedBy(requested) as never })
    : await appThatRequests(requested, schemas);
  const client = await table.client(who, app, granted);
  const [method, path] = endpoint.split(' ') as [string, string];
  if (endpoint.includes(':proposal')) await table.propose(client);
  if (ofApp) await table.addSchemaOf(app);
  const send = (isPresent: boolean) =>
    by(client, method, table.path(path, isPresent), body && table.body(body));
  const forAbsent = absent === null ? null : await send(false);
  const forPresent = await send(true);
  // An app's own private schemas are shown to it alone.
  const isCompared =
    by === plainly && method === 'GET' && ACTING.includes(who) && !ofApp && isReadAsApp(path);
  const asOwner = (isPresent: boolean) => table.alice.get(asApp(table.path(path, isPresent), app.id));
  const pairs: [Answer, Answer][] = [];
  if (isCompared) {
    pairs.push([await asOwner(true), forPresent]);
    if (forAbsent !== null) pairs.push([await asOwner(false), forAbsent]);
  }
  // Subscriptions are no token's (rule 14.2d).
  if (isCompared && who === 'app' && table.bound !== null && !path.startsWith('/webhooks/')) {
    const token = await byToken(world, table.bound);
    pairs.push([await token.get(table.path(path, true)), forPresent]);
    if (forAbsent !== null) pairs.push([await token.get(table.path(path, false)), forAbsent]);
  }
  return { forPresent, forAbsent, pairs };
}

const isReadAsApp = (path: string): boolean => asApps.some((known) => known.test(path.replace(/\?.*/, '')));

const title = ([who, requested, granted, endpoint, present, absent, body]: Row): string => {
  const asked =
    who === 'app' || who === 'token' || who.endsWith('user key')
      ? ` that requests [${requested}] and is granted ${JSON.stringify(granted)}`
      : '';
  const sent = body ? ` ${JSON.stringify(body)}` : '';
  return `${who}${asked}: ${endpoint}${sent} → ${present}${absent === null ? '' : `, absent ${absent}`}`;
};

/** The parts of an answer that a person who reads as an app has like the app. */
const shownBy = (answer: Answer) => {
  const { etag, vary, 'content-type': type } = answer.headers;
  return [answer.status, bytes(answer), etag, vary, type];
};

/** The text of an answer without what differs between two requests. */
function bytes({ text, body }: Answer): string {
  const { error, cursor } = (body ?? {}) as { error?: { request_id: string }; cursor?: string };
  return text.replace(error?.request_id ?? '', '').replace(cursor ?? '', '');
}

async function check(row: Row, schemas?: Narrow, by?: Send): Promise<void> {
  const { forPresent, forAbsent, pairs } = await run(row, schemas, by);
  expect({ present: outcomeOf(forPresent), absent: forAbsent && outcomeOf(forAbsent) }).toEqual({
    present: row[4],
    absent: row[5],
  });
  // The owner who reads as the app, and the app by token, have its answer, byte for byte (rules 2.11, 14.2b).
  for (const [owners, apps] of pairs) expect(shownBy(owners)).toEqual(shownBy(apps));
  // Hidden and absent have one answer, byte for byte (rule 3.18).
  if (forAbsent === null || !row[4].startsWith('404')) return;
  if (row[4] === row[5]) expect(bytes(forPresent)).toBe(bytes(forAbsent));
}

// First, for rows below make schemas of their apps.
describe('assistants by MCP are answered like their app (rule 15.3a)', () => {
  it.each(toolRows.map((row) => [title(row), row] as const))('a tool stands for: %s', (_, row) =>
    check(row, {}, byTool),
  );
});

describe.each(Object.entries(everyRow))('%s', (_, group) => {
  it.each(group.map((row) => [title(row), row] as const))('%s', (_, row) => check(row));
});

describe('the schemas that an app requests narrow its access like a grant', () => {
  it.each(
    narrow.map(([schemas, row]) => [`${JSON.stringify(schemas)} ${title(row)}`, row, schemas] as const),
  )('%s', (_, row, schemas) => check(row, schemas));
});

describe('rows and columns', () => {
  /** Endpoints of one's own account, or of an app's developer: nothing is granted there. */
  const OWN = /^\/api\/v1\/(auth|users|apps)(\/|$)/;

  it('the permission table has a row for every route that checks permissions', () => {
    const covered = Object.values(everyRow)
      .flat()
      .map(([, , , endpoint]) => {
        const [method, path] = endpoint.split(' ') as [string, string];
        const pattern = path
          .replace(/\?.*/, '')
          .replace(/uri\/.*/, 'uri/\\*schema_uri')
          .replace(/:[a-z.]+/g, ':[a-z_]+');
        return { method, pattern: new RegExp(`^/api/v1${pattern}$`) };
      });
    const missing = world.nest
      .get(RouteTable)
      .routes.filter(
        ({ endpoint, path }) =>
          endpoint?.requires !== 'public' && !(OWN.test(path) && !path.endsWith('authorizations')),
      )
      // Its tools have rows of their own; which tools they are, test/mcp holds.
      .filter(({ path }) => path !== '/mcp')
      .filter(({ method, path }) => !covered.some((row) => row.method === method && row.pattern.test(path)))
      .map(({ method, path }) => `${method} ${path}`);
    expect(missing).toEqual([]);
  });

  it('the permission table compares a successful answer of each read that a person may make as an app', () => {
    const served = world.nest
      .get(RouteTable)
      .routes.filter(
        ({ method, endpoint }) => method === 'GET' && endpoint !== undefined && servesAsApp(endpoint),
      );
    expect(asApps.map(({ source }) => source)).toHaveLength(served.length);
    const rows = Object.values(everyRow).flat();
    const compared = rows
      .filter(([who, , , , present]) => ACTING.includes(who) && present.startsWith('200'))
      .map(([, , , endpoint]) => endpoint.replace(/\?.*/, '').split(' '));
    // Their things are not in this world: test/privacy/as-app.test.ts compares them.
    const elsewhere = /categories|versions|raw-files\\\/\[|diff|subscription/;
    const missing = asApps.filter(
      (known) =>
        !elsewhere.test(known.source) &&
        !compared.some(([method, path]) => method === 'GET' && known.test(path as string)),
    );
    expect(missing.map(({ source }) => source)).toEqual([]);
  });

  it('the permission table fails if the service answers otherwise', async () => {
    await expect(check(['app', 'read', readWork, 'GET /nodes/:private', '200', GONE])).rejects.toThrow();
    await expect(check(['app', 'read', readWork, 'GET /nodes/:work', GONE, GONE])).rejects.toThrow();
  });
});
