import { type Api, ApiRefusal } from '../domain/api.js';

/** The most values that an answer may have (completion/complete of the specification). */
const MOST = 100;
/** Arguments of prompts and templates that are names of tags, or begin well with one. */
const TAGS: ReadonlySet<string> = new Set(['tag', 'topic']);

// A type, for the library's has an index signature.
export type Completion = {
  values: string[];
  total: number;
  hasMore: boolean;
};

/** Names of tags that contain what is typed so far, as far as the client may discover them. */
export async function complete(api: Api, argument: { name: string; value: string }): Promise<Completion> {
  const nothing = { values: [], total: 0, hasMore: false };
  if (!TAGS.has(argument.name)) return nothing;
  const typed = argument.value.slice(0, 200);
  const query = { limit: MOST, ...(typed === '' ? {} : { search: typed }) };
  const page = await api.call('GET', 'tags', { query }).catch((error: unknown) => {
    if (error instanceof ApiRefusal && error.status === 403) return null;
    throw error;
  });
  if (page === null) return nothing;
  const { tags, total } = page.body as unknown as { tags: { name: string }[]; total: number };
  return { values: tags.map(({ name }) => name), total, hasMore: total > tags.length };
}
