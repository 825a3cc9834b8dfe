import { Injectable } from '@nestjs/common';
import { type EdgeWithEnds, shownEdge, shownTag, withEnds } from '../../graph/index.js';
import { PastAccesses } from '../../privacy/index.js';
import { presenceOfEdge, presenceOfTag } from '../domain/part-states.js';
import { type PartName } from '../domain/replica.js';
import { LoggedEdgesQueries } from '../infrastructure/logged-edges.queries.js';
import { LoggedTagsQueries } from '../infrastructure/logged-tags.queries.js';
import { type AnyFeed } from './feed.js';
import { NodeFeed } from './node-feed.js';
import { PartFeed } from './part-feed.js';

/** The sources of a replica's entries: its nodes, and each of its parts. */
@Injectable()
export class Feeds {
  readonly nodes: AnyFeed;
  readonly parts: Readonly<Record<PartName, AnyFeed>>;

  constructor(
    nodes: NodeFeed,
    edges: LoggedEdgesQueries,
    tags: LoggedTagsQueries,
    pastAccesses: PastAccesses,
  ) {
    this.nodes = nodes;
    this.parts = {
      tags: new PartFeed(
        {
          entity: 'tag',
          logged: tags,
          presenceOf: presenceOfTag,
          show: (access, { tag }, slices) => shownTag(access, tag, slices),
        },
        pastAccesses,
      ),
      relationships: new PartFeed(
        {
          entity: 'relationship',
          logged: edges,
          presenceOf: presenceOfEdge,
          // Only shown ones are presented, which have both ends.
          show: (access, edge, slices) => shownEdge(access, withEnds(edge) as EdgeWithEnds, { slices }),
        },
        pastAccesses,
      ),
    };
  }
}
