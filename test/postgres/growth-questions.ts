import { type Caller } from './growing-account.js';

/**
 * The allowed growth of PostgreSQL's work for an answer with the caller's account.
 * - flat: none, neither in rows nor pages nor statements.
 * - kept: the first answer after a change is linear (it counts), later ones are flat.
 * - linear: in proportion, for every request.
 */
export type Growth = 'flat' | 'kept' | 'linear';

/** One declaration for owner and app alike, or one for each of those named. */
export type ByCaller = Growth | Partial<Record<Caller, Growth>>;

/**
 * Requests of one operation by the text after the path: a query, or a body as JSON. Lists have a limit of ten
 * unless a request sets another. `{deep}`: just before the end of the list. `{next}` and `{end}`: the cursor
 * after the first page, and after all of them. `{link}`: the query of a link to the file. `{tag}` and others:
 * the caller's.
 */
export type Questions = ByCaller | Readonly<Record<string, ByCaller>>;

/** Lists of things that a graph has many of: the total is cached. */
const LIST = { '': 'kept', 'offset={deep}': 'linear' } as const;
/** Lists of things that people have dozens of: all are counted each time. */
const SHORT_LIST = { '': 'linear', 'offset={deep}': 'linear' } as const;
const ALL = (growth: Growth) => ({ owner: growth, app: growth, masked: growth });

