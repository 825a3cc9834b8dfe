import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { presentAgainWith, rememberSource } from '../../kernel/http/idempotency.js';
import { type Access, accessOf, sees } from '../../privacy/index.js';
import { type NodeRecord } from '../domain/node-record.js';
import { factsOf, type WireNode } from '../domain/node-view.js';
import { comparesVectors } from '../infrastructure/embedding-filter.js';
import { NodePresenter } from './node.presenter.js';

/** What a search says of a hit beside the node itself. */
type Scores =
  { similarity_score: number } | { score: number; scores: { text: object | null; vector: object | null } };

interface HitSource {
  record: NodeRecord;
  scores: Scores;
}

/** Found nodes as the caller is shown them, with tags, and their scores. */
@Injectable()
export class SearchHitsPresenter implements OnModuleInit {
  constructor(private readonly nodes: NodePresenter) {}

  onModuleInit(): void {
    presentAgainWith('search hit', (request, source: HitSource) =>
      this.presentAgain(accessOf(request as Request), source),
    );
  }

  present(access: Access, record: NodeRecord, scores: Scores): WireNode {
    const shown = this.nodes.presentListed(access, record, { includeTags: true });
    return rememberSource({ ...shown, ...scores }, { record, scores }, 'search hit');
  }

  /** A repeated request gets its hits as far as they would be found today (decisions 11). */
  private presentAgain(access: Access, { record, scores }: HitSource): WireNode | null {
    const isByVector = 'similarity_score' in scores || scores.scores.vector !== null;
    if (isByVector && !comparesVectors(access)) return null;
    return sees(access.nodes.read, factsOf(record)) ? this.present(access, record, scores) : null;
  }
}
