import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import {
  presentedLater,
  rememberSource,
  Replays,
  type ShownAgain,
} from '../../../kernel/http/idempotency.js';
import { type Slices } from '../../../kernel/slices.js';
import { type Access, accessOf, AccessReports } from '../../../privacy/index.js';
import { type EdgeWithEnds, isReadable, shownEdge, showsVersion } from '../domain/relationship-view.js';
import { type NodeDto, NodePresenter, type ReadableNode } from '../../nodes/index.js';
import { EntityTags, relationshipNotFound, slicesOfShowing, slicesWithoutEnd } from '../../common/index.js';
import { RelationshipsQueries } from '../infrastructure/relationships.queries.js';
import {
  type CreatedRelationshipDto,
  type ListedRelationshipDto,
  type RelationshipDto,
} from './relationships.dto.js';

type Source = EdgeWithEnds & { reverseId: string | null };

/** Presents relationships: transformations and detail level apply as to their nodes (rules 3.14, 3.15). */
@Injectable()
export class RelationshipPresenter implements OnModuleInit {
  constructor(
    private readonly etags: EntityTags,
    private readonly nodes: NodePresenter,
    private readonly queries: RelationshipsQueries,
    private readonly accessReports: AccessReports,
    private readonly replays: Replays,
  ) {}

  onModuleInit(): void {
    this.replays.register<Source>('relationship', {
      present: async (request, sources) => {
        const shown: (ShownAgain | null)[] = [];
        for (const source of sources)
          shown.push(await this.presentAgain(accessOf(request as Request), source));
        return shown;
      },
      absent: relationshipNotFound,
    });
  }

  async present(access: Access, edge: EdgeWithEnds, slices = slicesOfShowing()): Promise<RelationshipDto> {
    this.accessReports.shown(access, { owner_id: edge.edge.owner_id, id: null });
    return (await shownEdge(access, edge, { slices })) as unknown as RelationshipDto;
  }

  /** Presents a relationship that the caller has just written, without a time limit. */
  presentWritten(access: Access, edge: EdgeWithEnds): Promise<RelationshipDto> {
    return this.present(access, edge, slicesWithoutEnd());
  }

  presentCreated(
    access: Access,
    made: EdgeWithEnds,
    reverseId: string | null,
  ): Promise<CreatedRelationshipDto> {
    const source: Source = { ...made, reverseId };
    return presentedLater(source, 'relationship', () => this.created(access, source));
  }

  /** @param now the current edge, for a past state */
  private async created(access: Access, source: Source, now?: EdgeWithEnds): Promise<CreatedRelationshipDto> {
    const { reverseId, ...made } = source;
    this.accessReports.shown(access, { owner_id: made.edge.owner_id, id: null });
    const reverse = reverseId === null ? {} : { reverse_relationship_id: reverseId };
    const slices = slicesWithoutEnd();
    const shown = (await shownEdge(access, made, { now, slices })) as unknown as RelationshipDto;
    return rememberSource({ ...shown, ...reverse }, source, 'relationship');
  }

  /** Must be awaited before a page of edges is presented with these nodes: their versions are found together. */
  async stamp(nodes: Iterable<ReadableNode>): Promise<void> {
    const accesses = new Map([...nodes].map(({ access, record }) => [record, access]));
    await this.nodes.stampAll([...accesses.keys()], (record) => accesses.get(record) as Access);
  }

  /** Presents an edge with its nodes, unless one was deleted after the list was read. */
  async presentWithNodes(
    access: Access,
    edge: EdgeWithEnds,
    { nodes, slices }: { nodes: ReadonlyMap<string, ReadableNode>; slices: Slices },
  ): Promise<ListedRelationshipDto> {
    const shown = await this.present(access, edge, slices);
    const from = await this.end(nodes.get(edge.from.id), slices);
    const to = await this.end(nodes.get(edge.to.id), slices);
    return { ...shown, ...(from ? { from_node: from } : {}), ...(to ? { to_node: to } : {}) };
  }

  private async end(node: ReadableNode | undefined, slices: Slices): Promise<NodeDto | undefined> {
    if (node === undefined) return undefined;
    await this.nodes.prepare(node.access, [node.record], slices);
    return this.nodes.present(node.access, node.record) as unknown as NodeDto;
  }

  /** @param shown the relationship as it is presented to the caller, if available */
  async etag(access: Access, edge: EdgeWithEnds, shown?: RelationshipDto): Promise<string> {
    if (showsVersion(access)) return String(edge.edge.version);
    return this.etags.ofContents(shown ?? (await shownEdge(access, edge, { slices: slicesOfShowing() })));
  }

  /** Presents a past state that is readable now, and was readable then by the current rules (rule 3.20). */
  private async presentAgain(caller: Access, stored: Source): Promise<ShownAgain | null> {
    const then = revived(stored);
    const { owner_id: ownerId, id } = then.edge;
    if (caller.isOwner && caller.ownerId === ownerId) return { body: await this.created(caller, then) };
    const { access, found: now } = await this.queries.reach(caller, id);
    if (now?.edge.owner_id !== ownerId) return null;
    if (![now, then].every((edge) => isReadable(access, edge))) return null;
    return { body: await this.created(access, then, now) };
  }
}

/** A source as it was before it went through JSON. */
function revived<T extends EdgeWithEnds>({ edge, from, to, ...rest }: T) {
  const dates = { created_at: new Date(edge.created_at), updated_at: new Date(edge.updated_at) };
  return {
    ...rest,
    edge: { ...edge, ...dates },
    from: { ...from, createdAt: new Date(from.createdAt) },
    to: { ...to, createdAt: new Date(to.createdAt) },
  };
}
