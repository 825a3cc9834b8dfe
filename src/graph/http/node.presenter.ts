import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { rememberSource, Replays } from '../../kernel/http/idempotency.js';
import { checkIfMatch, hasIfMatch } from '../../kernel/http/preconditions.js';
import { type Slices } from '../../kernel/slices.js';
import { type Access, accessOf, Disclosures, type ShownChanges } from '../../privacy/index.js';
import { type Precondition } from '../application/nodes.service.js';
import { shownChanges, type ShownStep } from '../domain/changes-view.js';
import { type Facts, type Node } from '../domain/node.js';
import {
  type NodeSource,
  prepareShown,
  shownOf,
  slicesWithoutEnd,
  stampOf,
  type WireNode,
} from '../domain/node-view.js';
import { type NodeRecord } from '../domain/node-record.js';
import { ShownVersions } from '../infrastructure/shown-versions.js';
import { EntityTags } from './entity-tags.js';
import { sourceOfWritten, type Replayed, ReplayedNodes } from './replayed-nodes.js';
import { nodeNotFound } from '../domain/absences.js';

export interface Listed {
  includeTags: boolean;
  /** Who owns the nodes; absent: not asked for. */
  owner?: { id: string; username: string } | undefined;
  /** Of a past state. */
  now?: Facts | undefined;
}

/**
 * The only way out for a node, wherever it is read from: permitted tags by name, then the profile's transformations,
 * then its detail level (rules 3.9, 3.14, 3.15). `graph_view` never leaves (rule 4.1).
 */
@Injectable()
export class NodePresenter implements OnModuleInit {
  constructor(
    private readonly entityTags: EntityTags,
    private readonly versions: ShownVersions,
    private readonly replayed: ReplayedNodes,
    private readonly disclosures: Disclosures,
    private readonly replays: Replays,
  ) {}

  onModuleInit(): void {
    this.replays.register<Replayed>('node', {
      present: (request, sources) => {
        const access = accessOf(request as Request);
        return this.replayed.again(access, sources, async (source, now) => {
          await this.preparePast(access, source, { now });
          return { body: this.present(access, source, now), etag: await this.etag(access, source) };
        });
      },
      absent: nodeNotFound,
    });
  }

  /**
   * To be awaited before nodes of one owner are presented: finds which version of them the caller is shown, and does what
   * takes its time without keeping others waiting.
   */
  async prepare(access: Access, nodes: readonly NodeSource[], slices?: Slices): Promise<void> {
    await this.versions.stamp(access, nodes, slices);
    await prepareShown(nodes, () => access, { slices });
  }

  /**
   * Finds the shown versions of a page of nodes of one owner together, before each of them is prepared by itself, compared,
   * or asked for its time ({@link timeOf}): at most one statement, mostly none.
   */
  stamp(access: Access, nodes: readonly NodeSource[], slices?: Slices): Promise<void> {
    return this.versions.stamp(access, nodes, slices);
  }

  /** The same for nodes of several owners. */
  stampAll<Source extends NodeSource>(
    nodes: readonly Source[],
    accessTo: (node: Source) => Access,
    slices?: Slices,
  ): Promise<void> {
    return this.versions.stampAll(nodes, accessTo, slices);
  }

  /** Tells whether the caller is shown another version of the node than the one before. */
  async isShownAnew(access: Access, id: string, [before, after]: [number, number]): Promise<boolean> {
    const was = await this.versions.numberOf(access, { id, version: before });
    return was !== (await this.versions.numberOf(access, { id, version: after }));
  }

  /** The time when a state came about, as far as the caller is shown changes: for others than {@link stampAll}ed states never. */
  timeOf(access: Access, node: NodeSource): Date {
    return new Date(stampOf(access, node).updated_at ?? 0);
  }

  /** The same for a past state. */
  async preparePast(
    access: Access,
    node: NodeSource,
    { now, slices }: { now?: Facts | undefined; slices?: Slices },
  ): Promise<void> {
    await this.versions.stamp(access, [node], slices);
    await prepareShown([node], () => access, { now, slices });
  }

  /**
   * A node as one caller may see it. Whether he may see it at all was decided before.
   * @param now what it is now, where this is a past state of it
   */
  present(access: Access, node: NodeSource, now?: Facts): WireNode {
    this.disclosures.shown(access, node);
    return rememberSource(shownOf(access, node, { extras: whereabouts(access, node), now }), node);
  }

  /**
   * A node that the caller has just written. Who may create and not read sees it this once; a replay of the same
   * request may show it again.
   */
  async presentWritten(access: Access, node: Node): Promise<WireNode> {
    const source = sourceOfWritten(access, node);
    await this.prepare(access, [source], slicesWithoutEnd());
    this.disclosures.shown(access, source);
    return rememberSource(shownOf(access, source), source);
  }

  /** A state that the change log has kept, as the given access shows it, for comparing: who sends it says so. Nothing is kept for replays. */
  presentState(access: Access, state: NodeSource): WireNode {
    return shownOf(access, state);
  }

  /** An entry of a list. */
  presentListed(access: Access, record: NodeRecord, { includeTags, owner, now }: Listed): WireNode {
    this.disclosures.shown(access, record);
    const extras: WireNode = { is_shared: access.isReceived, ...whereabouts(access, record) };
    if (owner) extras['owner'] = owner;
    if (record.deleted_at !== null) extras['deleted_at'] = record.deleted_at.toISOString();
    const shown = shownOf(access, record, { extras, now });
    if (!includeTags) delete shown['tags'];
    if (shown['owner_id'] !== record.owner_id) delete shown['owner'];
    return shown;
  }

  /** What a step changed, between two versions that the caller may both read. */
  presentChanges(access: Access, step: ShownStep): Promise<ShownChanges> {
    return shownChanges(access, step);
  }

  /** The version that the caller is shown; an opaque value for callers who are not shown it (rule 4.1b). */
  async etag(access: Access, node: NodeSource, slices?: Slices): Promise<string> {
    await this.versions.stamp(access, [node], slices);
    const { version = node.version, updated_at: at } = stampOf(access, node);
    return this.entityTags.ofShown(access, { id: node.id, version, at }, access.exposure.shows('version'));
  }

  /** The same after a write, which is answered however long it takes: a 503 would deny what has happened. */
  etagOfWritten(access: Access, { record }: Node): Promise<string> {
    return this.etag(access, record, slicesWithoutEnd());
  }

  /** Holds a write to what the request says in If-Match: an entity tag that this caller was given. */
  ifMatch(access: Access, request: Request): Precondition {
    return async ({ record }) => {
      if (hasIfMatch(request)) checkIfMatch(request, await this.etag(access, record));
    };
  }
}

/** Where a merge has put it: for the owner, because nobody else may be told the id of a node that he cannot read. */
function whereabouts({ isOwner }: Access, { merged_into }: NodeSource): WireNode | undefined {
  return isOwner && typeof merged_into === 'string' ? { merged_into } : undefined;
}
