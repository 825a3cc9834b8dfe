import { Injectable } from '@nestjs/common';
import { DomainError, type FieldError } from '../../kernel/errors/domain-error.js';
import { HeldRows } from '../../kernel/held-rows.js';
import { isSame, picked } from '../../kernel/json/json-values.js';
import { type Slices } from '../../kernel/slices.js';
import {
  unmaskWrite,
  discovers,
  unmaskEdgeWrite,
  fieldsOf,
  isReadable,
  type JsonObject,
  lastTagRemoval,
  type Node,
  type NodeBody,
  NODE_BODY_FIELDS,
  isNodeField,
  NODE_LIMITS,
  nodeFieldErrors,
  nodeNotFound,
  OwnerEdits,
  RELATIONSHIP_FIELDS,
  type RelationshipBody,
  relationshipFieldErrors,
  relationshipNotFound,
  type SchemaChecks,
  shownOf,
  type TagChange,
  resolveTag,
  tagNotFound,
  type Written,
  writtenErrors,
} from '../../graph/index.js';
import { type Access, grants, maySchema, sees } from '../../privacy/index.js';
import { type Delta, fieldDeltas } from '../domain/deltas.js';
import { namedEdge, namedNodes, stepsInParts } from '../domain/named-things.js';
import {
  isMetadataShown,
  type Prepared,
  type PreparedNode,
  type PreparedStep,
  UNCHANGED,
} from '../domain/prepared.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';
import { errorAt } from '../domain/step-errors.js';
import { forbidden, refuseAssignments, refuseUnpermittedEdge } from './permitted-steps.js';
import { authorityOf } from './proposal-applying.service.js';

/** An app's view of the nodes that its steps name. */
interface View {
  access: Access;
  nodes: ReadonlyMap<string, Node>;
  /** True to refuse things that are absent or hidden from the app; false to skip them. */
  isComplete: boolean;
  /** The time of all steps together. */
  slices: Slices;
  /** The app's words about nodes that it is not shown as they are stored, and by which alone it is judged. */
  own: OwnWordsOfStep[];
}

interface OwnWordsOfStep {
  step: Step;
  node: Node;
  body: NodeBody;
  written: Written;
}

/** The completeness of a preparation, and the time for it. */
interface Preparing {
  /** True when the proposal is to be ready: then everything that it names must exist. */
  isComplete: boolean;
  /** The time of the whole request. */
  slices: Slices;
}

/**
 * Prepares a proposal within its app's rights: refuses what the app must not propose, treats what it cannot
 * see as absent, and resolves its words about existing things (rules 3.7, 3.10, 3.17, 3.18, 8.4).
 */
@Injectable()
export class ProposalPreparation {
  constructor(
    private readonly edits: OwnerEdits,
    private readonly held: HeldRows,
  ) {}

  /**
   * Prepares a proposal; never within a unit of work, because texts through masks are long work.
   * @throws PERMISSION_DENIED, NODE_NOT_FOUND, NOT_FOUND, LAST_TAG_REMOVAL, VALIDATION_ERROR; for a proposal that is to be
   * ready also INVALID_NODE_TYPE, SCHEMA_NOT_FOUND, SCHEMA_VALIDATION_FAILED
   */
  async prepare(access: Access, proposal: Proposal, { isComplete, slices }: Preparing): Promise<Prepared> {
    const { tags, entity_tags: byEntity } = proposal.record;
    const { steps } = proposal;
    if (isComplete && steps.length === 0)
      throw DomainError.validation('canonical_data', 'must say what to change, or `actions` must');
    refuseAssignments(access, [...tags, ...Object.values(byEntity ?? {}).flat()] as string[]);
    const checks = this.edits.checks(authorityOf(access));
    const prepared: [string, PreparedStep][] = [];
    for (const part of stepsInParts(steps)) {
      const named = part.flatMap(namedNodes);
      await this.held.run(named.length, async () => {
        const nodes = await this.edits.look(access, named);
        const view: View = { access, isComplete, slices, nodes, own: [] };
        for (const step of part) {
          const made = { ...(await this.step(view, step)), ...versionsRead(view, step) };
          if (Object.keys(made).length > 0) prepared.push([step.id, made]);
        }
        if (isComplete && !isMetadataShown(access)) await this.refuseOwnWords(view, checks);
      });
    }
    // Ids are the app's words: as keys they must not reach a prototype.
    return Object.fromEntries(prepared);
  }

  /**
   * Judges an app that is not shown its nodes as they are stored by its own words, like a direct write. It knows the
   * nodes as they were before the proposal, whose steps may remove a mask.
   */
  private refuseOwnWords({ access, own }: View, checks: SchemaChecks): Promise<void> {
    return checks.together(async () => {
      for (const { step, node, ...words } of own) {
        await this.edits.refuse(access, node, { ...words, checks }).catch((error: unknown) => {
          throw errorAt(step, error);
        });
      }
    });
  }

