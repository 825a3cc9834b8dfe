import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { begunAt } from '../../../kernel/http/request-id.middleware.js';
import { endOfTimeBucket } from '../../../kernel/http/answers/time-buckets.js';
import { type Access, CurrentAccess, NO_INCOMING_SHARES, SharedAccesses } from '../../../privacy/index.js';
import { countFilterOf } from '../../nodes/index.js';
import { type Highlight, Highlights, type Marker } from '../application/highlights.service.js';
import { QueryVectors, type QueryVectorState } from '../application/query-vectors.service.js';
import { type Question, SearchService } from '../application/search.service.js';
import { propertyFiltersOf, type WireNode } from '../../common/index.js';
import { unitVector } from '../domain/embedding.js';
import { accessTo, type SearchedGraphs, searchesReceived } from '../infrastructure/searched-graphs.js';
import { type VectorQuestion, VectorSearch } from '../infrastructure/vector-search.queries.js';
import { SearchHitsPresenter } from './search-hits.presenter.js';
import { SearchBody, SearchHitsDto, VectorHitsDto, VectorSearchBody } from './search.dto.js';
import { VECTOR_SEARCHES } from './vector-searches.js';

/** Search for nodes by words and by embeddings. */
@ApiTags('Search')
@Controller('nodes/search')
export class SearchController {
  constructor(
    private readonly vectors: VectorSearch,
    private readonly searching: SearchService,
    private readonly highlights: Highlights,
    private readonly queries: QueryVectors,
    private readonly presenter: SearchHitsPresenter,
    private readonly received: SharedAccesses,
  ) {}

  @Post('vector')
  @Endpoint({
    summary: 'Find nodes by an embedding',
    description:
      'Finds the exact most similar ones of all readable nodes with an embedding of the same length. For apps, nodes whose title, value or metadata a transformation of the profile concerns are left out; below full detail, all are.',
    requires: { callers: 'any' },
    reads: true,
    holdsNoSecret: true,
    lean: { nodes: 'fields' },
    limit: VECTOR_SEARCHES,
    answers: VectorHitsDto,
  })
  async vector(@CurrentAccess() access: Access, @Body() body: VectorSearchBody): Promise<object> {
    const question = vectorQuestionOf(body, body.embedding);
    const own = { own: access, accessTo: () => access };
    return this.presenter.page(own, { limit: body.limit, offset: 0 }, async (room) => {
      const { hits, total } = await this.vectors.search(access, { ...question, ...room });
      return {
        rows: hits.map(({ record, score }) => ({ record, scores: { similarity_score: score } })),
        total,
      };
    });
  }

  @Post()
  @Endpoint({
    summary: 'Find nodes by words, by an embedding, or by both',
    description:
      'Both halves are exact and are fused by their ranks. Own nodes are searched, and those that others share with you. Words are searched in title, value, type, the texts in `metadata.properties` and the names of tags, as the caller is shown them: first come the nodes with most of the different words of the query, then those in which they are most prominent, then the newest. Where the owner has switched it on, a query without `embedding` is also searched by its vector, which the service computes.',
    requires: { callers: 'any' },
    reads: true,
    holdsNoSecret: true,
    lean: { nodes: 'fields' },
    answers: SearchHitsDto,
  })
  async search(
    @CurrentAccess() access: Access,
    @Body() body: SearchBody,
    @Req() request: Request,
  ): Promise<object> {
    const { query: text, limit, offset } = body;
    const graphs = await this.graphsOf(access, body);
    // Nothing of a request that is refused is sent to a service for vectors.
    const { question, state } = await this.withVector(access, questionOf(body), body);
    const search = this.searching.of(graphs, question);
    let marker: Marker | null = null;
    const mark = (shown: WireNode): Promise<Highlight[]> => {
      marker ??= this.highlights.of(search.words?.terms ?? []);
      return marker.mark(shown);
    };
    const page = await this.presenter.page(
      { own: access, accessTo: (record) => accessTo(graphs, record) },
      { limit, offset, mark: body.highlights ? mark : undefined },
      async (room) => {
        const { hits, total } = await search.read(room);
        return {
          rows: hits.map(({ record, score, text, vector }) => ({
            record,
            scores: { score, scores: { text, vector } },
          })),
          total,
        };
      },
    );
    // The index of words also finds hidden nodes, values and tags, before they are judged: their number must not show in the
    // time (ADR 19). So it does with vectors of nodes that a sharer shares with others only.
    const seesAllTexts =
      access.nodes.read.kind === 'all' && access.exposure.detail === 'full' && access.tags.discover.allowAll;
    const isJudged = (text !== undefined && !seesAllTexts) || searchesReceived(graphs);
    if (isJudged) await endOfTimeBucket(begunAt(request));
    return { ...page, offset, corrections: [...search.corrections], vectors: state };
  }

  private async graphsOf(access: Access, body: SearchBody): Promise<SearchedGraphs> {
    const { tag_ids, schema_ids } = body;
    const { filter, receivedFilter } = countFilterOf(access, { tag_ids, schema_ids });
    const common = {
      view: body.graph_view,
      meaningLevel: body.meaning_level,
      nodeTypes: body.node_types,
      createdFrom: body.created_from,
      createdBefore: body.created_before,
      properties:
        body.properties === undefined ? undefined : propertyFiltersOf('properties', body.properties),
    };
    return {
      own: access,
      filter: { ...filter, ...common, ...(body.access === 'shared' && { matchesNothing: true }) },
      received: body.access === 'owned' ? NO_INCOMING_SHARES : await this.received.of(access),
      receivedFilter: { ...receivedFilter, ...common },
    };
  }

  /**
   * The question with the vector of its words, where the caller sends none and the owner of the graph lets the service
   * compute them. Search as you type is by words alone: each letter would be a request.
   */
  private async withVector(
    access: Access,
    question: Question,
    { query, prefix, ...options }: SearchBody,
  ): Promise<{ question: Question; state: QueryVectorState }> {
    if (question.vector !== undefined) return { question, state: 'given' };
    if (query === undefined || prefix) return { question, state: 'off' };
    const { state, unit, model } = await this.queries.of(access, query, options.model ?? undefined);
    if (unit === null || model === null) return { question, state };
    return { question: { ...question, vector: { ...vectorOptionsOf(options), model, unit } }, state };
  }
}

function questionOf(body: SearchBody): Question {
  const { query: text, match, prefix, embedding } = body;
  if (text === undefined && embedding === undefined)
    throw DomainError.validation('query', 'is required without `embedding`');
  return {
    words: text === undefined ? undefined : { text, match, prefix },
    vector: embedding === undefined ? undefined : vectorQuestionOf(body, embedding),
  };
}

type VectorOptions = Pick<SearchBody, 'model' | 'graph_view' | 'min_score'>;

const vectorQuestionOf = (options: VectorOptions, embedding: readonly number[]): VectorQuestion => ({
  ...vectorOptionsOf(options),
  unit: unitVector(embedding),
});

const vectorOptionsOf = ({ model, graph_view: view, min_score: minScore }: VectorOptions) => ({
  model: model ?? undefined,
  view,
  minScore,
});
