import { randomBytes } from 'node:crypto';
import { type FullAccount, multipart } from './full-account.js';
import {
  deepSchema,
  expressionProfile,
  largeNode,
  listingProfile,
  maskingProfile,
  smallNode,
  vector,
  words,
} from './largest-things.js';

type Json = Record<string, unknown>;
export type Body = Json | Buffer | undefined;
type Making = (account: FullAccount, number: number) => Body;

const LISTED = 1_000;
const FILE_BYTES = 8 * 1024 * 1024;
const LONGEST = { description: 'd'.repeat(2_000), message: 'm'.repeat(1_000) };
const listed = <T>(all: readonly T[]): T[] => all.slice(0, LISTED);

/** A hundred actions in a body of nearly a mebibyte. */
export function largestProposal(
  { small, tagsOf }: Pick<FullAccount, 'small' | 'tagsOf'>,
  number: number,
): Json {
  const actions = Array.from({ length: 100 }, (_, i) => {
    const which = (number * 100 + i) % small.length;
    const node_id = small[which];
    const changes = { value: words(1_300, number + i), title: `changed ${number} ${i}` };
    return i % 10 === 9
      ? { id: `a${i}`, type: 'ADD_TAGS', payload: { node_id, tags: tagsOf(which).slice(0, 5) } }
      : { id: `a${i}`, type: 'UPDATE_NODE', payload: { node_id, changes } };
  });
  return {
    title: `proposal ${'t'.repeat(900)}`,
    description: 'd'.repeat(10_000),
    type: 'BATCH',
    canonical_data: {},
    actions,
  };
}

const change: Making = (_, number) => {
  const { value, metadata } = largeNode(number);
  return { value, metadata, change_reason: 'r'.repeat(1_000) };
};
const profile: Making = (account, number) => {
  const name = `profile ${number} ${randomBytes(3).toString('hex')}`;
  const lists = {
    tags: listed(account.tags),
    unusedTags: listed(account.unusedTags),
    nodes: listed(account.small),
  };
  const rules = [maskingProfile, () => listingProfile(lists), () => expressionProfile(account.tagNames)];
  return { name, ...LONGEST_DESCRIPTION, ...(rules[number % 3] as () => Json)() };
};
const LONGEST_DESCRIPTION = { description: LONGEST.description };
const share: Making = (account) => ({
  shared_with_user_id: account.friend.id,
  scope: 'specific_tags',
  tag_ids: listed(account.tags),
});
const upload: Making = () => multipart(randomBytes(FILE_BYTES))[0];

/** Bodies as large as they may be; what is not here has none that is worth it, and sends its example. */
export const LARGEST: Readonly<Record<string, Making>> = {
  'POST /nodes': (account, number) => largeNode(number, account.tagNames.slice(0, 50)),
  'PUT /nodes/{node_id}': change,
  'PATCH /nodes/{node_id}': change,
  'POST /nodes/batch': (account, number) => ({
    nodes: Array.from({ length: number % 2 === 0 ? 20 : 100 }, (_, i) =>
      number % 2 === 0
        ? largeNode(number * 100 + i, account.tagNames.slice(i, i + 50))
        : smallNode(number * 100 + i, account.tagNames.slice(i, i + 50)),
    ),
    on_duplicate: 'overwrite',
  }),
  'POST /tags/bulk-delete': ({ unusedTags }) => ({ tag_ids: unusedTags.slice(-100) }),
  'POST /nodes/lookup': ({ large, small }) => ({ ids: [...large, ...small].slice(0, 100) }),
  'POST /nodes/search': (_, number) => ({
    query: words(200, number % 7).slice(0, 1_000),
    embedding: vector(number),
    limit: 100,
  }),
  'POST /nodes/search/vector': (_, number) => ({ embedding: vector(number), limit: 100 }),
  'PUT /nodes/{node_id}/embedding': (_, number) => ({ embedding: vector(number) }),
  'PUT /nodes/batch/embeddings': ({ small }, number) => ({
    embeddings: small.slice(0, 100).map((id, i) => ({ id, embedding: vector(number + i) })),
  }),
  'POST /relationships': ({ large, small }, number) => ({
    from_node_id: large[0],
    to_node_id: small[number % small.length],
    relationship_type: `r${number}`,
    context: 'c'.repeat(10_000),
  }),
  'POST /schemas': (_, number) => ({
    name: `deep ${number}`,
    scope: 'private',
    private_to: 'user',
    json_schema: deepSchema(),
    description: 'd'.repeat(10_000),
  }),
  'PUT /schemas/{schema_id}': (_, number) => ({
    json_schema: { ...deepSchema(), title: `version ${number}` },
  }),
  'POST /schemas/{schema_id}/validate': (_, number) => ({ metadata: largeNode(number).metadata }),
  'POST /exposure-profiles': profile,
  'PUT /exposure-profiles/{profile_id}': (account) => ({
    ...maskingProfile(),
    description: LONGEST.description,
    name: `masking ${account.owner.username}`,
  }),
  'POST /exposure-profiles/{profile_id}/preview': (account, number) => {
    const { name: _, description: __, ...rules } = profile(account, number) as Json;
    return { limit: 100, app_id: account.things.app, profile: rules };
  },
  'POST /exposure-profiles/preview': (account, number) => ({
    limit: 100,
    app_id: account.things.app,
    profile: profile(account, number),
  }),
  'POST /sharing': share,
  'PUT /sharing/{share_id}': ({ small }) => ({ scope: 'specific_nodes', node_ids: listed(small) }),
  'POST /proposals': largestProposal,
  'POST /proposals/batch': (account, number) => ({
    proposals: [{ ...largestProposal(account, number), status: 'READY_FOR_APPROVAL' }],
  }),
  'PATCH /proposals/{proposal_id}': (account, number) => {
    const { actions } = largestProposal(account, number);
    return { actions, reasoning_metadata: { summary: LONGEST.description } };
  },
  'POST /proposals/{proposal_id}/approve': () => ({}),
  'POST /apps': (_, number) => ({
    name: `app ${number}`,
    description: LONGEST.description,
    redirect_uris: Array.from({ length: 20 }, (_, i) => `https://example.org/${i}/${'p'.repeat(1_900)}`),
    requested_permissions: { tags: { read: true, discover: true } },
  }),
  'POST /tags': (_, number) => ({ name: `new ${number} ${'n'.repeat(80)}`, description: 'd'.repeat(10_000) }),
  'POST /third-party/tags': (_, number) => ({ name: `theirs ${number}`, description: 'd'.repeat(10_000) }),
  'PUT /tags/{tag_id}': (_, number) => ({ description: `${number} ${'d'.repeat(9_900)}` }),
  'POST /raw-files': upload,
  'POST /nodes/upload': upload,
  'PUT /raw-files/{file_id}': (_, number) => ({ metadata: largeNode(number).metadata }),
  'POST /import': ({ archive }) => archive,
  'POST /groups/{group_id}/nodes': (_, number) => largeNode(number),
  'PUT /groups/{group_id}/nodes/{node_id}': change,
  'POST /groups/{group_id}/tags': (_, number) => ({ name: `ours ${number}` }),
  'PUT /groups/{group_id}/exposure-profiles/{profile_id}': (_, number) => ({
    name: `ours ${number}`,
    ...maskingProfile(),
  }),
  'POST /groups/{group_id}/exposure-profiles': (_, number) => ({
    name: `ours ${number}`,
    ...maskingProfile(),
  }),
};
