import { Injectable } from '@nestjs/common';
import { rest } from '../../../kernel/slices.js';
import { type Access } from '../../../privacy/index.js';
import { type GraphView, prepareShown, shownOf } from '../../common/index.js';
import { type Node } from '../../nodes/index.js';
import { NEARLY_SAME, titleForms, titleLikeness } from '../domain/title-likeness.js';
import { RANKED, SearchTerms } from '../infrastructure/search-terms.queries.js';
import { MOST_NEAR, SimilarTitlesQueries } from '../infrastructure/similar-titles.queries.js';
import { TitleWords } from '../infrastructure/title-words.js';
import { VectorSearch } from '../infrastructure/vector-search.queries.js';

/** The reasons why a node is similar, the strongest first. */
export const SIMILAR_REASONS = ['same_title', 'similar_title', 'similar_meaning'] as const;
type SimilarReason = (typeof SIMILAR_REASONS)[number];

export interface SimilarNode {
  id: string;
  reason: SimilarReason;
  /** From 0 to 1: the likeness of the titles, or the cosine of the vectors. */
  similarity: number;
}

export interface SimilarTitle extends SimilarNode {
  title: string;
}

/** A title for which others are sought. */
interface SoughtTitle {
  title: string;
  view: GraphView;
  exceptId: string | null;
}

/** The least cosine of vectors of similar meaning. */
const SAME_MEANING = 0.9;
/** The most nodes that an answer has. */
export const MOST_SIMILAR = 20;
/** The most nodes of similar meaning for one vector: one more than an answer has, besides those with near titles. */
const MOST_BY_MEANING = MOST_NEAR + MOST_SIMILAR + 1;

/**
 * Finds nodes that may be the same thing (rule 4.20), among those that the caller can read and by what they are shown: by
 * titles, and by vectors where these may be compared.
 */
@Injectable()
export class SimilarNodes {
  constructor(
    private readonly terms: SearchTerms,
    private readonly titles: SimilarTitlesQueries,
    private readonly vectors: VectorSearch,
  ) {}

  /** The nodes that are similar to a node that the caller can read, most similar first, each by its strongest reason. */
  async to(access: Access, { record }: Node): Promise<SimilarNode[]> {
    await prepareShown([record], () => access);
    const { title } = shownOf(access, record);
    const { id: exceptId, graph_view: view } = record;
    const similar = new Map<string, SimilarNode>();
    if (typeof title === 'string')
      for (const one of await this.titled(access, { title, view, exceptId })) similar.set(one.id, one);
    for (const one of await this.byMeaning(access, record.id, view))
      if (!similar.has(one.id)) similar.set(one.id, one);
    return [...similar.values()].sort(mostSimilar);
  }

  /** The nodes with the same or nearly the same title, most similar first. */
  async titled(access: Access, { title, view, exceptId }: SoughtTitle): Promise<SimilarTitle[]> {
    // At detail minimal no title is shown, and none is compared (rule 3.14).
    if (access.exposure.detail === 'minimal') return [];
    const sought = await this.terms.of({ text: title, match: 'any', prefix: false });
    if (sought === null) return [];
    const words = new TitleWords(sought.terms.slice(0, RANKED));
    const near = await this.titles.near(access, { words, view, exceptId });
    const forms = titleForms(title);
    const similar: SimilarTitle[] = [];
    for (const one of near) {
      await rest();
      const likeness = titleLikeness(forms, titleForms(one.title));
      if (likeness < NEARLY_SAME) continue;
      const reason = likeness === 1 ? 'same_title' : 'similar_title';
      similar.push({ ...one, reason, similarity: rounded(likeness) });
    }
    return similar.sort(mostSimilar);
  }

  private async byMeaning(access: Access, nodeId: string, view: GraphView): Promise<SimilarNode[]> {
    const scores = new Map<string, number>();
    for (const { model, unit } of await this.vectors.vectorsOf(access, nodeId)) {
      const question = {
        unit,
        model,
        view,
        minScore: SAME_MEANING,
        exceptId: nodeId,
        limit: MOST_BY_MEANING,
      };
      for (const { id, score } of await this.vectors.nearest(access, question))
        scores.set(id, Math.max(score, scores.get(id) ?? 0));
    }
    return Array.from(scores, ([id, score]) => ({
      id,
      reason: 'similar_meaning',
      similarity: rounded(Math.min(score, 1)),
    }));
  }
}

const rounded = (likeness: number): number => Math.round(likeness * 1_000) / 1_000;

const mostSimilar = (a: SimilarNode, b: SimilarNode): number =>
  SIMILAR_REASONS.indexOf(a.reason) - SIMILAR_REASONS.indexOf(b.reason) ||
  b.similarity - a.similarity ||
  (a.id < b.id ? -1 : 1);
