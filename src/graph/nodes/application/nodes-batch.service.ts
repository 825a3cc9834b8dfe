import { type NodeFields, refuse } from '../../common/index.js';
import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { ConcurrentChange } from '../../../kernel/change-log/concurrent-change.js';
import { Clock } from '../../../kernel/clock.js';
import { HeldRows } from '../../../kernel/held-rows.js';
import { DomainError, isFaultOfPart } from '../../../kernel/errors/domain-error.js';
import { newId } from '../../../kernel/ids.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { mapInSlices, rest } from '../../../kernel/slices.js';
import { KeyedMutex } from '../../../kernel/keyed-mutex.js';
import { type Access, sees } from '../../../privacy/index.js';
import { newNodeErrors } from '../domain/node-fields.js';
import { Node, type NodeDraft } from '../domain/node.js';
import {
  type DuplicateFields,
  duplicateKey,
  type Duplicates,
  type Glance,
  NodeDuplicates,
  shownLikenessKey,
} from '../infrastructure/node-duplicates.queries.js';
import { longValuesOf, PreparedWords } from '../infrastructure/prepared-words.js';
import { NodesRepository } from '../infrastructure/nodes.repository.js';
import { BatchDraft } from './batch-draft.js';
import { permitted } from './node-permissions.js';
import { NodeSchemas, type SchemaChecks } from './node-schemas.js';
import { NodeTagging } from './node-tagging.js';
import { attributionOf, fieldsOf, firstRevision, type NodeBody } from './node-writes.js';
import { NodesService } from './nodes.service.js';
import { TagsService } from '../../tags/index.js';

/** The actions for an item that duplicates an existing node. */
export const ON_DUPLICATE = ['skip', 'overwrite'] as const;
export type OnDuplicate = (typeof ON_DUPLICATE)[number];

export interface BatchItem {
  index: number;
  id: string;
  title: string;
}

interface BatchError {
  index: number;
  title: string | null;
  error: DomainError;
}

export interface BatchOutcome {
  created: BatchItem[];
  skipped: BatchItem[];
  updated: BatchItem[];
  errors: BatchError[];
  /** The nodes of `created` and `updated` as they are now, by id. */
  written: Map<string, Node>;
}

/** One item as it could be read, or its error. */
export interface BatchEntry {
  title: string | null;
  body: NodeBody | DomainError;
}

export interface BatchRequest {
  entries: readonly BatchEntry[];
  onDuplicate: OnDuplicate;
}

/** An item that could become a node. */
interface Candidate {
  index: number;
  title: string;
  body: NodeBody;
  fields: Partial<NodeFields>;
  key: string;
}

/** The values with which an item becomes a node. */
type Allowed = Required<Pick<NodeDraft, 'schema_version' | 'tag_ids'>>;

interface Batch {
  candidates: readonly Candidate[];
  onDuplicate: BatchRequest['onDuplicate'];
  checks: SchemaChecks;
  /** Items that cannot become nodes. */
  wrong: readonly BatchError[];
}

/**
 * Creates many nodes in one unit of work (specification, Batch rules; rule 4.9): in two statements when no other write
 * intervenes, in more when it has to take locks.
 * Batches of one owner run one after the other, so that of two equal concurrent batches the second finds
 * the first one's nodes. Single creates do not wait for the batch lock: one that commits meanwhile may
 * leave two duplicates. Locks are taken in one order: batches, tags, nodes; a batch without the first lock
 * uses `try` and never blocks on it. Within a process, batches wait for each other before they take a
 * connection, so that many batches of one owner do not use up all connections.
 */
@Injectable()
export class NodesBatchService {
  private readonly turns = new KeyedMutex();

  constructor(
    private readonly nodes: NodesRepository,
    private readonly duplicates: NodeDuplicates,
    private readonly service: NodesService,
    private readonly schemas: NodeSchemas,
    private readonly tagging: NodeTagging,
    private readonly tags: TagsService,
    private readonly changes: ChangeLog,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly held: HeldRows,
    private readonly words: PreparedWords,
  ) {}

  /** Reports an invalid item in `errors` and keeps the others; any other fault rolls back the whole batch. */
  async run(access: Access, { entries, onDuplicate }: BatchRequest): Promise<BatchOutcome> {
    const wrong: BatchError[] = [];
    const taken = await mapInSlices(entries, (entry, index) => candidate(entry, index, wrong));
    const candidates = taken.filter((one) => one !== null);
    const checks = this.schemas.checks(access);
    await checks.ahead(candidates.map(({ fields }) => fields));
    const batch: Batch = { candidates, onDuplicate, checks, wrong };
    if (candidates.length === 0) return outcomeOf(batch);
    const ahead = await this.duplicates.ahead(access, duplicateFieldsOf(batch));
    return this.words.during(access.ownerId, await this.longValues(access, batch, ahead), async () => {
      const outcome = await this.turns.run(access.ownerId, () => this.inTurn(access, batch, ahead));
      return typeof outcome === 'number' ? this.withLocks(access, batch, outcome) : outcome;
    });
  }

