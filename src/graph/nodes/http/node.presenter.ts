import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { presentedLater, rememberSource, Replays } from '../../../kernel/http/idempotency.js';
import { checkIfMatch, hasIfMatch, setEtag } from '../../../kernel/http/preconditions.js';
import { type Slices } from '../../../kernel/slices.js';
import {
  type Access,
  accessOf,
  AccessReports,
  type NodeFacts,
  type ShownChanges,
} from '../../../privacy/index.js';
import { type Precondition } from '../application/nodes.service.js';
import { shownChanges, type ShownStep } from '../domain/changes-view.js';
import { type Node } from '../domain/node.js';
import {
  EntityTags,
  nodeNotFound,
  type NodeRecord,
  type NodeSource,
  prepareShown,
  shownOf,
  slicesWithoutEnd,
  stampOf,
  type WireNode,
} from '../../common/index.js';
import { ShownVersions } from '../infrastructure/shown-versions.js';
import { sourceOfWritten, type Replayed, ReplayedNodes } from './replayed-nodes.js';

export interface Listed {
  includeTags: boolean;
  /** The owner of the nodes; absent when not requested. */
  owner?: { id: string; username: string } | undefined;
  /** The current facts, for a past state. */
  now?: NodeFacts | undefined;
}

/**
 * Presents nodes: the only way out, wherever a node is read from. Permitted tags by name, then the
 * profile's transformations, then its detail level (rules 3.9, 3.14, 3.15). `graph_view` never leaves (rule
 * 4.1).
 */
@Injectable()
export class NodePresenter implements OnModuleInit {
  constructor(
    private readonly entityTags: EntityTags,
    private readonly versions: ShownVersions,
    private readonly replayed: ReplayedNodes,
    private readonly accessReports: AccessReports,
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
   * Must be awaited before nodes of one owner are presented: finds the version of each that the caller is
   * shown, and redacts long texts without blocking others.
   */
  async prepare(access: Access, nodes: readonly NodeSource[], slices?: Slices): Promise<void> {
    await this.versions.stamp(access, nodes, slices);
    await prepareShown(nodes, () => access, { slices });
  }

  /**
   * Finds the shown versions of a page of nodes of one owner together, before each of them is prepared,
   * compared or passed to {@link timeOf}.
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

  /** True if the caller is shown another version number after the step than before. */
  async changesShownVersion(
    access: Access,
    id: string,
    versions: [before: number, after: number],
  ): Promise<boolean> {
    const [before, after] = await this.versions.numbersOf(access, id, versions);
    return before !== after;
  }

  /** The time of a state's last shown change; the epoch for states that were not {@link stampAll}ed. */
  timeOf(access: Access, node: NodeSource): Date {
    return new Date(stampOf(access, node).updated_at ?? 0);
  }

  /** Like {@link prepare}, for a past state. */
  async preparePast(
    access: Access,
    node: NodeSource,
    { now, slices }: { now?: NodeFacts | undefined; slices?: Slices },
  ): Promise<void> {
    await this.versions.stamp(access, [node], slices);
    await prepareShown([node], () => access, { now, slices });
  }

  /**
   * Presents a node; that the caller may read it was decided before.
   * @param now the current facts, for a past state
   */
  present(access: Access, node: NodeSource, now?: NodeFacts): WireNode {
    this.accessReports.shown(access, node);
    const extras = { ...(access.isReceived && { is_shared: true }), ...whereabouts(access, node) };
    return rememberSource(shownOf(access, node, { extras, now }), node);
  }

  /**
   * Presents a node that the caller has just written. A caller who may create but not read sees it this
   * once; a replay of the same request may show it again.
   */
  async presentWritten(access: Access, node: Node, response: Response): Promise<WireNode> {
    const source = sourceOfWritten(access, node);
    return presentedLater(source, 'node', async () => {
      setEtag(response, await this.etagOfWritten(access, node));
      return this.presentSource(access, source);
    });
  }

  private async presentSource(access: Access, source: NodeSource): Promise<WireNode> {
    await this.prepare(access, [source], slicesWithoutEnd());
    this.accessReports.shown(access, source);
    return rememberSource(shownOf(access, source), source);
  }

  /**
   * A snapshot of the change log as the given access shows it, for comparing; the caller reports the
   * access. Nothing is stored for replays. Its version is shown only if it was {@link stampAll}ed.
   */
  async presentState(access: Access, state: NodeSource, slices: Slices): Promise<WireNode> {
    await prepareShown([state], () => access, { slices });
    return shownOf(access, state);
  }

  /** An entry of a list. */
  presentListed(access: Access, record: NodeRecord, { includeTags, owner, now }: Listed): WireNode {
    this.accessReports.shown(access, record);
    const extras: WireNode = { is_shared: access.isReceived, ...whereabouts(access, record) };
    if (owner) extras['owner'] = owner;
    if (record.deleted_at !== null) extras['deleted_at'] = record.deleted_at.toISOString();
    const shown = shownOf(access, record, { extras, now });
    if (!includeTags) delete shown['tags'];
    if (shown['owner_id'] !== record.owner_id) delete shown['owner'];
    return shown;
  }

  /** The shown changes of a step between two versions that the caller may both read. */
  presentChanges(access: Access, step: ShownStep): Promise<ShownChanges> {
    return shownChanges(access, step);
  }

  /** The entity tag: the shown version, or an opaque value for callers who are not shown it (rule 4.1b). */
  async etag(access: Access, node: NodeSource, slices?: Slices): Promise<string> {
    await this.versions.stamp(access, [node], slices);
    const { version = node.version, updated_at: at } = stampOf(access, node);
    return this.entityTags.ofShown(access, { id: node.id, version, at }, access.exposure.shows('version'));
  }

  /** The same after a write, without a time limit: a 503 would deny a write that has happened. */
  etagOfWritten(access: Access, { record }: Node): Promise<string> {
    return this.etag(access, record, slicesWithoutEnd());
  }

  /** The precondition of a write from If-Match: an entity tag that this caller received. */
  ifMatch(access: Access, request: Request): Precondition {
    return async ({ record }) => {
      if (hasIfMatch(request)) checkIfMatch(request, await this.etag(access, record));
    };
  }
}

/**
 * The target of a merge, for the owner only: others must not learn the id of a node that they cannot read.
 */
function whereabouts({ isOwner }: Access, { merged_into }: NodeSource): WireNode | undefined {
  return isOwner && typeof merged_into === 'string' ? { merged_into } : undefined;
}
