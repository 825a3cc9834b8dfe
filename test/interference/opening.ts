import { type Request } from './twins.js';
import { upload } from './uploads.js';

const post = (path: string, body: unknown): Request => ({ method: 'POST', path, body });
const node = (title: string): Request => post('/nodes', { title, node_type: 'note', tags: ['shown'] });
const proposal = (title: string): Request => {
  const canonical_data = { title, node_type: 'note', tags: ['shown'] };
  return post('/proposals', { title, canonical_data, status: 'READY_FOR_APPROVAL' });
};

const anybodys = (shown: string): Request[] => [
  node('mine'),
  node('mine, too'),
  post('/tags', { name: 'mine' }),
  post('/sessions', { external_id: 'mine', agent_name: 'note-reader' }),
  post('/schemas', { name: 'mine', category: 'plan', json_schema: {} }),
  upload('/raw-files', 'mine'),
  upload('/raw-files', 'ours', [shown]),
];
const APPS = [proposal('one'), proposal('two'), proposal('three')];
const PERSONS = [
  post('/groups', { name: 'mine' }),
  post('/groups', { name: 'mine, too' }),
  post('/apps', { name: 'mine', requested_permissions: { tags: { read: true } } }),
  post('/exposure-profiles', { name: 'mine' }),
  post('/exposure-profiles/from-template', { name: 'mine, too', template: 'transparent' }),
];

/** What every caller asks first, with a tag that it may see, so that there is something of each kind for the requests at random. */
export const openingOf = (caller: 'key' | 'user', shown: string): Request[] => [
  ...anybodys(shown),
  ...(caller === 'key' ? APPS : PERSONS),
];
