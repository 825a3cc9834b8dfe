import { type Client } from '../support/client.js';

/** The class of a marker; each caller may see some classes. */
export type Class =
  | 'title'
  | 'tag name'
  | 'tag text'
  | 'value'
  | 'metadata'
  | 'masked'
  | 'agent'
  | 'context'
  | 'email'
  | 'hidden'
  /** A version that was hidden, or a deleted node. */
  | 'past'
  | 'account'
  | 'foreign'
  | 'foreign account';

export type Ids = Record<string, string[]>;

export interface Caller {
  name: string;
  client: Client;
  /** The app, as which the owner may read. */
  appId?: string;
  sees: ReadonlySet<Class>;
  /** The visible ids by kind, fetched again, because a write may have changed them. */
  visible: () => Promise<Record<string, string>>;
  /** The hidden ids, by kind. */
  unseen: Ids;
  /** True to try every single hidden thing, not only one of the owner's and one of another's. */
  asksForAll?: boolean;
  /** True for callers who may do nothing, with any request. */
  isOutside?: boolean;
}

export function merged(...parts: Ids[]): Ids {
  const kinds = new Set(parts.flatMap((part) => Object.keys(part)));
  return Object.fromEntries([...kinds].map((kind) => [kind, parts.flatMap((part) => part[kind] ?? [])]));
}
