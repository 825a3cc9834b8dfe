import { readFileSync } from 'node:fs';
import { sayUse, type Use, WORDS } from '../../console/src/uses.js';

const entry = (endpoint: string, more: Partial<Use> = {}): Use => ({
  id: 'one',
  at: '2026-01-31T12:00:00.000Z',
  since: '2026-01-31T12:00:00.000Z',
  actor: {} as Use['actor'],
  session_id: null,
  via: 'rest',
  tool: null,
  action: 'read',
  endpoint,
  status: 200,
  requests: 1,
  node_count: 0,
  node_ids: [],
  nodes: [],
  ids_left_out: false,
  ...more,
});
const said = (endpoint: string, more: Partial<Use> = {}): string => {
  const { words, hasNotes, more: rest } = sayUse(entry(endpoint, more));
  return `${words}${hasNotes ? ' …' : ''}${rest}`;
};

interface Operation {
  security?: Record<string, unknown>[];
}
/** The endpoints that apps may call, as the access log names them. */
function endpointsOfApps(): string[] {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(
        ([, { security = [] }]) => path.startsWith('/api/v1/') && security.some((one) => 'ApiKey' in one),
      )
      .map(([method]) => `${method.toUpperCase()} ${routeOf(path)}`),
  );
}
const routeOf = (path: string): string =>
  path
    .replace('/api/v1', '')
    .replace('{schema_uri}', '*schema_uri')
    .replaceAll(/\{(\w+)\}/g, ':$1');

describe('sentences about entries of the access log', () => {
  it('every endpoint that apps may call has words of its own', () => {
    const endpoints = endpointsOfApps();
    expect(endpoints.length).toBeGreaterThan(70);
    expect(Object.keys(WORDS).sort()).toEqual([...endpoints, 'webhook'].sort());
  });

  it.each<[string, Partial<Use>, string]>([
    ['GET /nodes/:node_id', { node_count: 1 }, 'Read …'],
    ['GET /nodes', {}, 'Asked for a list of notes, and got none'],
    ['POST /nodes/search', { node_count: 2 }, 'Searched, and found …'],
    ['POST /nodes/search', {}, 'Searched, and found no notes'],
    ['GET /tags', {}, 'Read the list of tags'],
    ['POST /nodes', { action: 'create', status: 201, node_count: 1 }, 'Added …'],
    ['POST /nodes', { status: 201, node_count: 1 }, 'Was shown …'],
    ['POST /proposals', { action: 'create', status: 201 }, 'Suggested a change'],
    ['POST /proposals', { status: 201, node_count: 1 }, 'Was shown …'],
    ['POST /tags', { action: 'create', status: 201 }, 'Added a tag'],
    ['PUT /nodes/:node_id', { action: 'update', node_count: 1 }, 'Changed …'],
    ['PUT /nodes/:node_id', { action: 'create' }, 'Added tags or connections'],
    ['DELETE /nodes/:node_id', { action: 'delete', node_count: 1 }, 'Deleted …'],
    ['DELETE /tags/:tag_id', { action: 'delete' }, 'Deleted a tag'],
    ['DELETE /tags/:tag_id', { action: 'update', node_count: 2 }, 'Changed …'],
    ['POST /proposals/:proposal_id/apply', { action: 'create', node_count: 1 }, 'Added …'],
    ['POST /webhooks/subscription/enable', { action: 'update' }, 'Took up its subscription to news again'],
    ['GET /sync', { requests: 3 }, 'Looked for changes, and found none (3 times)'],
    ['webhook', { via: 'webhook', node_count: 1 }, 'Was sent news of …'],
    [
      'POST /nodes/search',
      { via: 'mcp', tool: 'search' },
      'Searched, and found no notes, by the assistant’s tool “search”',
    ],
    ['GET /tags', { via: 'mcp' }, 'Read the list of tags, as an assistant'],
    [
      'PUT /nodes/:node_id',
      { action: 'refused', status: 403, requests: 2 },
      'Was refused: it wanted to change notes and may not (2 times)',
    ],
    [
      'GET /nodes/:node_id',
      { action: 'refused', status: 404 },
      'Was refused: it wanted to read notes that it does not see or that are not there',
    ],
    ['GET /later', {}, 'Asked for something that is not a note'],
  ])('an entry of %s with %j is put in words', (endpoint, more, words) => {
    expect(said(endpoint, more)).toBe(words);
  });
});