/** Every operation that only reads; the test fails for one that is missing here. */
export const GROWTH: Readonly<Record<string, Questions>> = {
  'GET /health/live': 'flat',
  'GET /health/ready': 'flat',
  'GET /metrics': 'flat',
  'GET /account': 'flat',
  'GET /account/link.js': 'flat',
  'GET /account/passkeys': 'flat',
  'GET /account/passkeys.js': 'flat',
  'GET /console': 'flat',
  'GET /.well-known/jwks.json': 'flat',
  'GET /.well-known/oauth-authorization-server': 'flat',
  'GET /.well-known/oauth-protected-resource': 'flat',
  'GET /.well-known/oauth-protected-resource/mcp': 'flat',

  'GET /auth/me': 'flat',
  'GET /auth/sessions': 'linear',
  'GET /auth/passkeys': 'linear',
  'GET /users': 'flat',
  'GET /users/{user_id}': 'flat',
  'GET /apps': SHORT_LIST,
  'GET /apps/current': 'flat',
  'GET /apps/{app_id}': 'flat',
  'GET /apps/{app_id}/keys': SHORT_LIST,
  'GET /third-party/{third_party_id}/metrics': 'flat',

  'GET /authorizations/current': 'flat',
  'GET /apps/current/authorizations': SHORT_LIST,
  'GET /authorizations/preview': 'linear',
  'GET /authorizations': SHORT_LIST,
  'GET /authorizations/{authorization_id}': 'flat',
  'GET /authorizations/{authorization_id}/sessions': SHORT_LIST,
  'GET /graph/embedding-settings': 'flat',
  'GET /exposure-profiles': SHORT_LIST,
  'GET /exposure-profiles/default': 'flat',
  'GET /exposure-profiles/{profile_id}': 'flat',
  'GET /exposure-profiles/{profile_id}/yaml': 'flat',
  'GET /exposure-profiles/{profile_id}/explain': 'flat',
  'POST /exposure-profiles/{profile_id}/preview': 'linear',
  'POST /exposure-profiles/preview': 'linear',

  'GET /nodes/history': ALL('kept'),
  'GET /nodes/{node_id}/history': { '': 'kept', 'include_snapshots=true&offset={deep}': 'linear' },
  // The version is searched among all versions of the node.
  'GET /nodes/{node_id}/history/at-time': 'linear',
  'GET /nodes/{node_id}/history/{version}': 'linear',
  'GET /nodes/{node_id}/contributions': {
    '': { owner: 'kept', app: 'kept', masked: 'linear' },
    'offset={deep}': 'linear',
  },
  'GET /nodes/{node_id}/ledger': 'linear',
  'GET /agents/{agent_id}/contributions': {
    '': { owner: 'kept', app: 'kept', masked: 'linear' },
    'offset={deep}': 'linear',
  },
  'GET /sessions': SHORT_LIST,
  'GET /sessions/{session_id}': ALL('flat'),
  'GET /analytics/agent-stats': ALL('linear'),
  'GET /analytics/history-stats': ALL('linear'),
  'GET /graph/snapshot': 'linear',

  'GET /nodes': {
    '': 'kept',
    'access=owned': ALL('kept'),
    'access=owned&tag_id={tag}': 'kept',
    'access=owned&offset={deep}': 'linear',
    'access=owned&sort=title': ALL('linear'),
    'access=owned&sort=created_at&order=asc': 'linear',
    'access=owned&search=common': ALL('linear'),
    'access=owned&search=rarity': 'linear',
    [`access=owned&properties=${encodeURIComponent('[{"path":"status","eq":"active"}]')}`]: {
      owner: 'linear',
      masked: 'linear',
    },
    'access=owned&deleted=true': { owner: 'linear' },
    'include_tags=true&include_owner=true': 'kept',
  },
  // The vectors are in memory; the check for new ones reads a part of the table, or all of it.
  'POST /nodes/search/vector': 'linear',
  'POST /nodes/search': {
    '{"query":"common word"}': 'linear',
    '{"query":"rarity","embedding":[0.1,0.2,0.3]}': 'linear',
  },
  'GET /nodes/facets': { '': ALL('kept'), 'tag_id={tag}': ALL('kept'), 'search=common': 'kept' },
  'GET /nodes/count': { '': 'kept', 'tag_ids={tag}': 'kept' },
  'GET /nodes/{node_id}': ALL('flat'),
  'POST /nodes/lookup': { '{"ids":["{node}"]}': ALL('flat') },
  'GET /nodes/{node_id}/download': 'flat',
  'GET /nodes/{node_id}/relationships': 'linear',
  // Relationships between the nodes of the answer are looked for among all of the hub.
  'GET /nodes/{node_id}/neighborhood': { 'limit=10': 'linear', 'limit=10&depth=3': 'linear' },
  // Nodes with most words of the title, and all comparable vectors.
  'GET /nodes/{node_id}/similar': 'linear',
  'GET /relationships': {
    '': 'kept',
    'access=owned': 'kept',
    'access=owned&node_id={node}': 'linear',
    'access=owned&include_nodes=true': 'kept',
    'access=owned&offset={deep}': 'linear',
  },
  'GET /relationships/{relationship_id}': 'flat',
  'GET /tags': {
    '': 'linear',
    'include_nodes=true': 'linear',
    'include_node_counts=true': ALL('linear'),
    'search=shelf': 'linear',
  },
  'GET /tags/{tag_id}': 'flat',
  'GET /tags/{tag_id}/nodes': LIST,
  'GET /tags/{tag_id}/files': SHORT_LIST,
  'GET /schemas': SHORT_LIST,
  'GET /schemas/categories': 'linear',
  'GET /schemas/uri/{schema_uri}': 'flat',
  'GET /schemas/{schema_id}': { '': 'flat', 'resolve=true': 'flat' },
  'GET /schemas/{schema_id}/versions': SHORT_LIST,
  'POST /schemas/{schema_id}/validate': 'flat',
  'GET /raw-files': LIST,
  'GET /raw-files/{file_id}': 'flat',
  'GET /raw-files/{file_id}/download': 'flat',
  'GET /raw-files/{file_id}/content': { '{link}': 'flat' },

  'GET /sync': {
    '': ALL('kept'),
    'cursor={next}': 'flat',
    'cursor={end}': 'flat',
    'ids_only=true': 'kept',
    'include=relationships,tags': ALL('kept'),
  },
  'GET /sync/status': 'kept',
  // The operation reads a second page beside the first event.
  'GET /sync/stream': 'linear',
  'GET /proposals/events': { '': 'flat', 'after={end}': 'flat' },
  'GET /proposals': SHORT_LIST,
  'GET /proposals/{proposal_id}': 'flat',
  'GET /proposals/{proposal_id}/diff': 'linear',

  'GET /sharing/outgoing': SHORT_LIST,
  'GET /sharing/incoming': SHORT_LIST,
  'GET /sharing/{share_id}': 'flat',
  'GET /blocked-users': SHORT_LIST,
  'GET /follows/incoming': SHORT_LIST,
  'GET /follows/outgoing': SHORT_LIST,
  'GET /groups/invitations/incoming': SHORT_LIST,
  'GET /groups/{group_id}/invitations': SHORT_LIST,
  'GET /groups': 'linear',
  'GET /groups/{group_id}': 'flat',
  'GET /groups/{group_id}/share': 'flat',
  'GET /groups/{group_id}/members': 'linear',
  'GET /groups/{group_id}/connections': SHORT_LIST,
  'GET /groups/{group_id}/connections/incoming': SHORT_LIST,
  'GET /groups/{group_id}/nodes': LIST,
  'GET /groups/{group_id}/nodes/{node_id}': 'flat',
  'GET /groups/{group_id}/tags': 'linear',
  'GET /groups/{group_id}/exposure-profiles': 'linear',

  'GET /access-log': SHORT_LIST,
  'GET /export': 'linear',
  'GET /webhooks/subscription': { '': { app: 'flat' }, 'app_id={subscriber}': { owner: 'flat' } },
  'GET /webhooks/deliveries': {
    '': { app: 'linear' },
    'offset={deep}': { app: 'linear' },
    'app_id={subscriber}': { owner: 'linear' },
  },
};
