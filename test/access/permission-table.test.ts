import { RouteTable } from '../../src/kernel/http/route-table.js';
import { type TestApp, World } from '../support/world.js';
import { contentRows } from './content-rows.js';
import { peopleRows } from './people-rows.js';
import { type Row } from './permission-rows.js';
import { type Granted, isPerson, type Requested, requestedBy, TableWorld, told } from './table-world.js';

/** Add the row before changing the rule. What is not said is what no rule says. */
type Narrow = { reads?: 'freeform' | 'none'; writes?: 'freeform' | 'none' };

const EVERYTHING = 'discover read propose create edit write delete files';
const FULL: Granted = {
  discover: 'all',
  read: 'all',
  propose: 'all',
  edit: 'all',
  create: 'all',
  delete: 'all',
};
const GONE = '404 NODE_NOT_FOUND';
const NONE = '404 NOT_FOUND';
const DENIED = '403 PERMISSION_DENIED';
const readAll: Granted = { read: 'all' };
const readWork: Granted = { read: 'work' };
const NEW = { title: 'new', node_type: 'note' };
const EDGE = { from_node_id: '$work', to_node_id: '$both', relationship_type: 'knows' };

const PROPOSAL = { title: 'p', canonical_data: NEW, tags: ['work'] };
const UPDATE = {
  title: 'p',
  type: 'UPDATE_NODE',
  canonical_data: { node_id: '$work', changes: { title: 'x' } },
};

