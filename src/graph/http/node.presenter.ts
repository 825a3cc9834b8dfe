import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { rememberSource, Replays } from '../../kernel/http/idempotency.js';
import { type Slices } from '../../kernel/slices.js';
import { type Access, accessOf, Disclosures, type ShownChanges } from '../../privacy/index.js';
import { shownChanges, type ShownStep } from '../domain/changes-view.js';
import { type Facts, type Node } from '../domain/node.js';
import {
  type NodeSource,
  prepareShown,
  shownOf,
  slicesWithoutEnd,
  type WireNode,
} from '../domain/node-view.js';
import { type NodeRecord } from '../domain/node-record.js';
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
 * then its detail level (decisions 3.9, 3.14, 3.15). `graph_view` never leaves (decisions 4.1).
 */
@Injectable()
export class NodePresenter implements OnModuleInit {
  constructor(
    private readonly entityTags: EntityTags,
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
          return { body: this.present(access, source, now), etag: this.etag(access, source) };
        });
      },
      absent: nodeNotFound,
    });
  }

  /** To be awaited before nodes are presented: does what takes its time without keeping others waiting. */
  prepare(access: Access, nodes: readonly NodeSource[], slices?: Slices): Promise<void> {
    return prepareShown(nodes, () => access, { slices });
  }

  /** The same for a past state. */
  preparePast(
    access: Access,
    node: NodeSource,
    { now, slices }: { now?: Facts | undefined; slices?: Slices },
  ): Promise<void> {
    return prepareShown([node], () => access, { now, slices });
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

  /** The version; an opaque value for callers who are not shown it (decisions 4.1). */
  etag(access: Access, node: { id: string; version: number }): string {
    return this.entityTags.of(node, access.exposure.shows('version'));
  }
}

/** Where a merge has put it: for the owner, because nobody else may be told the id of a node that he cannot read. */
function whereabouts({ isOwner }: Access, { merged_into }: NodeSource): WireNode | undefined {
  return isOwner && typeof merged_into === 'string' ? { merged_into } : undefined;
}
