import { word } from '../support/stack.js';
import { type Deed, nodesOf, tagsOf, type Weighed, withOne } from './deed.js';

const creates: Deed = async (who) => {
  // A second request with one key gets the first answer.
  const headers: Record<string, string> = who.town.chance.once(3) ? { 'Idempotency-Key': word() } : {};
  const { note } = who;
  who.keep(who.nodes, await who.some('POST /nodes', note, { headers }));
  if ('Idempotency-Key' in headers) await who.does('POST /nodes', note, { headers, or: [409, 422] });
};

const reads: Weighed[] = [
  [20, withOne(nodesOf, (who, id) => who.some(`GET /nodes/${id}`))],
  [8, (who) => who.some('GET /nodes?limit=20&include_tags=true')],
  [6, withOne(tagsOf, (who, id) => who.some(`GET /nodes?tag_id=${id}&limit=20&sort=created_at`))],
  [4, (who) => who.some(`GET /nodes?node_type=NOTE&meaning_level=DATA&search=${who.text.slice(0, 4)}`)],
  [3, withOne(tagsOf, (who, id) => who.some(`GET /nodes/count?tag_ids=${id}`))],
  [4, (who) => who.some('POST /nodes/search', { query: who.text.split(' ')[0], limit: 10 })],
  [4, (who) => who.some('POST /nodes/search/vector', { embedding: who.vector, limit: 5 })],
  [2, (who) => who.some('GET /relationships?include_nodes=true&limit=20')],
  [2, withOne(nodesOf, (who, id) => who.some(`GET /nodes/${id}/relationships`))],
  [3, (who) => who.some('GET /tags?per_page=50')],
  [2, withOne(tagsOf, (who, id) => who.some(`GET /tags/${id}/nodes?include_tags=true`))],
  [2, (who) => who.does('GET /schemas?limit=20&include_json_schema=true')],
  [3, withOne(nodesOf, (who, id) => who.does(`GET /nodes/${id}/history?include_snapshots=true`))],
  [2, withOne(nodesOf, (who, id) => who.does(`GET /nodes/${id}/history/1`))],
  [1, withOne(nodesOf, (who, id) => who.does(`GET /nodes/${id}/ledger`))],
  [1, withOne(nodesOf, (who, id) => who.does(`GET /nodes/${id}/contributions`))],
  [1, (who) => who.does(`GET /graph/snapshot?timestamp=${new Date().toISOString()}`)],
  [1, (who) => who.does('GET /analytics/history-stats')],
  [1, (who) => who.does('GET /auth/me')],
  [1, (who) => who.town.load.send(who.byApp, 'GET /apps/current')],
  [1, (who) => who.does('GET /access-log?limit=20')],
  [1, (who) => who.town.load.send(who.byApp, 'GET /webhooks/deliveries?limit=20')],
];

const writes: Weighed[] = [
  [10, creates],
  [
    5,
    withOne(nodesOf, (who, id) => who.some(`PUT /nodes/${id}`, { title: who.text, change_reason: 'again' })),
  ],
  [
    3,
    withOne(nodesOf, (who, id) => {
      const headers = { 'If-Match': '"1"', 'Content-Type': 'application/merge-patch+json' };
      return who.does(`PATCH /nodes/${id}`, { value: who.text }, { headers, or: [412] });
    }),
  ],
  [
    3,
    async (who) => {
      const id = who.take(who.nodes);
      if (id === null) return;
      await who.some(`DELETE /nodes/${id}`);
      if (who.town.chance.once(3)) await who.does(`POST /nodes/${id}/restore`, undefined, { or: [409] });
    },
  ],
  [
    1,
    async (who) => {
      const nodes = Array.from({ length: 10 }, () => who.note);
      const { body } = await who.some('POST /nodes/batch', { nodes, on_duplicate: 'skip' });
      for (const node of (body?.nodes ?? []) as { id: string }[])
        who.keep(who.nodes, { status: 201, body: node } as never);
    },
  ],
  [
    1,
    async (who) => {
      const node_ids = [who.take(who.nodes), who.take(who.nodes)].filter((id) => id !== null);
      if (node_ids.length > 0) await who.does('POST /nodes/bulk-delete', { node_ids });
    },
  ],
  [4, withOne(nodesOf, (who, id) => who.does(`PUT /nodes/${id}/embedding`, { embedding: who.vector }))],
  [1, async (who) => who.keep(who.tags, await who.does('POST /tags', { name: word(), color: '#3366CC' }))],
  [
    3,
    withOne(nodesOf, (who, id) =>
      who.does(`POST /nodes/${id}/tags`, { tag_id: who.one(who.tags) }, { or: [409] }),
    ),
  ],
  [
    1,
    async (who) => {
      const id = who.tags.length > 4 ? who.take(who.tags) : null;
      if (id !== null) await who.does(`DELETE /tags/${id}`);
    },
  ],
  [
    3,
    async (who) => {
      const [from, to] = [who.one(who.nodes), who.one(who.nodes)];
      if (from === null || from === to) return;
      const edge = { from_node_id: from, to_node_id: to, relationship_type: 'near', context: who.text };
      who.keep(who.edges, await who.does('POST /relationships', edge, { or: [409] }));
    },
  ],
  // Relationships end with their nodes.
  [
    1,
    withOne(
      (who) => who.edges,
      (who, id) => who.does(`PUT /relationships/${id}`, { strength: 0.5 }, { or: [404] }),
    ),
  ],
];

const syncs: Weighed[] = [
  [
    4,
    async (who) => {
      for (let isMore = true; isMore && !who.town.load.isOver;) {
        const cursor = who.cursor === null ? '' : `&cursor=${encodeURIComponent(who.cursor)}`;
        const { status, body } = await who.some(`GET /sync?limit=50&include_tags=true${cursor}`, undefined, {
          // A cursor belongs to its caller; with another's one a client begins again.
          or: [400, 403],
        });
        who.cursor = status === 200 ? (body.cursor as string) : null;
        isMore = status === 200 && (body.has_more as boolean);
      }
    },
  ],
  [1, (who) => who.does('GET /sync/status')],
];

export const everydayDeeds: readonly Weighed[] = [...reads, ...writes, ...syncs];