  private async step(view: View, step: Step): Promise<PreparedStep | null> {
    switch (step.type) {
      case 'CREATE_NODE':
        refuseAssignments(view.access, (step.payload['tags'] ?? []) as string[]);
        await this.refuseSchema(view, schemaOf(step.payload));
        return null;
      case 'UPDATE_NODE':
        return this.update(view, step);
      case 'ADD_TAGS':
      case 'REMOVE_TAGS':
        return preparedTags(view, step);
      case 'UPDATE_RELATIONSHIP':
      case 'DELETE_RELATIONSHIP':
        return this.edge(view, step);
      case 'DELETE_NODE':
      case 'MERGE_NODES':
        for (const id of idsIn(step)) proposable(view, id);
        return null;
      case 'CREATE_RELATIONSHIP':
        refuseEnds(view, step);
        return null;
    }
  }

  private async update(view: View, step: Step): Promise<PreparedStep | null> {
    const { access, slices } = view;
    const body = picked(changesOf(step), NODE_BODY_FIELDS) as NodeBody;
    const node = proposable(view, step.payload['node_id']);
    if (node === null) {
      refuse(step, nodeFieldErrors(body));
      refuseAssignments(access, body.tags ?? []);
      return null;
    }
    // Metadata is a merge patch of what the app is shown (RFC 7396); every other field is replaced.
    const written = await unmaskWrite(access, node, { body, merge: 'metadata', slices });
    refuse(step, writtenErrors(written));
    view.own.push({ step, node, body, written });
    const { body: meant, expected } = written;
    const fields = fieldsOf(meant);
    if (fields.schema_id !== undefined && fields.schema_id !== node.record.schema_id) {
      await this.refuseSchema(view, fields.schema_id);
    }
    const deltas = Object.entries(fields).flatMap(([field, value]) =>
      fieldDeltas(node.record[field as keyof typeof fields], value, field),
    );
    const tags = meant.tags === undefined ? UNCHANGED.tags : rewrittenTags(access, node, meant.tags ?? []);
    const prepared = { deltas, tags, reason: body.change_reason ?? null };
    if (access.exposure.isIdentity) return { node: prepared, unseen: written.unseen };
    const wished = wishedDeltas(access, node, { deltas, expected });
    return { node: { ...prepared, wished }, unseen: written.unseen };
  }

  /** Before the proposal is complete, a schema that the app cannot see is skipped like anything else. */
  private async refuseSchema({ access, isComplete }: View, schemaId: string | null): Promise<void> {
    if (isComplete) await this.edits.refuseSchema(access, schemaId);
    else if (!maySchema(access, 'write', schemaId)) throw forbidden();
  }

  private async edge(view: View, step: Step): Promise<PreparedStep | null> {
    const { access, isComplete } = view;
    const edge = await this.edits.findEdge(access, namedEdge(step) ?? '');
    const changes = picked(changesOf(step), RELATIONSHIP_FIELDS);
    if (edge === null || !isReadable(access, edge)) {
      if (isComplete) throw relationshipNotFound();
      refuse(step, relationshipFieldErrors(changes));
      return null;
    }
    refuseUnpermittedEdge(access, edge);
    const { version } = edge.edge;
    const read = { version, ends: { from: edge.from, to: edge.to } };
    if (step.type === 'DELETE_RELATIONSHIP') return read;
    const { fields, unseen, marks } = await unmaskEdgeWrite(access, edge, changes);
    refuse(step, [...marks, ...relationshipFieldErrors(fields)]);
    const isChange = ([field, value]: [string, unknown]) =>
      unseen.includes(field) || !isSame(value, edge.edge[field as keyof RelationshipBody]);
    return { edge: Object.fromEntries(Object.entries(fields).filter(isChange)), unseen, ...read };
  }
}

/**
 * The changes that an app wishes for, as it could make them out itself: stored values would leave out a guess that is
 * right, and so confirm it. Where no mask can work the two are the same.
 */
function wishedDeltas(
  access: Access,
  node: Node,
  { deltas, expected }: { deltas: readonly Delta[]; expected: JsonObject },
): Delta[] {
  const isMasked = (field: string) => access.exposure.touches(field);
  const shown = shownOf(access, node.record);
  const masked = Object.keys(expected).filter((field) => isNodeField(field) && isMasked(field));
  return [
    ...deltas.filter(({ path }) => !isMasked(path[0] as string)),
    ...masked.flatMap((field) => fieldDeltas(shown[field] ?? null, expected[field] ?? null, field)),
  ];
}