const rows: Record<string, Row[]> = {
  'who reads a node': [
    ['owner', '', {}, 'GET /nodes/:work', '200', GONE],
    ['owner', '', {}, 'GET /nodes/:bare', '200', GONE],
    ['stranger', '', {}, 'GET /nodes/:work', GONE, GONE],
    ['nobody', '', {}, 'GET /nodes/:work', '401 UNAUTHORIZED', '401 UNAUTHORIZED'],
    ['app not let in', EVERYTHING, {}, 'GET /nodes/:work', DENIED, DENIED],
    ['app', EVERYTHING, FULL, 'GET /nodes/:work', '200', GONE],
    ['app', EVERYTHING, FULL, 'GET /nodes/:bare', '200', GONE],
    ['user key', EVERYTHING, FULL, 'GET /nodes/:work', '200', GONE],
    ['user key', EVERYTHING, readWork, 'GET /nodes/:private', GONE, GONE],
  ],
  'reading is requested and granted (3.1, 3.4)': [
    ['app', 'read', readWork, 'GET /nodes/:work', '200', GONE],
    ['app', 'read', readWork, 'GET /nodes/:both', '200', GONE],
    ['app', 'read', readWork, 'GET /nodes/:typed', '200', GONE],
    ['app', 'read', readWork, 'GET /nodes/:private', GONE, GONE],
    ['app', 'read', readWork, 'GET /nodes/:bare', GONE, GONE],
    ['app', 'read', readAll, 'GET /nodes/:bare', '200', GONE],
    ['app', 'read', {}, 'GET /nodes/:work', GONE, GONE],
    ['app', 'read', { ...FULL, read: 'none' }, 'GET /nodes/:work', GONE, GONE],
    ['app', '', FULL, 'GET /nodes/:work', GONE, GONE],
    ['app', 'edit create propose discover', FULL, 'GET /nodes/:work', GONE, GONE],
    ['app', 'files', FULL, 'GET /nodes/:work', GONE, GONE],
  ],
  'files are nodes (6.1, 3.14)': [
    ['owner', '', {}, 'GET /raw-files', '200 of 0', null],
    ['app', 'read', readAll, 'GET /raw-files', '200 of 0', null],
    ['app', '', FULL, 'GET /raw-files', '200 of 0', null],
    ['app not let in', EVERYTHING, {}, 'GET /raw-files', DENIED, null],
    ['owner', '', {}, 'GET /nodes/:work/download', '400 NOT_A_FILE', GONE],
    ['app', 'read', readWork, 'GET /nodes/:work/download', '400 NOT_A_FILE', GONE],
    ['app', 'read', readWork, 'GET /nodes/:private/download', GONE, GONE],
    ['app', 'read', readWork, 'GET /raw-files/:work/download', '400 NOT_A_FILE', GONE],
    ['app', 'read', readWork, 'GET /raw-files/:private/download', GONE, GONE],
    // No node of this world is a file: what becomes of real ones stands in test/graph/files-apps.test.ts.
    ['app', EVERYTHING, FULL, 'GET /raw-files/:work', GONE, GONE],
    ['app', EVERYTHING, FULL, 'PUT /raw-files/:work', GONE, GONE, {}],
    ['app', EVERYTHING, FULL, 'DELETE /raw-files/:work', GONE, GONE],
    ['app', EVERYTHING, FULL, 'POST /raw-files/:work/tags', GONE, GONE, { tag_id: '$tag.work' }],
    ['app', EVERYTHING, FULL, 'DELETE /raw-files/:work/tags/:tag.work', GONE, GONE],
    ['app', 'read edit', FULL, 'POST /raw-files', DENIED, null],
    ['app', 'create', FULL, 'POST /raw-files', '415 UNSUPPORTED_MEDIA_TYPE', null],
    ['owner', '', {}, 'POST /raw-files', '415 UNSUPPORTED_MEDIA_TYPE', null],
    ['app', 'read edit', FULL, 'POST /nodes/upload', DENIED, null],
    ['app', 'create', FULL, 'POST /nodes/upload', '415 UNSUPPORTED_MEDIA_TYPE', null],
    ['owner', '', {}, 'POST /nodes/upload', '415 UNSUPPORTED_MEDIA_TYPE', null],
  ],
  'an app sees its own proposals, the user all of them (1.12, 8.4)': [
    ['owner', '', {}, 'GET /proposals', '200 of 0', null],
    ['app', 'read', readWork, 'GET /proposals', '200 of 0', null],
    ['app not let in', EVERYTHING, {}, 'GET /proposals', DENIED, null],
    ['owner', '', {}, 'GET /proposals/:proposal.other', '200', NONE],
    ['app', EVERYTHING, FULL, 'GET /proposals/:proposal.own', '200', NONE],
    ['app', EVERYTHING, FULL, 'GET /proposals/:proposal.other', NONE, NONE],
    ['stranger', '', {}, 'GET /proposals/:proposal.other', NONE, NONE],
    ['owner', '', {}, 'GET /proposals/:proposal.other/diff', '200', NONE],
    ['app', EVERYTHING, FULL, 'GET /proposals/:proposal.other/diff', NONE, NONE],
    ['app', 'read', readWork, 'GET /proposals/events', '200', null],
    ['app not let in', EVERYTHING, {}, 'GET /proposals/events', DENIED, null],
  ],
  'proposing needs propose, for tags and schemas, too (3.7, 3.10)': [
    ['owner', '', {}, 'POST /proposals', DENIED, null, PROPOSAL],
    ['app', 'propose', { propose: 'work' }, 'POST /proposals', '201', null, PROPOSAL],
    ['user key', 'propose', { propose: 'work' }, 'POST /proposals', '201', null, PROPOSAL],
    ['app', 'read edit create', FULL, 'POST /proposals', DENIED, null, PROPOSAL],
    ['app', 'propose', { propose: 'private' }, 'POST /proposals', DENIED, null, PROPOSAL],
    ['app', 'propose', { propose: 'work' }, 'POST /proposals', DENIED, null, { ...PROPOSAL, tags: ['new'] }],
    ['app', 'propose', { propose: 'work+' }, 'POST /proposals', '201', null, { ...PROPOSAL, tags: ['new'] }],
    ['app', 'propose', { propose: 'work', writes: 'none' }, 'POST /proposals', DENIED, null, PROPOSAL],
    ['app', 'propose read', { propose: 'private', read: 'all' }, 'POST /proposals', DENIED, null, UPDATE],
    ['app', 'propose read', { propose: 'work', read: 'work' }, 'POST /proposals', '201', null, UPDATE],
    ['owner', '', {}, 'PATCH /proposals/:proposal.other', DENIED, DENIED, {}],
    ['app', EVERYTHING, FULL, 'PATCH /proposals/:proposal.own', '200', NONE, {}],
    ['app', EVERYTHING, FULL, 'PATCH /proposals/:proposal.own', DENIED, NONE, { status: 'APPROVED' }],
    ['app', EVERYTHING, FULL, 'PATCH /proposals/:proposal.other', NONE, NONE, {}],
  ],
  'only the user approves and undoes, the app applies its own (8.5-8.7)': [
    ['owner', '', {}, 'POST /proposals/:proposal.other/approve', '200', NONE, {}],
    ['app', EVERYTHING, FULL, 'POST /proposals/:proposal.own/approve', DENIED, DENIED, {}],
    ['stranger', '', {}, 'POST /proposals/:proposal.other/approve', NONE, NONE, {}],
    ['owner', '', {}, 'POST /proposals/:proposal.other/reject', '200', NONE, {}],
    ['app', EVERYTHING, FULL, 'POST /proposals/:proposal.own/reject', DENIED, DENIED, {}],
    ['owner', '', {}, 'POST /proposals/:proposal.other/apply', '409 PROPOSAL_NOT_APPROVED', NONE],
    ['app', EVERYTHING, FULL, 'POST /proposals/:proposal.own/apply', '409 PROPOSAL_NOT_APPROVED', NONE],
    ['app', EVERYTHING, FULL, 'POST /proposals/:proposal.other/apply', NONE, NONE],
    ['app', 'read', readWork, 'POST /proposals/:proposal.other/apply', DENIED, DENIED],
    ['owner', '', {}, 'POST /proposals/:proposal.other/revert', '409 INVALID_STATE_TRANSITION', NONE],
    ['app', EVERYTHING, FULL, 'POST /proposals/:proposal.own/revert', DENIED, DENIED],
    ['owner', '', {}, 'DELETE /proposals/:proposal.other', '200', NONE],
    ['app', EVERYTHING, FULL, 'DELETE /proposals/:proposal.own', '200', NONE],
    ['app', EVERYTHING, FULL, 'DELETE /proposals/:proposal.other', NONE, NONE],
  ],
  'lists filter silently (3.18)': [
    ['owner', '', {}, 'GET /nodes', '200 of 5', null],
    ['stranger', '', {}, 'GET /nodes', '200 of 0', null],
    ['app', 'read', readAll, 'GET /nodes', '200 of 5', null],
    ['app', 'read', readWork, 'GET /nodes', '200 of 3', null],
    ['app', 'read', {}, 'GET /nodes', '200 of 0', null],
    ['app', '', FULL, 'GET /nodes', '200 of 0', null],
    ['app not let in', EVERYTHING, {}, 'GET /nodes', DENIED, null],
    ['app', 'read', readWork, 'GET /nodes/count', '200 of 3', null],
    ['app', '', FULL, 'GET /nodes/count', '200 of 0', null],
    ['app', 'read discover', readWork, 'GET /tags/:tag.work/nodes', '200 of 3', NONE],
    ['app', 'read discover', readWork, 'GET /tags/:tag.private/nodes', NONE, NONE],
    [
      'app',
      'read discover',
      { discover: 'all', read: 'work' },
      'GET /tags/:tag.private/nodes',
      '200 of 1',
      NONE,
    ],
    ['app', 'read discover', readWork, 'GET /tags/:tag.work/files', '200 of 0', NONE],
    ['app', 'read', readWork, 'GET /relationships', '200 of 1', null],
    ['app', 'read', readAll, 'GET /relationships', '200 of 2', null],
    ['app', '', FULL, 'GET /relationships', '200 of 0', null],
    ['app', 'discover', { discover: 'work' }, 'GET /tags', '200 of 1', null],
    ['app', '', FULL, 'GET /tags', '200 of 0', null],
  ],
  'history, contributions and sessions follow reading (3.20, 7.1-7.6)': [
    ['owner', '', {}, 'GET /nodes/history', '200 of 5', null],
    ['stranger', '', {}, 'GET /nodes/history', '200 of 0', null],
    ['app', 'read', readWork, 'GET /nodes/history', '200 of 3', null],
    ['app', '', FULL, 'GET /nodes/history', '200 of 0', null],
    ['app not let in', EVERYTHING, {}, 'GET /nodes/history', DENIED, null],
    ...[
      ['history', '200 of 1'],
      ['history/:version', '200'],
      ['history/at-time?timestamp=2999-01-01', '200'],
      ['contributions', '200 of 3'],
      ['ledger', '200'],
    ].flatMap(([part, told]): Row[] => [
      ['owner', '', {}, `GET /nodes/:private/${part}`, told as string, GONE],
      ['stranger', '', {}, `GET /nodes/:work/${part}`, GONE, GONE],
      ['nobody', '', {}, `GET /nodes/:work/${part}`, '401 UNAUTHORIZED', '401 UNAUTHORIZED'],
      ['app', 'read', readWork, `GET /nodes/:work/${part}`, told as string, GONE],
      ['user key', 'read', readWork, `GET /nodes/:work/${part}`, told as string, GONE],
      ['app', 'read', readWork, `GET /nodes/:private/${part}`, GONE, GONE],
      ['app', '', FULL, `GET /nodes/:work/${part}`, GONE, GONE],
      ['app', 'edit create delete', FULL, `GET /nodes/:work/${part}`, GONE, GONE],
      ['app not let in', EVERYTHING, {}, `GET /nodes/:work/${part}`, DENIED, DENIED],
    ]),
    ['owner', '', {}, 'GET /agents/:agent/contributions', '200 of 18', '200 of 0'],
    ['stranger', '', {}, 'GET /agents/:agent/contributions', '200 of 0', '200 of 0'],
    ['app', 'read', readWork, 'GET /agents/:agent/contributions', '200 of 12', '200 of 0'],
    ['app', '', FULL, 'GET /agents/:agent/contributions', '200 of 0', '200 of 0'],
    ['app not let in', EVERYTHING, {}, 'GET /agents/:agent/contributions', DENIED, DENIED],
    ['owner', '', {}, 'GET /sessions', '200 of 2', null],
    ['stranger', '', {}, 'GET /sessions', '200 of 0', null],
    ['app', 'read', readWork, 'GET /sessions', '200 of 1', null],
    [
      'app',
      'read',
      { read: 'private', rules: { excluded_tag_ids: ['$tag.work'] } },
      'GET /sessions',
      '200 of 0',
      null,
    ],
    ['app', '', FULL, 'GET /sessions', '200 of 0', null],
    ['app not let in', EVERYTHING, {}, 'GET /sessions', DENIED, null],
    ['owner', '', {}, 'GET /sessions/:session.idle', '200', NONE],
    ['app', 'read', readWork, 'GET /sessions/:session.work', '200', NONE],
    ['app', 'read', readAll, 'GET /sessions/:session.idle', NONE, NONE],
    ['app', '', FULL, 'GET /sessions/:session.work', NONE, NONE],
    ['owner', '', {}, 'PATCH /sessions/:session.work', '200', NONE, { status: 'completed' }],
    ['app', EVERYTHING, FULL, 'PATCH /sessions/:session.work', DENIED, NONE, { status: 'completed' }],
    ['app', EVERYTHING, FULL, 'PATCH /sessions/:session.idle', NONE, NONE, { status: 'completed' }],
    ['stranger', '', {}, 'PATCH /sessions/:session.work', NONE, NONE, { status: 'completed' }],
    ['owner', '', {}, 'POST /sessions', '201', null, {}],
    ['app', 'read', {}, 'POST /sessions', '201', null, {}],
    ['app not let in', EVERYTHING, {}, 'POST /sessions', DENIED, null, {}],
    ...['agent-stats', 'history-stats'].flatMap((part): Row[] => [
      ['owner', '', {}, `GET /analytics/${part}`, '200', null],
      ['app', '', {}, `GET /analytics/${part}`, '200', null],
      ['app not let in', EVERYTHING, {}, `GET /analytics/${part}`, DENIED, null],
      ['nobody', '', {}, `GET /analytics/${part}`, '401 UNAUTHORIZED', null],
    ]),
    ['owner', '', {}, 'GET /graph/snapshot?timestamp=2999-01-01', '200', null],
    ['app', EVERYTHING, FULL, 'GET /graph/snapshot?timestamp=2999-01-01', DENIED, null],
    ['nobody', '', {}, 'GET /graph/snapshot?timestamp=2999-01-01', '401 UNAUTHORIZED', null],
  ],
  'sync needs something to read (7.11)': [
    ['owner', '', {}, 'GET /sync', '200', null],
    ['app', 'read', readWork, 'GET /sync', '200', null],
    ['app', 'read', {}, 'GET /sync', '403 FORBIDDEN', null],
    ['app', '', FULL, 'GET /sync', '403 FORBIDDEN', null],
    ['app', 'files', FULL, 'GET /sync', '403 FORBIDDEN', null],
    ['app not let in', EVERYTHING, {}, 'GET /sync', DENIED, null],
    ['owner', '', {}, 'GET /sync/status', '200', null],
    ['app', 'read', readWork, 'GET /sync/status', '200', null],
    ['app', '', FULL, 'GET /sync/status', '403 FORBIDDEN', null],
    ['app', '', FULL, 'GET /sync/stream', '403 FORBIDDEN', null],
    ['app not let in', EVERYTHING, {}, 'GET /sync/stream', DENIED, null],
  ],
  'exclusion always wins (3.2)': [
    [
      'app',
      'read',
      { ...readAll, rules: { tag_filters: { exclude_any: ['private'] } } },
      'GET /nodes/:both',
      GONE,
      GONE,
    ],
    [
      'app',
      'read',
      { ...readAll, rules: { tag_filters: { exclude_any: ['private'] } } },
      'GET /nodes/:work',
      '200',
      GONE,
    ],
    [
      'app',
      'read',
      { ...readAll, rules: { excluded_tag_ids: ['$tag.private'] } },
      'GET /nodes/:both',
      GONE,
      GONE,
    ],
    [
      'app',
      'read',
      { ...readAll, rules: { excluded_tag_ids: ['$tag.private'] } },
      'GET /nodes',
      '200 of 3',
      null,
    ],
    ['app', 'read', { ...readAll, rules: { excluded_node_types: ['note'] } }, 'GET /nodes/:work', GONE, GONE],
    [
      'app',
      'read',
      { ...readAll, rules: { excluded_node_types: ['note'] } },
      'GET /nodes/:typed',
      '200',
      GONE,
    ],
    [
      'app',
      'read',
      { ...readAll, rules: { excluded_tag_ids: ['$tag.private'], allowed_node_ids: ['$private'] } },
      'GET /nodes/:private',
      GONE,
      GONE,
    ],
    [
      'app',
      'read edit',
      { read: 'all', edit: 'all', rules: { excluded_node_types: ['note'] } },
      'PUT /nodes/:work',
      GONE,
      GONE,
      { title: 'x' },
    ],
  ],
  'schemas are requested and granted (3.3)': [
    ['app', 'read', { ...readAll, schemas: 'none' }, 'GET /nodes/:work', GONE, GONE],
    ['app', 'read', { ...readAll, schemas: 'freeform' }, 'GET /nodes/:work', '200', GONE],
    ['app', 'read', { ...readAll, schemas: 'freeform' }, 'GET /nodes/:typed', GONE, GONE],
    ['app', 'read', { ...readAll, schemas: 'freeform' }, 'GET /nodes', '200 of 4', null],
  ],
  'filters restrict (3.5)': [
    [
      'app',
      'read',
      { ...readAll, rules: { tag_filters: { include_all: ['work', 'private'] } } },
      'GET /nodes',
      '200 of 1',
      null,
    ],
    [
      'app',
      'read',
      { ...readAll, rules: { tag_filters: { include_any: ['private'] } } },
      'GET /nodes',
      '200 of 2',
      null,
    ],
    [
      'app',
      'read',
      { ...readAll, rules: { tag_filters: { include_any: ['nowhere'] } } },
      'GET /nodes',
      '200 of 0',
      null,
    ],
    [
      'app',
      'read',
      {
        ...readAll,
        rules: {
          tag_expression: {
            op: 'AND',
            conditions: [{ tag: 'work' }, { op: 'or', conditions: [{ tag: 'private' }] }],
          },
        },
      },
      'GET /nodes',
      '200 of 1',
      null,
    ],
    [
      'app',
      'read',
      { ...readAll, rules: { tag_expression: { op: 'AND', conditions: [] } } },
      'GET /nodes',
      '200 of 5',
      null,
    ],
    [
      'app',
      'read',
      { ...readAll, rules: { tag_expression: { op: 'OR', conditions: [] } } },
      'GET /nodes',
      '200 of 0',
      null,
    ],
    [
      'app',
      'read',
      { ...readAll, rules: { allowed_tag_ids: ['$tag.work', '$tag.private'] } },
      'GET /nodes',
      '200 of 4',
      null,
    ],
    [
      'app',
      'read',
      { ...readAll, rules: { allowed_tag_ids: ['$tag.work', '$tag.private'], allowed_tags_logic: 'AND' } },
      'GET /nodes',
      '200 of 1',
      null,
    ],
    [
      'app',
      'read',
      { ...readAll, rules: { allowed_node_types: ['ENTITY'] } },
      'GET /nodes',
      '200 of 1',
      null,
    ],
    [
      'app',
      'read',
      { ...readAll, rules: { date_range_start: '2100-01-01' } },
      'GET /nodes',
      '200 of 0',
      null,
    ],
    ['app', 'read', { ...readAll, rules: { date_range_end: '2000-01-01' } }, 'GET /nodes', '200 of 0', null],
    [
      'app',
      'read',
      { ...readAll, rules: { date_range_start: '2000-01-01', date_range_end: '2100-01-01' } },
      'GET /nodes',
      '200 of 5',
      null,
    ],
    [
      'app',
      'read',
      { ...readWork, rules: { tag_filters: { include_any: ['private'] } } },
      'GET /nodes',
      '200 of 1',
      null,
    ],
  ],
  'single nodes are an extra grant, for reading only (3.6)': [
    ['app', 'read', { rules: { allowed_node_ids: ['$private'] } }, 'GET /nodes/:private', '200', GONE],
    ['app', 'read', { rules: { allowed_node_ids: ['$bare'] } }, 'GET /nodes', '200 of 1', null],
    [
      'app',
      'read',
      { ...readWork, rules: { allowed_node_ids: ['$private'], allowed_node_types: ['ENTITY'] } },
      'GET /nodes',
      '200 of 2',
      null,
    ],
    ['app', '', { rules: { allowed_node_ids: ['$private'] } }, 'GET /nodes/:private', GONE, GONE],
    [
      'app',
      'read',
      { schemas: 'none', rules: { allowed_node_ids: ['$private'] } },
      'GET /nodes/:private',
      GONE,
      GONE,
    ],
    [
      'app',
      'read edit',
      { edit: 'work', rules: { allowed_node_ids: ['$private'] } },
      'PUT /nodes/:private',
      DENIED,
      GONE,
      { title: 'x' },
    ],
    [
      'app',
      'read edit',
      { edit: 'all', rules: { allowed_node_ids: ['$private'] } },
      'PUT /nodes/:private',
      '200',
      GONE,
      { title: 'x' },
    ],
    [
      'app',
      'read edit',
      { edit: 'all', rules: { allowed_node_ids: ['$private'], allowed_node_types: ['ENTITY'] } },
      'PUT /nodes/:private',
      DENIED,
      GONE,
      { title: 'x' },
    ],
  ],
  'changing a node (3.7, 3.9, 3.10)': [
    ['owner', '', {}, 'PUT /nodes/:bare', '200', GONE, { title: 'x' }],
    ['stranger', '', {}, 'PUT /nodes/:work', GONE, GONE, { title: 'x' }],
    ['app not let in', EVERYTHING, {}, 'PUT /nodes/:work', DENIED, DENIED, { title: 'x' }],
    ['app', 'read edit', { read: 'all', edit: 'work' }, 'PUT /nodes/:work', '200', GONE, { title: 'x' }],
    ['app', 'read edit', { read: 'all', edit: 'work' }, 'PUT /nodes/:both', '200', GONE, { title: 'x' }],
    ['app', 'read edit', { read: 'all', edit: 'work' }, 'PUT /nodes/:private', DENIED, GONE, { title: 'x' }],
    ['app', 'read edit', { read: 'all', edit: 'work' }, 'PUT /nodes/:private', DENIED, GONE, { title: 7 }],
    ['app', 'read edit', { read: 'all', edit: 'work' }, 'PUT /nodes/:bare', DENIED, GONE, { title: 'x' }],
    ['app', 'read edit', { read: 'work', edit: 'all' }, 'PUT /nodes/:private', GONE, GONE, { title: 'x' }],
    ['app', 'read write', { read: 'all', edit: 'all' }, 'PUT /nodes/:bare', '200', GONE, { title: 'x' }],
    ['app', 'read', FULL, 'PUT /nodes/:work', DENIED, GONE, { title: 'x' }],
    ['app', 'edit', FULL, 'PUT /nodes/:work', GONE, GONE, { title: 'x' }],
    ['app', 'read edit', { edit: 'all' }, 'PUT /nodes/:work', GONE, GONE, { title: 'x' }],
    ['app', 'read edit', { ...FULL, writes: 'none' }, 'PUT /nodes/:work', DENIED, GONE, { title: 'x' }],
    ['app', 'read edit', { ...FULL, writes: 'freeform' }, 'PUT /nodes/:work', '200', GONE, { title: 'x' }],
    ['app', 'read edit', { ...FULL, writes: 'freeform' }, 'PUT /nodes/:typed', DENIED, GONE, { title: 'x' }],
    ['app', 'read edit', { read: 'all', edit: 'work' }, 'PATCH /nodes/:work', '200', GONE, { title: 'x' }],
    [
      'app',
      'read edit',
      { read: 'all', edit: 'work' },
      'PATCH /nodes/:private',
      DENIED,
      GONE,
      { title: 'x' },
    ],
    ['app', 'read', FULL, 'PATCH /nodes/:work', DENIED, GONE, { title: 'x' }],
  ],
  'deleting a node (3.8)': [
    ['owner', '', {}, 'DELETE /nodes/:work', '204', GONE],
    ['stranger', '', {}, 'DELETE /nodes/:work', GONE, GONE],
    ['app', 'read delete', { read: 'all', delete: 'work' }, 'DELETE /nodes/:work', '204', GONE],
    ['app', 'read delete', { read: 'all', delete: 'work' }, 'DELETE /nodes/:private', DENIED, GONE],
    ['app', 'read edit', { read: 'all', edit: 'work' }, 'DELETE /nodes/:work', '204', GONE],
    ['app', 'read edit', { read: 'all', edit: 'work' }, 'DELETE /nodes/:private', DENIED, GONE],
    ['app', 'read edit -delete', { read: 'all', edit: 'all' }, 'DELETE /nodes/:work', DENIED, GONE],
    ['app', 'read edit', { read: 'all', edit: 'all', delete: 'none' }, 'DELETE /nodes/:work', DENIED, GONE],
    [
      'app',
      'read edit delete',
      { read: 'all', edit: 'all', delete: 'private' },
      'DELETE /nodes/:work',
      DENIED,
      GONE,
    ],
    ['app', 'read write', FULL, 'DELETE /nodes/:work', '204', GONE],
    ['app', 'delete', FULL, 'DELETE /nodes/:work', GONE, GONE],
    ['app', 'read create', FULL, 'DELETE /nodes/:work', DENIED, GONE],
    ['app', 'read delete', { ...FULL, writes: 'none' }, 'DELETE /nodes/:work', DENIED, GONE],
    ['app', 'read delete', { read: 'all', delete: 'work' }, 'POST /nodes/:work/restore', '200', GONE],
    ['app', 'read delete', { read: 'all', delete: 'private' }, 'POST /nodes/:work/restore', DENIED, GONE],
    ['app', 'read delete', { read: 'private', delete: 'all' }, 'POST /nodes/:work/restore', GONE, GONE],
    [
      'app',
      'read delete',
      FULL,
      'POST /nodes/bulk-delete',
      '200 of 2',
      null,
      { node_ids: ['$work', '$private'] },
    ],
    [
      'app',
      'read delete',
      { read: 'work', delete: 'all' },
      'POST /nodes/bulk-delete',
      '200 of 1',
      null,
      { node_ids: ['$work', '$private'] },
    ],
    ['app', 'read', FULL, 'POST /nodes/bulk-delete', '200 of 0', null, { node_ids: ['$work'] }],
  ],
  'creating a node: every tag must be granted (3.7)': [
    ['owner', '', {}, 'POST /nodes', '201', null, { ...NEW, tags: ['work', 'brand new'] }],
    ['app not let in', EVERYTHING, {}, 'POST /nodes', DENIED, null, NEW],
    ['app', 'create', { create: 'work' }, 'POST /nodes', '201', null, { ...NEW, tags: ['work'] }],
    ['app', 'write', { create: 'work' }, 'POST /nodes', '201', null, { ...NEW, tags: ['Work'] }],
    ['app', 'create', { create: 'work' }, 'POST /nodes', DENIED, null, { ...NEW, tags: ['work', 'private'] }],
    ['app', 'create', { create: 'work' }, 'POST /nodes', DENIED, null, { ...NEW, tags: ['brand new'] }],
    ['app', 'create', { create: 'work' }, 'POST /nodes', DENIED, null, NEW],
    [
      'app',
      'create',
      { create: 'work+' },
      'POST /nodes',
      '201',
      null,
      { ...NEW, tags: ['work', 'brand new'] },
    ],
    ['app', 'create', { create: 'work+' }, 'POST /nodes', DENIED, null, { ...NEW, tags: ['private'] }],
    [
      'app',
      'create',
      { create: 'all' },
      'POST /nodes',
      '201',
      null,
      { ...NEW, tags: ['private', 'brand new'] },
    ],
    ['app', 'create', { create: 'all' }, 'POST /nodes', '201', null, NEW],
    ['app', 'create', { create: 'all-' }, 'POST /nodes', DENIED, null, { ...NEW, tags: ['brand new'] }],
    ['app', 'create', { create: 'all-' }, 'POST /nodes', '201', null, NEW],
    ['app', 'create', { ...FULL, create: 'none' }, 'POST /nodes', DENIED, null, NEW],
    ['app', 'read edit propose', FULL, 'POST /nodes', DENIED, null, NEW],
    ['app', 'read edit propose', FULL, 'POST /nodes', DENIED, null, { title: 7 }],
    ['app', 'create', { create: 'all', writes: 'none' }, 'POST /nodes', DENIED, null, NEW],
    ['app', 'create', { create: 'all', writes: 'freeform' }, 'POST /nodes', '201', null, NEW],
    ['app', 'read', FULL, 'POST /nodes/batch', DENIED, null, { nodes: [NEW] }],
    ['app', 'create', { create: 'all' }, 'POST /nodes/batch', '201', null, { nodes: [NEW] }],
    ['app', 'create', { create: 'work' }, 'POST /nodes/batch', '200', null, { nodes: [NEW] }],
  ],
  'setting the tags of a node (3.7, 4.5)': [
    [
      'app',
      'read edit',
      { read: 'all', edit: 'work private' },
      'PUT /nodes/:work',
      '200',
      GONE,
      { tags: ['work', 'private'] },
    ],
    [
      'app',
      'read edit',
      { read: 'all', edit: 'work' },
      'PUT /nodes/:work',
      DENIED,
      GONE,
      { tags: ['work', 'private'] },
    ],
    ['app', 'read edit', { read: 'all', edit: 'work' }, 'PUT /nodes/:both', DENIED, GONE, { tags: ['work'] }],
    [
      'app',
      'read edit',
      { read: 'all', edit: 'work' },
      'PUT /nodes/:work',
      DENIED,
      GONE,
      { tags: ['work', 'new'] },
    ],
    [
      'app',
      'read edit',
      { read: 'all', edit: 'work+' },
      'PUT /nodes/:work',
      '200',
      GONE,
      { tags: ['work', 'new'] },
    ],
    ['app', 'read edit', { read: 'all', edit: 'all' }, 'PUT /nodes/:work', '200', GONE, { tags: ['new'] }],
    [
      'app',
      'read edit',
      { read: 'all', edit: 'work private' },
      'POST /nodes/:work/tags',
      '201',
      GONE,
      { tag_id: '$tag.private' },
    ],
    [
      'app',
      'read edit',
      { read: 'all', edit: 'work' },
      'POST /nodes/:work/tags',
      DENIED,
      GONE,
      { tag_id: '$tag.private' },
    ],
    [
      'app',
      'read edit',
      { read: 'work', edit: 'work' },
      'POST /nodes/:work/tags',
      NONE,
      GONE,
      { tag_id: '$tag.private' },
    ],
    [
      'app',
      'read edit',
      { read: 'work', edit: 'work' },
      'POST /nodes/:private/tags',
      GONE,
      GONE,
      { tag_id: '$tag.work' },
    ],
    ['app', 'read', FULL, 'POST /nodes/:work/tags', DENIED, GONE, { tag_id: '$tag.private' }],
    ['app', 'read edit', { read: 'all', edit: 'work' }, 'DELETE /nodes/:both/tags/:tag.work', '200', GONE],
    [
      'app',
      'read edit',
      { read: 'all', edit: 'work' },
      'DELETE /nodes/:both/tags/:tag.private',
      DENIED,
      GONE,
    ],
    ['app', 'read edit', { read: 'work', edit: 'work' }, 'DELETE /nodes/:both/tags/:tag.private', NONE, GONE],
    ['app', 'read', FULL, 'DELETE /nodes/:both/tags/:tag.work', DENIED, GONE],
  ],
  'tags (3.9, 4.15)': [
    ['owner', '', {}, 'GET /tags/:tag.work', '200', NONE],
    ['stranger', '', {}, 'GET /tags/:tag.work', NONE, NONE],
    ['app not let in', EVERYTHING, {}, 'GET /tags/:tag.work', DENIED, DENIED],
    ['app', 'discover', { discover: 'work' }, 'GET /tags/:tag.work', '200', NONE],
    ['app', 'discover', { discover: 'work' }, 'GET /tags/:tag.private', NONE, NONE],
    ['app', 'read', readWork, 'GET /tags/:tag.work', '200', NONE],
    ['app', 'propose', { propose: 'work' }, 'GET /tags/:tag.work', '200', NONE],
    ['app', 'create', { create: 'work' }, 'GET /tags/:tag.work', '200', NONE],
    ['app', 'edit', { edit: 'work' }, 'GET /tags/:tag.work', '200', NONE],
    ['app', 'delete', { delete: 'work' }, 'GET /tags/:tag.work', NONE, NONE],
    ['app', '', FULL, 'GET /tags/:tag.work', NONE, NONE],
    ['app', 'create', { create: 'work+' }, 'POST /tags', '201', null, { name: 'new' }],
    ['app', 'write', { create: 'all' }, 'POST /tags', '201', null, { name: 'new' }],
    ['app', 'create', { create: 'work' }, 'POST /tags', DENIED, null, { name: 'new' }],
    ['app', 'create', { create: 'all-' }, 'POST /tags', DENIED, null, { name: 'new' }],
    ['app', 'read edit', FULL, 'POST /tags', DENIED, null, { name: 7 }],
    ['app', 'create', { create: '+' }, 'POST /third-party/tags', '201', null, { name: 'new' }],
    ['app', 'create', { create: 'work' }, 'POST /third-party/tags', DENIED, null, { name: 'new' }],
    ['owner', '', {}, 'POST /third-party/tags', DENIED, null, { name: 'new' }],
    ['app', 'edit', { edit: 'work' }, 'PUT /tags/:tag.work', '200', NONE, { name: 'new' }],
    [
      'app',
      'discover edit',
      { discover: 'all', edit: 'work' },
      'PUT /tags/:tag.private',
      DENIED,
      NONE,
      { name: 'new' },
    ],
    ['app', 'edit', { edit: 'work' }, 'PUT /tags/:tag.private', NONE, NONE, { name: 'new' }],
    ['app', 'read', FULL, 'PUT /tags/:tag.work', DENIED, NONE, { name: 'new' }],
    ['app', 'edit', { edit: 'work' }, 'DELETE /tags/:tag.work', '200', NONE],
    ['app', 'read delete', FULL, 'DELETE /tags/:tag.work', DENIED, NONE],
    [
      'app',
      'edit',
      { edit: 'work' },
      'POST /tags/bulk-delete',
      '200 of 1',
      null,
      { tag_ids: ['$tag.work', '$tag.private'] },
    ],
    [
      'app',
      'discover edit',
      { discover: 'all', edit: 'work' },
      'POST /tags/bulk-delete',
      DENIED,
      null,
      { tag_ids: ['$tag.private'] },
    ],
    ['app', 'read', FULL, 'POST /tags/bulk-delete', DENIED, null, { tag_ids: ['$tag.work'] }],
  ],
  'relationships (3.19)': [
    ['owner', '', {}, 'GET /relationships/:edge.out', '200', NONE],
    ['stranger', '', {}, 'GET /relationships/:edge.out', NONE, NONE],
    ['app not let in', EVERYTHING, {}, 'GET /relationships/:edge.in', DENIED, DENIED],
    ['app', 'read', readWork, 'GET /relationships/:edge.in', '200', NONE],
    ['app', 'read', readWork, 'GET /relationships/:edge.out', NONE, NONE],
    ['app', 'read', readAll, 'GET /relationships/:edge.out', '200', NONE],
    ['app', 'read', readWork, 'GET /nodes/:work/relationships', '200', GONE],
    ['app', 'read', readWork, 'GET /nodes/:private/relationships', GONE, GONE],
    ['app', 'read edit', { read: 'all', edit: 'work' }, 'POST /relationships', '201', null, EDGE],
    [
      'app',
      'read edit',
      { read: 'all', edit: 'work' },
      'POST /relationships',
      '201',
      null,
      { ...EDGE, to_node_id: '$bare' },
    ],
    [
      'app',
      'read edit',
      { read: 'all', edit: 'work' },
      'POST /relationships',
      DENIED,
      null,
      { ...EDGE, from_node_id: '$bare' },
    ],
    [
      'app',
      'read edit',
      { read: 'all', edit: 'work' },
      'POST /relationships',
      DENIED,
      null,
      { ...EDGE, to_node_id: '$bare', bidirectional: true },
    ],
    [
      'app',
      'read edit',
      { read: 'work', edit: 'work' },
      'POST /relationships',
      GONE,
      null,
      { ...EDGE, to_node_id: '$bare' },
    ],
    ['app', 'read', FULL, 'POST /relationships', DENIED, null, EDGE],
    [
      'app',
      'read edit',
      { read: 'all', edit: 'work' },
      'PUT /relationships/:edge.out',
      '200',
      NONE,
      { strength: 0.5 },
    ],
    [
      'app',
      'read edit',
      { read: 'all', edit: 'private' },
      'PUT /relationships/:edge.out',
      DENIED,
      NONE,
      { strength: 0.5 },
    ],
    [
      'app',
      'read edit',
      { read: 'work', edit: 'work' },
      'PUT /relationships/:edge.out',
      NONE,
      NONE,
      { strength: 0.5 },
    ],
    ['app', 'read edit', { read: 'all', edit: 'work' }, 'DELETE /relationships/:edge.in', '200', NONE],
    ['app', 'read', FULL, 'DELETE /relationships/:edge.in', DENIED, NONE],
  ],
  "profiles and authorizations are their owner's": [
    ['owner', '', {}, 'GET /exposure-profiles', '200 of 1', null],
    ['owner', '', {}, 'GET /exposure-profiles/:profile', '200', NONE],
    ['stranger', '', {}, 'GET /exposure-profiles/:profile', NONE, NONE],
    ['app', EVERYTHING, FULL, 'GET /exposure-profiles/:profile', DENIED, DENIED],
    ['app', EVERYTHING, FULL, 'GET /exposure-profiles', DENIED, null],
    ['app', EVERYTHING, FULL, 'POST /exposure-profiles', DENIED, null, { name: 'x' }],
    ['app', EVERYTHING, FULL, 'GET /exposure-profiles/default', DENIED, null],
    ['app', EVERYTHING, FULL, 'POST /exposure-profiles/from-template', DENIED, null, {}],
    ['stranger', '', {}, 'GET /exposure-profiles/:profile/yaml', NONE, NONE],
    ['stranger', '', {}, 'PUT /exposure-profiles/:profile', NONE, NONE, { name: 7 }],
    ['stranger', '', {}, 'DELETE /exposure-profiles/:profile', NONE, NONE],
    ['app', EVERYTHING, FULL, 'PUT /exposure-profiles/:profile', DENIED, DENIED, { name: 'x' }],
    ['owner', '', {}, 'GET /exposure-profiles/:profile/explain?node_id=:work', '200', NONE],
    ['owner', '', {}, 'GET /exposure-profiles/:profile/explain', '400 VALIDATION_ERROR', NONE],
    ['stranger', '', {}, 'GET /exposure-profiles/:profile/explain?node_id=:work', NONE, NONE],
    ['app', EVERYTHING, FULL, 'GET /exposure-profiles/:profile/explain?node_id=:work', DENIED, DENIED],
    ['owner', '', {}, 'POST /exposure-profiles/:profile/preview', '200', NONE, {}],
    ['stranger', '', {}, 'POST /exposure-profiles/:profile/preview', NONE, NONE, { limit: 'x' }],
    ['app', EVERYTHING, FULL, 'POST /exposure-profiles/:profile/preview', DENIED, DENIED, {}],
    ['stranger', '', {}, 'GET /access-log', '200 of 0', null],
    ['app', EVERYTHING, FULL, 'GET /access-log', DENIED, null],
    ['user key', EVERYTHING, FULL, 'GET /access-log', DENIED, null],
    ['app', EVERYTHING, FULL, 'GET /authorizations/:authorization', DENIED, DENIED],
    ['app', EVERYTHING, FULL, 'PATCH /authorizations/:authorization', DENIED, DENIED, {}],
    ['app', EVERYTHING, FULL, 'DELETE /authorizations/:authorization', DENIED, DENIED],
    ['app', EVERYTHING, FULL, 'POST /authorizations', DENIED, null, {}],
    ['app', EVERYTHING, FULL, 'GET /authorizations', DENIED, null],
    ['app', EVERYTHING, FULL, 'GET /authorizations/preview', DENIED, null],
    ['app', '', {}, 'GET /authorizations/current', '200', null],
    ['app not let in', EVERYTHING, {}, 'GET /authorizations/current', DENIED, null],
    ['owner', '', {}, 'GET /authorizations/current', DENIED, null],
    ['app', '', {}, 'DELETE /authorizations/current', '200', null],
    ['owner', '', {}, 'DELETE /authorizations/current', DENIED, null],
    ['user key', '', {}, 'GET /apps/current/authorizations', '200 of 1', null],
    ['owner', '', {}, 'GET /apps/current/authorizations', DENIED, null],
  ],
};

