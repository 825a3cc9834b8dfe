import { type Change } from '../../../kernel/change-log/change.js';
import { type Node } from '../domain/node.js';
import { type SchemaChecks } from './node-schemas.js';
import { changeOf, type Decision } from './node-writes.js';
import { type TagAssignment } from '../../tags/index.js';

/** The decisions that a batch has made so far; they are written at its end. */
export class BatchDraft {
  readonly created = new Map<string, Node>();
  readonly updated = new Map<string, Node>();
  readonly changes: Change[] = [];
  readonly tags: TagAssignment;
  readonly schemas: SchemaChecks;
  /** Ids of the nodes that make an item a duplicate, by duplicate key. */
  readonly byDuplicateKey: Map<string, string>;

  constructor(
    duplicates: Map<string, string>,
    /** Existing nodes that may be overwritten, locked. */
    readonly existing: Map<string, Node>,
    { tags, schemas }: { tags: TagAssignment; schemas: SchemaChecks },
  ) {
    this.tags = tags;
    this.schemas = schemas;
    this.byDuplicateKey = new Map(duplicates);
  }

  /** A node of this batch in its current state, or an existing one. */
  current(id: string): Node | null {
    return this.created.get(id) ?? this.updated.get(id) ?? this.existing.get(id) ?? null;
  }

  take(before: Node | null, { revision, attribution }: Decision): void {
    const isNew = before === null || this.created.has(before.id);
    (isNew ? this.created : this.updated).set(revision.node.id, revision.node);
    this.changes.push(changeOf(before, revision, attribution));
  }
}
