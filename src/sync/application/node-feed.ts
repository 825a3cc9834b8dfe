import { Injectable } from '@nestjs/common';
import { type Slices } from '../../kernel/slices.js';
import { type RuleDifference, seesEverything, visibility } from '../../privacy/index.js';
import { type NodeEntry } from '../domain/change-entry.js';
import { type Base, beginPass, type Pass } from '../domain/replica.js';
import { visibilityOf } from '../domain/scope.js';
import {
  LoggedNodesQueries,
  type Narrowing,
  type VisitedNode,
} from '../infrastructure/logged-nodes.queries.js';
import { Comparison } from './comparison.service.js';
import { type Feed, type Stage } from './feed.js';
import { type View } from './view.js';

/** The nodes of a replica. */
@Injectable()
export class NodeFeed implements Feed<VisitedNode> {
  constructor(
    private readonly logged: LoggedNodesQueries,
    private readonly comparison: Comparison,
  ) {}

  /**
   * A hidden change must not move what is sent: only callers from whom nothing is hidden get the order of last changes.
   */
  begin({ now, access: { access } }: View, base: Base | null, difference: RuleDifference): Pass {
    const isUnruled = !difference.isAboutAll && difference.tags.size === 0;
    return beginPass(base, now, { order: seesEverything(access) ? 'last change' : 'creation', isUnruled });
  }

  async next(view: View, stage: Stage, limit: number): Promise<{ things: VisitedNode[]; reached: number }> {
    const { ownerId } = view.viewer;
    const narrowing = narrowingOf(view, stage);
    const stretch = { ownerId, pass: stage.pass, head: view.now.changes, narrowing, limit };
    const { nodes: things, reached } = await this.logged.next(stretch);
    return { things, reached };
  }

  entries(
    view: View,
    { base, pass }: Stage,
    { things, slices }: { things: readonly VisitedNode[]; slices: Slices },
  ): AsyncGenerator<NodeEntry | null> {
    return this.comparison.entries(view, base, things, { end: pass.end.changes, slices });
  }
}

function narrowingOf({ access, scope }: View, { base, pass, difference }: Stage): Narrowing | null {
  if (base === null)
    return { kind: 'seen', by: visibility.and(access.access.nodes.read, visibilityOf(scope)) };
  if (difference.isAboutAll || pass.start > 0) return null;
  return { kind: 'touched', since: base.end.changes, tagIds: [...difference.tags.keys()] };
}
