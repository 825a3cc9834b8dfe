import { type NodeFacts, type Visibility, visibility } from '../../privacy/index.js';

/** The part of the graph that a replica is of. */
export type Scope =
  | { readonly kind: 'all'; readonly text: string }
  | { readonly kind: 'tag' | 'schema'; readonly id: string; readonly text: string };

const ONE = /^(tag|schema):([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

export const ALL: Scope = { kind: 'all', text: 'all' };

/** Null for an invalid scope. Ids are equal in either case. */
export function parseScope(text: unknown): Scope | null {
  if (text === undefined || text === 'all') return ALL;
  const parts = typeof text === 'string' ? ONE.exec(text) : null;
  if (parts === null) return null;
  const kind = (parts[1] as string).toLowerCase() as 'tag' | 'schema';
  const id = (parts[2] as string).toLowerCase();
  return { kind, id, text: `${kind}:${id}` };
}

export function isInScope(scope: Scope, { tagIds, schemaId }: NodeFacts): boolean {
  switch (scope.kind) {
    case 'all':
      return true;
    case 'tag':
      return tagIds.includes(scope.id);
    case 'schema':
      return schemaId === scope.id;
  }
}

/** The same for the database. */
export function visibilityOf(scope: Scope): Visibility {
  switch (scope.kind) {
    case 'all':
      return visibility.all;
    case 'tag':
      return visibility.taggedAny([scope.id]);
    case 'schema':
      return visibility.schemaIn([scope.id]);
  }
}
