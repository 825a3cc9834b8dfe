import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { rememberSource, Replays, type ShownAgain } from '../../kernel/http/idempotency.js';
import { type Access, accessOf, Disclosures } from '../../privacy/index.js';
import { type EdgeWithEnds, isReadable, shownEdge } from '../domain/relationship-view.js';
import { type ReadableNode } from '../infrastructure/reached-nodes.queries.js';
import { slicesOfShowing } from '../domain/node-view.js';
import { RelationshipsQueries } from '../infrastructure/relationships.queries.js';
import { EntityTags } from './entity-tags.js';
import { NodePresenter } from './node.presenter.js';
import { type NodeDto } from './nodes-answers.dto.js';
import {
  type CreatedRelationshipDto,
  type ListedRelationshipDto,
  type RelationshipDto,
} from './relationships.dto.js';
import { relationshipNotFound } from '../domain/absences.js';

type Source = EdgeWithEnds & { reverseId: string | null };

/** The way out for a relationship: transformations and detail level hold for it as for its nodes (decisions 3.14, 3.15). */
@Injectable()
export class RelationshipPresenter implements OnModuleInit {
  constructor(
    private readonly etags: EntityTags,
    private readonly nodes: NodePresenter,
    private readonly queries: RelationshipsQueries,
    private readonly disclosures: Disclosures,
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

  present(access: Access, edge: EdgeWithEnds): RelationshipDto {
    this.disclosures.shown(access, { owner_id: edge.edge.owner_id, id: null });
    return shownEdge(access, edge) as unknown as RelationshipDto;
  }

  presentCreated(access: Access, made: EdgeWithEnds, reverseId: string | null): CreatedRelationshipDto {
    return this.created(access, { ...made, reverseId });
  }

  /** @param now where this is a past state */
  private created(access: Access, source: Source, now?: EdgeWithEnds): CreatedRelationshipDto {
    const { reverseId, ...made } = source;
    this.disclosures.shown(access, { owner_id: made.edge.owner_id, id: null });
    const reverse = reverseId === null ? {} : { reverse_relationship_id: reverseId };
    const shown = shownEdge(access, made, now) as unknown as RelationshipDto;
    return rememberSource({ ...shown, ...reverse }, source, 'relationship');
  }

  /** To be awaited before these nodes are presented with their edges, of one request. */
  async prepare(nodes: readonly ReadableNode[]): Promise<void> {
    const slices = slicesOfShowing();
    for (const { access, record } of nodes) await this.nodes.prepare(access, [record], slices);
  }

  /** With its nodes, unless one has gone since the list was read. */
  presentWithNodes(
    access: Access,
    edge: EdgeWithEnds,
    nodes: ReadonlyMap<string, ReadableNode>,
  ): ListedRelationshipDto {
    const [from, to] = [nodes.get(edge.from.id), nodes.get(edge.to.id)];
    return {
      ...this.present(access, edge),
      ...(from ? { from_node: this.nodes.present(from.access, from.record) as unknown as NodeDto } : {}),
      ...(to ? { to_node: this.nodes.present(to.access, to.record) as unknown as NodeDto } : {}),
    };
  }

  etag(access: Access, edge: EdgeWithEnds): string {
    return this.etags.of(edge.edge, shownEdge(access, edge)['version'] === edge.edge.version);
  }

  /** As it was, when it is readable now and was then by the rules of now (decisions 3.20). */
  private async presentAgain(caller: Access, stored: Source): Promise<ShownAgain | null> {
    const then = revived(stored);
    const { owner_id: ownerId, id } = then.edge;
    if (caller.isOwner && caller.ownerId === ownerId) return { body: this.created(caller, then) };
    const { access, found: now } = await this.queries.reach(caller, id);
    if (now?.edge.owner_id !== ownerId) return null;
    if (![now, then].every((edge) => isReadable(access, edge))) return null;
    return { body: this.created(access, then, now) };
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