/** Requests that narrow the schemas themselves: the ceiling counts like the grant. */
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

beforeAll(async () => {
  world = await World.startHere();
});
afterAll(() => world.stop());

async function appThatRequests(requested: Requested, schemas: Narrow): Promise<TestApp> {
  const declared = requestedBy(requested, schemas);
  const name = JSON.stringify(declared);
  const app = apps.get(name) ?? (await world.app({ requested: declared as never }));
  apps.set(name, app);
  return app;
}

/** Reading changes nothing, so it may share a graph; what needs a new authorization, or none, may not. */
let shared: TableWorld | null = null;
let peopled: TableWorld | null = null;
const ABOUT_PEOPLE = /\/(sharing|follows|groups)|:g\./;
async function tableFor([who, , , endpoint, present]: Row): Promise<TableWorld> {
  if (isPerson(who) || ABOUT_PEOPLE.test(endpoint)) {
    const changesNothing = endpoint.startsWith('GET ') || !present.startsWith('2');
    if (!changesNothing) return (await TableWorld.make(world)).befriend();
    return (peopled ??= await (await TableWorld.make(world)).befriend());
  }
  const sharable =
    who !== 'app not let in' && who !== 'user key' && /^GET \/(nodes|tags|relationships)/.test(endpoint);
  return sharable ? (shared ??= await TableWorld.make(world)) : TableWorld.make(world);
}

