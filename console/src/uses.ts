import { type components } from '../../clients/typescript/src/schema.js';

export type Use = components['schemas']['AccessEntryDto'];
type Action = Use['action'];

/** The words of an endpoint: before the names of notes, and those where there are no notes. */
type Words = readonly [withNotes: string, without: string];

const READ = 'Read';
const LIST: Words = [READ, 'Asked for a list of notes, and got none'];
const NOTE: Words = [READ, 'Read a note that is not yours'];
const SEARCH: Words = ['Searched, and found', 'Searched, and found no notes'];
const FILES: Words = ['Read the list of files:', 'Asked for a list of files, and got none'];
const HISTORY: Words = ['Read the history of', 'Asked for the history of notes, and got nothing'];
const CHANGES: Words = ['Looked for changes, and read', 'Looked for changes, and found none'];
const CREATE: Words = ['Added', 'Added notes'];
const EDIT: Words = ['Changed', 'Changed nothing in a note'];
const DELETE: Words = ['Deleted', 'Wanted to delete notes, and deleted none'];
const TAGGED: Words = ['Changed the tags of', 'Left the tags of a note as they were'];
const WORKED_OUT: Words = ['Stored what it has computed for', 'Stored nothing new for a search'];

/** An endpoint that is not about notes; where it shows or changes some all the same, they follow. */
const plain = (words: string): Words => [`${words}:`, words];

