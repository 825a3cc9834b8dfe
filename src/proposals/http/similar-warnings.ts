import { Injectable } from '@nestjs/common';
import { SimilarNodes } from '../../graph/index.js';
import { type Look } from './diff-entries.js';
import { type DiffEntryDto } from './proposal-review.dto.js';

/** The most nodes that are named beside an entry. */
const NAMED = 3;
/** The most titles for which similar nodes are sought in one diff: each takes a statement over the user's titles. */
export const MOST_SOUGHT_TITLES = 10;

/**
 * Warns the user of nodes that a proposal may add a second time: those with the same or nearly the same title as a node
 * that an entry creates or renames (rule 8.10i). Apps are not warned: they find such nodes by `GET /nodes/:id/similar`.
 */
@Injectable()
export class SimilarWarnings {
  constructor(private readonly similar: SimilarNodes) {}

  async add({ access, nodes, proposal, room }: Look, entries: readonly DiffEntryDto[]): Promise<void> {
    if (!access.isOwner) return;
    for (const entry of entries) {
      const title = newTitle(entry);
      if (title === null) continue;
      if (room.titles === 0) return;
      room.titles -= 1;
      const exceptId = entry.entity_id;
      const known = exceptId === null ? undefined : nodes.get(exceptId);
      const view = known?.record.graph_view ?? proposal.record.graph_view;
      const found = await this.similar.titled(access, { title, view, exceptId });
      entry.similar_nodes = found.slice(0, NAMED).map((node) => ({
        id: node.id,
        title: node.title,
        similarity: node.similarity,
        reason: node.reason,
      }));
    }
  }
}

/** The title that an entry gives a node; null where it gives none. */
function newTitle({ entity, change, fields }: DiffEntryDto): string | null {
  if (entity !== 'node' || (change !== 'create' && change !== 'update')) return null;
  const after = fields.find(({ field }) => field === 'title')?.after;
  return typeof after === 'string' ? after : null;
}