async function run(row: Row, schemas: Narrow = {}) {
  const [who, requested, granted, endpoint, , absent, body] = row;
  const table = await tableFor(row);
  const client = await table.client(who, await appThatRequests(requested, schemas), granted);
  const [method, path] = endpoint.split(' ') as [string, string];
  if (endpoint.includes(':proposal')) await table.propose(client);
  const send = (isPresent: boolean) =>
    client.send(method, table.path(path, isPresent), body && table.body(body));
  const forAbsent = absent === null ? null : await send(false);
  const forPresent = await send(true);
  return { forPresent, forAbsent };
}

const title = ([who, requested, granted, endpoint, present, absent, body]: Row): string => {
  const asked =
    who === 'app' || who === 'user key'
      ? ` that requests [${requested}] and is granted ${JSON.stringify(granted)}`
      : '';
  const sent = body ? ` ${JSON.stringify(body)}` : '';
  return `${who}${asked}: ${endpoint}${sent} → ${present}${absent === null ? '' : `, absent ${absent}`}`;
};

async function check(row: Row, schemas?: Narrow): Promise<void> {
  const { forPresent, forAbsent } = await run(row, schemas);
  expect({ present: told(forPresent), absent: forAbsent && told(forAbsent) }).toEqual({
    present: row[4],
    absent: row[5],
  });
  // Invisible and absent are one answer, byte for byte (decisions 3.18).
  if (forAbsent === null || !row[4].startsWith('404')) return;
  const bytes = ({ text, body }: typeof forPresent) => text.replace(body.error.request_id, '');
  if (row[4] === row[5]) expect(bytes(forPresent)).toBe(bytes(forAbsent));
}

const everyRow = { ...rows, ...contentRows, ...peopleRows };

describe.each(Object.entries(everyRow))('%s', (_, group) => {
  it.each(group.map((row) => [title(row), row] as const))('%s', (_, row) => check(row));
});

describe('what the app requests of schemas narrows like a grant', () => {
  it.each(
    narrow.map(([schemas, row]) => [`${JSON.stringify(schemas)} ${title(row)}`, row, schemas] as const),
  )('%s', (_, row, schemas) => check(row, schemas));
});

describe('the table', () => {
  /** Of a person's own account, or of an app's developer: nothing is granted there. */
  const OWN = /^\/api\/v1\/(auth|users|apps)(\/|$)/;

  it('has a row for every route where permissions decide', () => {
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
      .filter(({ method, path }) => !covered.some((row) => row.method === method && row.pattern.test(path)))
      .map(({ method, path }) => `${method} ${path}`);
    expect(missing).toEqual([]);
  });

  it('fails where the service answers otherwise', async () => {
    await expect(check(['app', 'read', readWork, 'GET /nodes/:private', '200', GONE])).rejects.toThrow();
    await expect(check(['app', 'read', readWork, 'GET /nodes/:work', GONE, GONE])).rejects.toThrow();
  });
});