  /** The long values that the batch is expected to write: not those of duplicates that it skips. */
  private async longValues(
    access: Access,
    { candidates, onDuplicate }: Batch,
    ahead: Duplicates | null,
  ): Promise<string[]> {
    const long = new Set<unknown>(longValuesOf(candidates.map(({ body }) => body.value)));
    if (long.size === 0 || onDuplicate === 'overwrite') return [...long] as string[];
    const some = candidates.filter(({ body }) => long.has(body.value));
    const wanted = some.map(({ body }) => duplicateFields(body));
    const found = ahead ?? (await this.duplicates.find(access, wanted));
    return some.filter(({ key }) => !found.has(key)).map(({ body }) => body.value as string);
  }

  /** @returns the number of nodes that the batch is expected to overwrite if it needs locks; nothing was written then */
  private async inTurn(
    access: Access,
    batch: Batch,
    ahead: Duplicates | null,
  ): Promise<BatchOutcome | number> {
    const wanted = duplicateFieldsOf(batch);
    const canGlance = ahead === null && this.units.isOutermost;
    const glance = canGlance ? await this.duplicates.glance(access, wanted) : null;
    const outcome = glance && (await this.withoutLocks(access, batch, glance));
    if (outcome !== null) return outcome;
    if (batch.onDuplicate === 'skip') return 0;
    const found = ahead ?? glance?.duplicates ?? (await this.duplicates.find(access, wanted));
    return found.size;
  }

  /**
   * Waits for room for the nodes that it overwrites, which alone are loaded, before it has its turn: other batches of the
   * owner do not wait for that room. When others have made further duplicates meanwhile, it waits for more.
   */
  private async withLocks(access: Access, batch: Batch, rows: number): Promise<BatchOutcome> {
    try {
      const unit = () =>
        batch.checks.unit(async () => this.write(access, batch, await this.locked(access, batch, rows)));
      return await this.held.run(rows, () => this.turns.run(access.ownerId, unit));
    } catch (error) {
      if (error instanceof MoreRows) return this.withLocks(access, batch, error.rows);
      throw error;
    }
  }

  /**
   * Most batches meet no concurrent write: duplicates are looked up without a lock, and the nodes are
   * written in one statement if the graph has not changed since.
   * @returns null when that is impossible or the graph has changed; nothing was written then
   */
  private async withoutLocks(
    access: Access,
    batch: Batch,
    { duplicates, expected }: Glance,
  ): Promise<BatchOutcome | null> {
    if (batch.onDuplicate === 'overwrite' && duplicates.size > 0) return null;
    try {
      return await batch.checks.unit(() => {
        if (expected !== null) this.changes.requireUnchanged(expected);
        return this.write(access, batch, this.drafted(access, batch, { duplicates }));
      });
    } catch (error) {
      if (error instanceof ConcurrentChange) return null;
      throw error;
    }
  }

  private async write(access: Access, batch: Batch, draft: BatchDraft): Promise<BatchOutcome> {
    const { candidates, onDuplicate } = batch;
    const outcome = outcomeOf(batch);
    for (const candidate of candidates) {
      const pause = rest();
      if (pause !== undefined) await pause;
      try {
        const waits = this.decide(access, { candidate, onDuplicate, draft, outcome });
        if (waits !== null) await waits;
      } catch (error) {
        if (!isFaultOfPart(error)) throw error;
        outcome.errors.push({ index: candidate.index, title: candidate.title, error });
      }
    }
    this.nodes.insertMany([...draft.created.values()]);
    await this.nodes.updateMany([...draft.updated.values()]);
    for (const change of draft.changes) this.changes.append(change);
    for (const { id } of [...outcome.created, ...outcome.updated])
      outcome.written.set(id, draft.current(id) as Node);
    return outcome;
  }

  private drafted(
    access: Access,
    { checks }: Batch,
    { duplicates, existing = new Map() }: { duplicates: Duplicates; existing?: Map<string, Node> },
  ): BatchDraft {
    return new BatchDraft(duplicates, existing, { tags: this.tags.assignment(access), schemas: checks });
  }

  /** @throws MoreRows when there are more nodes to overwrite than it may load */
  private async locked(access: Access, batch: Batch, rows: number): Promise<BatchDraft> {
    await this.duplicates.lock(access.ownerId);
    const duplicates = await this.duplicates.find(access, duplicateFieldsOf(batch));
    if (batch.onDuplicate === 'skip' || duplicates.size === 0)
      return this.drafted(access, batch, { duplicates });
    const ids = [...new Set(duplicates.values())];
    if (ids.length > rows) throw new MoreRows(ids.length);
    await this.tagging.lock(access.ownerId);
    const existing = await this.nodes.lock(access.ownerId, ids);
    return this.drafted(access, batch, {
      duplicates: await this.stillAlike(access, duplicates, existing),
      existing,
    });
  }

