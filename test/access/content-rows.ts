import { DENIED, EVERYTHING, FULL, GONE, NONE, readWork, type Row, STRANGE } from './permission-rows.js';

const VECTOR = { embedding: [1, 0] };
const BATCH = { embeddings: [{ id: '$work', embedding: [1, 0] }] };
const SCHEMA = { name: 'new', json_schema: {} };
const HOOK = { webhook_url: 'http://127.0.0.1:9/', events: ['node.created'] };
const PROPOSAL_HOOK = { webhook_url: 'http://127.0.0.1:9/', event_types: ['approved'] };

/** Contents of nodes, their readers, and an app's knowledge of itself. */
export const contentRows: Record<string, Row[]> = {
  'embeddings are written like the node, and found like it (rules 4.17, 3.16)': [
    ['owner', '', {}, 'PUT /nodes/:work/embedding', '200', GONE, VECTOR],
    ['stranger', '', {}, 'PUT /nodes/:work/embedding', GONE, GONE, VECTOR],
    ['nobody', '', {}, 'PUT /nodes/:work/embedding', STRANGE, STRANGE, VECTOR],
    ['app', EVERYTHING, FULL, 'PUT /nodes/:work/embedding', '200', GONE, VECTOR],
    ['app', 'read', readWork, 'PUT /nodes/:work/embedding', DENIED, GONE, VECTOR],
    ['app', 'read edit', { read: 'work', edit: 'all' }, 'PUT /nodes/:private/embedding', GONE, GONE, VECTOR],
    ['owner', '', {}, 'PUT /nodes/batch/embeddings', '200', null, BATCH],
    ['app not let in', EVERYTHING, {}, 'PUT /nodes/batch/embeddings', DENIED, null, BATCH],
    ['owner', '', {}, 'POST /nodes/search/vector', '200 of 0', null, VECTOR],
    ['app', '', FULL, 'POST /nodes/search/vector', '200 of 0', null, VECTOR],
    ['app not let in', EVERYTHING, {}, 'POST /nodes/search/vector', DENIED, null, VECTOR],
    ['owner', '', {}, 'POST /nodes/search', '200 of 1', null, { query: 'private' }],
    ['app', 'read', readWork, 'POST /nodes/search', '200 of 1', null, { query: 'both' }],
    ['app', 'read', readWork, 'POST /nodes/search', '200 of 0', null, { query: 'private' }],
    ['app', '', FULL, 'POST /nodes/search', '200 of 0', null, { query: 'both' }],
    ['app not let in', EVERYTHING, {}, 'POST /nodes/search', DENIED, null, { query: 'both' }],
  ],
  'schemas are visible by their own table, private ones to apps within schemas.read (rules 5.6, 5.7)': [
    ['owner', '', {}, 'GET /schemas/:schema.own', '200', NONE],
    ['stranger', '', {}, 'GET /schemas/:schema.own', NONE, NONE],
    ['nobody', '', {}, 'GET /schemas/:schema.own', STRANGE, STRANGE],
    ['app', EVERYTHING, FULL, 'GET /schemas/:schema.own', '200', NONE],
    ['app', EVERYTHING, { ...FULL, schemas: 'freeform' }, 'GET /schemas/:schema.own', NONE, NONE],
    ['app not let in', EVERYTHING, {}, 'GET /schemas/:schema.own', DENIED, DENIED],
    ['owner', '', {}, 'GET /schemas/:schema.own/versions', '200 of 1', NONE],
    ['stranger', '', {}, 'GET /schemas/:schema.own/versions', NONE, NONE],
    ['owner', '', {}, 'POST /schemas/:schema.own/validate', '200', NONE, { metadata: {} }],
    ['stranger', '', {}, 'POST /schemas/:schema.own/validate', NONE, NONE, { metadata: {} }],
    ['app', EVERYTHING, FULL, 'POST /schemas/:schema.own/validate', '200', NONE, { metadata: {} }],
    ['owner', '', {}, 'GET /schemas', '200 of 6', null],
    ['stranger', '', {}, 'GET /schemas', '200 of 5', null],
    ['app', EVERYTHING, FULL, 'GET /schemas', '200 of 6', null],
    ['app', EVERYTHING, { ...FULL, schemas: 'freeform' }, 'GET /schemas', '200 of 5', null],
    ['app not let in', EVERYTHING, {}, 'GET /schemas', DENIED, null],
    ['owner', '', {}, 'GET /schemas/categories', '200', null],
    ['app not let in', EVERYTHING, {}, 'GET /schemas/categories', DENIED, null],
    ['app', '', {}, 'GET /schemas/uri/system:Goal', '200', null],
    ['app not let in', EVERYTHING, {}, 'GET /schemas/uri/system:Goal', DENIED, null],
  ],
  'a schema is changed by who made it (rule 5.6)': [
    ['owner', '', {}, 'POST /schemas', '201', null, { ...SCHEMA, scope: 'private', private_to: 'user' }],
    [
      'app',
      EVERYTHING,
      FULL,
      'POST /schemas',
      '201',
      null,
      { ...SCHEMA, scope: 'private', private_to: 'app' },
    ],
    ['app', EVERYTHING, { ...FULL, writes: 'none' }, 'POST /schemas', DENIED, null, SCHEMA],
    ['app not let in', EVERYTHING, {}, 'POST /schemas', DENIED, null, SCHEMA],
    ['owner', '', {}, 'PUT /schemas/:schema.own', '200', NONE, { name: 'renamed' }],
    ['app', EVERYTHING, FULL, 'PUT /schemas/:schema.own', DENIED, NONE, { name: 'renamed' }],
    ['stranger', '', {}, 'PUT /schemas/:schema.own', NONE, NONE, { name: 'renamed' }],
    ['owner', '', {}, 'DELETE /schemas/:schema.own', '204', NONE],
    ['app', EVERYTHING, FULL, 'DELETE /schemas/:schema.own', DENIED, NONE],
    ['stranger', '', {}, 'DELETE /schemas/:schema.own', NONE, NONE],
  ],
  'a subscription belongs to an app and a user (rule 9.1)': [
    ['app', 'read', readWork, 'POST /webhooks/subscribe', '201', null, HOOK],
    ['owner', '', {}, 'POST /webhooks/subscribe', '400 VALIDATION_ERROR', null, HOOK],
    ['app not let in', EVERYTHING, {}, 'POST /webhooks/subscribe', DENIED, null, HOOK],
    ['nobody', '', {}, 'POST /webhooks/subscribe', STRANGE, null, HOOK],
    ['app', 'read', readWork, 'POST /proposals/subscribe', '201', null, PROPOSAL_HOOK],
    ['app not let in', EVERYTHING, {}, 'POST /proposals/subscribe', DENIED, null, PROPOSAL_HOOK],
    ...[
      'GET /webhooks/subscription',
      'DELETE /webhooks/subscription',
      'POST /webhooks/subscription/enable',
      'POST /webhooks/subscription/rotate-secret',
      'POST /webhooks/subscription/test',
    ].flatMap((endpoint): Row[] => [
      ['app', 'read', readWork, endpoint, NONE, null],
      ['owner', '', {}, endpoint, '400 VALIDATION_ERROR', null],
      ['app not let in', EVERYTHING, {}, endpoint, DENIED, null],
    ]),
    ['app', 'read', readWork, 'GET /webhooks/deliveries', '200 of 0', null],
    ['app not let in', EVERYTHING, {}, 'GET /webhooks/deliveries', DENIED, null],
    ['app', 'read', readWork, 'POST /webhooks/deliveries/:work/redeliver', NONE, null],
    ['app not let in', EVERYTHING, {}, 'POST /webhooks/deliveries/:work/redeliver', DENIED, null],
  ],
  'metrics are the app’s own': [
    ['app', 'read', readWork, 'GET /third-party/:work/metrics', NONE, NONE],
    ['owner', '', {}, 'GET /third-party/:work/metrics', DENIED, DENIED],
    ['nobody', '', {}, 'GET /third-party/:work/metrics', STRANGE, STRANGE],
  ],
};
