import { RAW_FILE_SCHEMA_ID } from '../../identity/index.js';

/** `effective_permissions` of a client's own authorization (rule 2.6). */
export interface Effective {
  tags: Readonly<Record<'discover' | 'read' | 'propose' | 'create' | 'edit' | 'delete', boolean>>;
  files: { read: boolean };
  schemas: Readonly<Record<'read' | 'write', SchemaGrant>>;
}

interface SchemaGrant {
  schema_ids: readonly string[];
  allow_all: boolean;
}

/** A use of the graph that the effective permissions allow; `suggested` is to see what became of suggestions. */
export type Ability = 'discover' | 'read' | 'propose' | 'suggested' | 'create' | 'edit' | 'delete';

/** A schema that no list names: only a grant of all reaches it. */
const ANY_OTHER = '';

/**
 * The uses for which there is a schema whose nodes they reach (rules 1.14, 3.3, 3.10): reading needs it for reading, making
 * and suggesting for writing, changing for both. Nodes of other people, tags and filters are not looked at.
 */
export function abilitiesOf({ tags, files, schemas }: Effective): ReadonlySet<Ability> {
  const [read, write] = [reachOf(schemas.read), reachOf(schemas.write)];
  const kinds = [...schemas.read.schema_ids, ...schemas.write.schema_ids, RAW_FILE_SCHEMA_ID, ANY_OTHER];
  const readable = kinds.filter((id) => read(id) && (tags.read || (files.read && id === RAW_FILE_SCHEMA_ID)));
  const canWrite = kinds.some(write);
  const canChange = readable.some(write);
  const held: Record<Ability, boolean> = {
    discover: tags.discover,
    read: readable.length > 0,
    propose: tags.propose && canWrite,
    suggested: tags.propose,
    create: tags.create && canWrite,
    edit: tags.edit && canChange,
    delete: tags.delete && canChange,
  };
  return new Set((Object.keys(held) as Ability[]).filter((ability) => held[ability]));
}

function reachOf({ schema_ids, allow_all }: SchemaGrant): (id: string) => boolean {
  const ids = new Set(schema_ids);
  return (id) => allow_all || ids.has(id);
}
