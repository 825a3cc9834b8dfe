import { type Named } from './inner-requests.js';
import { type Life } from './life.js';
import { upload } from './uploads.js';

const named = (path: string): string => `POST /api/v1${path}`;
const post = (path: string, body: unknown): Named => ({ name: named(path), method: 'POST', path, body });
const uploaded = (...given: Parameters<typeof upload>): Named => ({
  name: named(given[0]),
  ...upload(...given),
});
const node = (title: string): Named => post('/nodes', { title, node_type: 'note', tags: ['shown'] });
const proposal = (title: string): Named => {
  const canonical_data = { title, node_type: 'note', tags: ['shown'] };
  return post('/proposals', { title, canonical_data });
};

const anybodys = (shown: string): Named[] => [
  node('mine'),
  node('mine, too'),
  post('/tags', { name: 'mine' }),
  post('/sessions', { external_id: 'mine', agent_name: 'note-reader' }),
  post('/schemas', { name: 'mine', category: 'plan', json_schema: {} }),
  uploaded('/raw-files', 'mine'),
  uploaded('/raw-files', 'ours', [shown]),
];
const APPS = [proposal('one'), proposal('two'), proposal('three')];
const PERSONS = [
  post('/groups', { name: 'mine' }),
  post('/groups', { name: 'mine, too' }),
  post('/apps', { name: 'mine', requested_permissions: { tags: { read: true } } }),
  post('/exposure-profiles', { name: 'mine' }),
  post('/exposure-profiles/from-template', { name: 'mine, too', template: 'transparent' }),
];

/** A person's requests to another: to follow them, and to have a share of everything. */
const dealings = (alice: string): Named[] => [
  post('/follows', { target_user_id: alice }),
  post('/sharing', { shared_with_user_id: alice, scope: 'all' }),
];

/** The first requests of every caller, so that random requests find something of each kind. */
export const openingOf = (caller: 'key' | 'user', { tagging, alice }: Life): Named[] => [
  ...anybodys(tagging.shown),
  ...(caller === 'key' ? APPS : [...PERSONS, ...dealings(alice.id)]),
];