/** Replaces the tags that the app knows of the node; those it does not know stay (rule 3.9). */
function rewrittenTags(access: Access, node: Node, names: readonly string[]): TagChange {
  const known = node.tagIds.filter((id) => discovers(access, id));
  if (names.length === 0 && known.length > 0) throw lastTagRemoval();
  const ids = names.map((name) => resolveTag(access, name));
  const added = names.filter((_, index) => !known.includes(ids[index] ?? ''));
  return permittedTags(access, known, { added, removed: known.filter((id) => !ids.includes(id)) });
}

function preparedTags(view: View, step: Step): PreparedStep | null {
  const { access } = view;
  const names = step.payload['tags'] as string[];
  const node = proposable(view, step.payload['node_id']);
  if (node === null) {
    if (step.type === 'ADD_TAGS') refuseAssignments(access, names);
    return null;
  }
  const known = node.tagIds.filter((id) => discovers(access, id));
  const ids = names.map((name) => resolveTag(access, name));
  if (step.type === 'ADD_TAGS') {
    const added = names.filter((_, index) => !known.includes(ids[index] ?? ''));
    return prepared(permittedTags(access, known, { added, removed: [] }));
  }
  const removed = ids.filter((id): id is string => id !== null && known.includes(id));
  if (view.isComplete && removed.length < ids.length) throw tagNotFound();
  if (removed.length > 0 && known.every((id) => removed.includes(id))) throw lastTagRemoval();
  const made = prepared(permittedTags(access, known, { added: [], removed }));
  return removed.length < ids.length ? { ...made, isPartial: true } : made;
}

const prepared = (tags: TagChange): { node: PreparedNode } => ({ node: { ...UNCHANGED, tags } });

/** Hidden tags do not count against the app: the limit must not reveal them. */
function permittedTags(access: Access, known: readonly string[], change: TagChange): TagChange {
  refuseAssignments(access, change.added);
  if (!change.removed.every((id) => grants(access.tags.propose, id))) throw forbidden();
  if (known.length - change.removed.length + change.added.length > NODE_LIMITS.tags) {
    throw DomainError.validation('tags', `must have at most ${NODE_LIMITS.tags} tags`);
  }
  return change;
}

/**
 * A living node that the app may propose to change. Null if it is hidden or absent and the proposal is not
 * complete yet.
 * @throws NODE_NOT_FOUND for absent and hidden alike; PERMISSION_DENIED for visible but not permitted
 */
function proposable(view: View, id: unknown): Node | null {
  const node = readable(view, id);
  if (node !== null && !sees(view.access.nodes.propose, node.facts)) throw forbidden();
  return node;
}

function readable({ access, nodes, isComplete }: View, id: unknown): Node | null {
  const node = nodes.get(String(id).toLowerCase());
  if (node !== undefined && !node.isDeleted && sees(access.nodes.read, node.facts)) return node;
  if (isComplete) throw nodeNotFound();
  return null;
}

/** The versions that a step's words are about, for the nodes that the app can see. */
function versionsRead(view: View, step: Step): Pick<PreparedStep, 'version' | 'versions'> {
  const versionOf = (id: unknown) => readable({ ...view, isComplete: false }, id)?.version;
  if (step.type === 'MERGE_NODES') {
    const known = namedNodes(step).flatMap((id): [string, number][] => {
      const version = versionOf(id);
      return version === undefined ? [] : [[id, version]];
    });
    return { versions: Object.fromEntries(known) };
  }
  const version = versionOf(step.payload['node_id']);
  return version === undefined ? {} : { version };
}

/** Checks the ends as a direct write does, with propose in place of edit (rule 3.19). */
function refuseEnds(view: View, { payload }: Step): void {
  const { from_node_id: from, to_node_id: to, bidirectional } = payload;
  if (from !== undefined) proposable(view, from);
  if (to !== undefined) (bidirectional === true ? proposable : readable)(view, to);
}

const idsIn = ({ payload }: Step): unknown[] => {
  const { node_id, target_node_id, source_node_ids } = payload;
  const sources = (source_node_ids ?? []) as unknown[];
  return [node_id, target_node_id, ...sources].filter((id) => id !== undefined);
};

const changesOf = ({ payload }: Step): JsonObject => (payload['changes'] ?? {}) as JsonObject;

function schemaOf({ schema_id: id }: JsonObject): string | null {
  return typeof id === 'string' ? id.toLowerCase() : null;
}

function refuse({ path }: Step, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  throw DomainError.validations(
    errors.map(({ field, message }) => ({ field: `${path}.changes.${field}`, message })),
  );
}