/** The words for what an endpoint is there for. An app may call each of these (a test compares them with the API). */
export const WORDS: Readonly<Record<string, Words>> = {
  'GET /nodes': LIST,
  'GET /nodes/:node_id': NOTE,
  'POST /nodes/lookup': [READ, 'Asked for notes by their addresses, and got none'],
  'GET /nodes/count': plain('Counted notes'),
  'GET /nodes/facets': plain('Counted notes by tags and kinds'),
  'POST /nodes/search': SEARCH,
  'POST /nodes/search/vector': SEARCH,
  'GET /nodes/:node_id/similar': [
    'Looked for notes like another one, and found',
    'Looked for notes like another one, and found none',
  ],
  'GET /nodes/:node_id/neighborhood': ['Read connected notes:', 'Looked around a note, and found nothing'],
  'GET /nodes/:node_id/relationships': plain('Read the connections of a note'),
  'GET /nodes/:node_id/download': ['Asked for the file', 'Asked for a file'],
  'POST /nodes': CREATE,
  'POST /nodes/batch': CREATE,
  'POST /nodes/upload': ['Added the file', 'Added a file'],
  'PUT /nodes/:node_id': EDIT,
  'PATCH /nodes/:node_id': EDIT,
  'DELETE /nodes/:node_id': DELETE,
  'POST /nodes/bulk-delete': DELETE,
  'POST /nodes/:node_id/restore': ['Restored', 'Wanted to restore a note that was not deleted'],
  'POST /nodes/:node_id/tags': TAGGED,
  'DELETE /nodes/:node_id/tags/:tag_id': TAGGED,
  'PUT /nodes/batch/embeddings': WORKED_OUT,
  'PUT /nodes/:node_id/embedding': WORKED_OUT,
  'GET /relationships': plain('Read the list of connections'),
  'GET /relationships/:relationship_id': plain('Read a connection between notes'),
  'POST /relationships': plain('Connected two notes'),
  'PUT /relationships/:relationship_id': plain('Changed a connection between notes'),
  'DELETE /relationships/:relationship_id': plain('Deleted a connection between notes'),
  'GET /tags': plain('Read the list of tags'),
  'GET /tags/:tag_id': plain('Read a tag'),
  'GET /tags/:tag_id/nodes': LIST,
  'GET /tags/:tag_id/files': FILES,
  'POST /tags': plain('Added a tag'),
  'POST /third-party/tags': plain('Added a tag'),
  'PUT /tags/:tag_id': plain('Changed a tag'),
  'DELETE /tags/:tag_id': plain('Deleted a tag'),
  'POST /tags/bulk-delete': plain('Deleted tags'),
  'GET /schemas': plain('Read the list of schemas'),
  'GET /schemas/categories': plain('Read the list of schemas'),
  'GET /schemas/uri/*schema_uri': plain('Read a schema'),
  'GET /schemas/:schema_id': plain('Read a schema'),
  'GET /schemas/:schema_id/versions': plain('Read the versions of a schema'),
  'POST /schemas': plain('Added a schema'),
  'PUT /schemas/:schema_id': plain('Changed a schema'),
  'DELETE /schemas/:schema_id': plain('Deleted a schema'),
  'POST /schemas/:schema_id/validate': plain('Compared something of its own with a schema'),
  'GET /raw-files': FILES,
  'GET /raw-files/:file_id': ['Read the record of the file', 'Read the record of a file'],
  'GET /raw-files/:file_id/download': ['Opened the file', 'Opened a file'],
  'POST /raw-files': ['Added the file', 'Added a file'],
  'PUT /raw-files/:file_id': ['Changed the file', 'Changed nothing in a file'],
  'DELETE /raw-files/:file_id': ['Deleted the file', 'Wanted to delete a file, and deleted none'],
  'POST /raw-files/:file_id/tags': TAGGED,
  'DELETE /raw-files/:file_id/tags/:tag_id': TAGGED,
  'GET /nodes/history': HISTORY,
  'GET /nodes/:node_id/history': HISTORY,
  'GET /nodes/:node_id/history/at-time': HISTORY,
  'GET /nodes/:node_id/history/:version': HISTORY,
  'GET /nodes/:node_id/contributions': plain('Read who has written a note'),
  'GET /nodes/:node_id/ledger': plain('Read who has written a note'),
  'GET /agents/:agent_id/contributions': plain('Read what a program has written'),
  'POST /sessions': plain('Began a session of work'),
  'GET /sessions': plain('Read its sessions of work'),
  'GET /sessions/:session_id': plain('Read a session of work'),
  'PATCH /sessions/:session_id': plain('Changed a session of work'),
  'GET /analytics/agent-stats': plain('Read statistics of what programs have written'),
  'GET /analytics/history-stats': plain('Read statistics of changes'),
  'GET /sync': CHANGES,
  'GET /sync/status': plain('Looked whether its copy is up to date'),
  'POST /sync/ticket': plain('Prepared to follow changes'),
  'GET /sync/stream': CHANGES,
  'GET /proposals/events': plain('Looked for news of suggestions'),
  'POST /proposals': plain('Suggested a change'),
  'POST /proposals/batch': plain('Suggested several changes'),
  'GET /proposals': plain('Read the list of its suggestions'),
  'GET /proposals/:proposal_id': plain('Read one of its suggestions'),
  'GET /proposals/:proposal_id/diff': plain('Compared a suggestion with your notes'),
  'PATCH /proposals/:proposal_id': plain('Changed one of its suggestions'),
  'DELETE /proposals/:proposal_id': plain('Took back a suggestion'),
  'POST /proposals/:proposal_id/apply': [
    'Applied a suggestion that you approved, which changed',
    'Applied a suggestion that you approved',
  ],
  'POST /proposals/subscribe': plain('Subscribed to news of suggestions'),
  'POST /webhooks/subscribe': plain('Subscribed to news of changes'),
  'GET /webhooks/subscription': plain('Looked at its subscription to news'),
  'DELETE /webhooks/subscription': plain('Ended its subscription to news'),
  'POST /webhooks/subscription/enable': plain('Took up its subscription to news again'),
  'POST /webhooks/subscription/rotate-secret': plain('Changed the secret of its subscription to news'),
  'POST /webhooks/subscription/test': plain('Tried its subscription to news'),
  'GET /webhooks/deliveries': plain('Looked which news it was sent'),
  'POST /webhooks/deliveries/:delivery_id/redeliver': plain('Asked for news once more'),
  'GET /apps/current': plain('Looked at its own description'),
  'GET /apps/current/authorizations': plain('Looked at its connections'),
  'GET /authorizations/current': plain('Looked what it may do'),
  'DELETE /authorizations/current': plain('Ended its connection'),
  'GET /third-party/:third_party_id/metrics': plain('Looked how much it uses the service'),
  webhook: ['Was sent news of', 'Was sent news'],
};