  /**
   * A node that changed between the lookup and the lock is no longer a duplicate and must not be
   * overwritten.
   */
  private async stillAlike(
    access: Access,
    duplicates: Duplicates,
    existing: ReadonlyMap<string, Node>,
  ): Promise<Duplicates> {
    const alike: Duplicates = new Map();
    for (const [key, id] of duplicates) {
      const node = existing.get(id);
      if (node === undefined || node.isDeleted || !sees(access.nodes.read, node.facts)) continue;
      if ((await shownLikenessKey(access, node.record)) === key) alike.set(key, id);
    }
    return alike;
  }

  /**
   * Null when nothing has to be awaited, as for most items: a few promises for each are a measurable part
   * of a batch's cost.
   */
  private decide(
    access: Access,
    {
      candidate,
      onDuplicate,
      draft,
      outcome,
    }: { candidate: Candidate; draft: BatchDraft; outcome: BatchOutcome } & Pick<BatchRequest, 'onDuplicate'>,
  ): Promise<void> | null {
    const { index, title, body, key } = candidate;
    const duplicate = draft.byDuplicateKey.get(key);
    if (duplicate !== undefined && onDuplicate === 'skip') {
      outcome.skipped.push({ index, id: duplicate, title });
      return null;
    }
    if (duplicate !== undefined) {
      const overwritten = this.overwrite(access, { id: duplicate, body, draft });
      return overwritten.then(() => void outcome.updated.push({ index, id: duplicate, title }));
    }
    const take = (allowed: Allowed): void => {
      const node = this.create(access, candidate, allowed);
      draft.take(null, { revision: firstRevision(node), attribution: attributionOf(body) });
      draft.byDuplicateKey.set(key, node.id);
      outcome.created.push({ index, id: node.id, title });
    };
    const allowed = this.allowedAtOnce(access, candidate, draft);
    if (allowed === null) return this.allowed(access, candidate, draft).then(take);
    take(allowed);
    return null;
  }

  /**
   * Checks a new node, its tags last: an item that fails must not leave behind tags that were created for
   * it.
   */
  private async allowed(access: Access, { body, fields }: Candidate, draft: BatchDraft): Promise<Allowed> {
    await draft.schemas.refuse(fields.schema_id ?? null);
    Node.refuseViolations(fields as NodeDraft);
    const schema_version = await draft.schemas.ofNew(fields);
    return { schema_version, tag_ids: await this.tagging.ofNew(access, body.tags ?? [], draft.tags) };
  }

  /** The same checks in the same order; null when a schema or a tag has to be looked up, or a tag created. */
  private allowedAtOnce(access: Access, { body, fields }: Candidate, draft: BatchDraft): Allowed | null {
    if (fields.schema_id !== undefined && fields.schema_id !== null) return null;
    draft.schemas.refuseUngranted(null);
    Node.refuseViolations(fields as NodeDraft);
    const tag_ids = this.tagging.knownOfNew(access, body.tags ?? [], draft.tags);
    return tag_ids && { schema_version: null, tag_ids };
  }

  private create({ ownerId }: Access, { fields }: Candidate, allowed: Allowed): Node {
    const birth = { ownerId, id: newId(), createdAt: this.clock.now() };
    return Node.create({ ...fields, ...allowed } as NodeDraft, birth);
  }

  private async overwrite(
    access: Access,
    { id, body, draft }: { id: string; body: NodeBody; draft: BatchDraft },
  ): Promise<void> {
    const node = permitted(access, draft.current(id), 'edit');
    const edit = { body, checks: draft.schemas, assignment: draft.tags };
    const step = await this.service.decideEdit(access, node, edit);
    if (step !== null) draft.take(node, step);
  }
}

/** More nodes have to be loaded than there is room for; nothing was written. */
class MoreRows extends Error {
  constructor(readonly rows: number) {
    super('a batch overwrites more nodes than expected');
  }
}

/** The outcome before any decision. */
const outcomeOf = ({ wrong }: Batch): BatchOutcome => ({
  created: [],
  skipped: [],
  updated: [],
  errors: [...wrong],
  written: new Map(),
});

const duplicateFieldsOf = ({ candidates }: Batch): DuplicateFields[] =>
  candidates.map(({ body }) => duplicateFields(body));

const duplicateFields = (body: NodeBody): DuplicateFields => ({
  graph_view: body.graph_view ?? 'identity',
  title: body.title as string,
  value: body.value ?? null,
});

/** A valid entry as a candidate; null for an invalid one, whose error is added to `errors`. */
function candidate({ title, body }: BatchEntry, index: number, errors: BatchError[]): Candidate | null {
  try {
    if (body instanceof DomainError) throw body;
    refuse(newNodeErrors(body));
    return {
      index,
      title: body.title as string,
      body,
      fields: fieldsOf(body),
      key: duplicateKey(duplicateFields(body)),
    };
  } catch (error) {
    if (!isFaultOfPart(error)) throw error;
    errors.push({ index, title, error });
    return null;
  }
}
