import { type Client } from '../support/client.js';

/** What a marker is about; each caller may see some of these. */
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
  /** Of a version that was hidden, of a node that is not any more. */
  | 'past'
  | 'account'
  | 'foreign'
  | 'foreign account';

export type Ids = Record<string, string[]>;

export interface Caller {
  name: string;
  client: Client;
  sees: ReadonlySet<Class>;
  /** What they see, by kind; made anew, for a write may have changed it. */
  visible: () => Promise<Record<string, string>>;
  /** What they do not see, by kind. */
  unseen: Ids;
  /** Asks for every single thing that is unseen, not only for one of the owner's and one of another's. */
  asksForAll?: boolean;
  /** May do nothing at all, whatever is sent. */
  isOutside?: boolean;
}

export function merged(...parts: Ids[]): Ids {
  const kinds = new Set(parts.flatMap((part) => Object.keys(part)));
  return Object.fromEntries([...kinds].map((kind) => [kind, parts.flatMap((part) => part[kind] ?? [])]));
}