/** Endpoints whose action is not that of their method. */
const ACTIONS: Readonly<Record<string, Action>> = {
  'POST /nodes/lookup': 'read',
  'POST /nodes/search': 'read',
  'POST /nodes/search/vector': 'read',
  'POST /schemas/:schema_id/validate': 'read',
  'POST /nodes/bulk-delete': 'delete',
  'POST /tags/bulk-delete': 'delete',
  'POST /nodes/:node_id/restore': 'update',
  'POST /nodes/:node_id/tags': 'update',
  'DELETE /nodes/:node_id/tags/:tag_id': 'update',
  'POST /raw-files/:file_id/tags': 'update',
  'DELETE /raw-files/:file_id/tags/:tag_id': 'update',
  'POST /proposals/:proposal_id/apply': 'update',
  webhook: 'read',
};
const BY_METHOD: Readonly<Record<string, Action>> = { GET: 'read', POST: 'create', DELETE: 'delete' };

/** Words for what comes with another thing: the answer to a write shows notes, and a note brings its new tags. */
const BESIDE: Readonly<Record<Exclude<Action, 'refused'>, Words>> = {
  read: ['Was shown', 'Asked for something that is not a note'],
  create: ['Added', 'Added tags or connections'],
  update: ['Changed', 'Changed something that is not a note'],
  delete: ['Deleted', 'Deleted tags or connections'],
};

/** The parts of a sentence about one entry of the access log: names of notes, if there are any, follow the first one. */
export interface UseSentence {
  words: string;
  hasNotes: boolean;
  /** The number of requests where there were several, and the way. */
  more: string;
}

export function sayUse(use: Use): UseSentence {
  const hasNotes = use.node_count > 0 && use.action !== 'refused';
  const words = use.action === 'refused' ? refusal(use) : wordsOf(use, use.action)[hasNotes ? 0 : 1];
  const times = use.requests > 1 ? ` (${use.requests.toLocaleString('en')} times)` : '';
  return { words, hasNotes, more: `${times}${wayOf(use)}` };
}

function wordsOf({ endpoint, node_count }: Use, action: Exclude<Action, 'refused'>): Words {
  const words = WORDS[endpoint];
  const method = endpoint.split(' ', 1)[0] ?? '';
  const usual = ACTIONS[endpoint] ?? BY_METHOD[method] ?? 'update';
  // A POST that has only set something up is an update, and one without an effect on notes has none of their actions.
  const isUsual = action === usual || (action === 'update' && node_count === 0 && method === 'POST');
  return words !== undefined && isUsual ? words : BESIDE[action];
}

const THINGS: Readonly<Record<string, string>> = {
  nodes: 'notes',
  relationships: 'connections of notes',
  tags: 'tags',
  schemas: 'schemas',
  'raw-files': 'files',
  proposals: 'suggestions',
  sync: 'changes',
  webhooks: 'a subscription to news',
  sessions: 'sessions of work',
};
const VERBS: Readonly<Record<string, string>> = {
  read: 'read',
  create: 'add',
  update: 'change',
  delete: 'delete',
};

/** A refusal says what it was about, without a note: those that the app does not see are like those that are not there. */
function refusal({ endpoint, status }: Use): string {
  const [method = '', path = ''] = endpoint.split(' ');
  const verb = VERBS[ACTIONS[endpoint] ?? BY_METHOD[method] ?? 'update'];
  const thing = THINGS[path.split('/')[1] ?? ''] ?? 'something';
  const why = status === 404 ? 'that it does not see or that are not there' : 'and may not';
  return `Was refused: it wanted to ${verb} ${thing} ${why}`;
}

function wayOf({ via, tool }: Use): string {
  if (via !== 'mcp') return '';
  return tool === null ? ', as an assistant' : `, by the assistant’s tool “${tool}”`;
}
