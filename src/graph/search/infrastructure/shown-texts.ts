import { sizeOf as jsonSizeOf } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { isObject } from '../../../kernel/json/json-values.js';
import { type WireNode } from '../../common/index.js';
import { type MaskedNodeSearch, type ShownSource } from '../../nodes/index.js';
import { searchedNodes } from './search-filter.js';
import { passesProperties } from '../../lists/index.js';
import {
  accessTo,
  judgedAsStored,
  receivedNodes,
  type SearchedGraphs,
  searchesOwn,
  searchesReceived,
} from './searched-graphs.js';
import { type FoundTags } from './tag-words.queries.js';
import { searchedWords } from './word-rows.js';

/** The texts of a node as the caller is shown them. */
export interface ShownText {
  owner_id: string;
  id: string;
  title: string;
  value: string;
  node_type: string;
  properties: unknown;
  tag_ids: readonly string[];
  made: string | null;
}

/** The most nodes whose shown texts one statement judges. */
const BATCH = 200;
/**
 * The most characters of such a statement, or one node: it ends within the slice of a read on the embedded
 * database (ADR 42).
 */
const BATCH_CHARACTERS = 100_000;

/** The texts of all searched nodes, for callers who are shown other texts than the stored ones (rule 3.16). */
export async function* shownTexts(
  asShown: MaskedNodeSearch,
  graphs: SearchedGraphs,
): AsyncGenerator<ShownText[]> {
  let batch: ShownText[] = [];
  let room = BATCH_CHARACTERS;
  const { properties } = graphs.filter;
  for (const source of sourcesOf(judgedAsStored(graphs))) {
    for await (const { access, record, shown } of asShown.readable(source)) {
      if (properties !== undefined && !passesProperties(shown['metadata'], properties)) continue;
      const text = textsOf(shown);
      const size = charactersOf(text);
      if (batch.length > 0 && (size > room || batch.length === BATCH)) {
        yield batch;
        [batch, room] = [[], BATCH_CHARACTERS];
      }
      const { owner_id, id, tag_ids, created_at } = record;
      const made = access.exposure.touches('created_at') ? null : created_at.toISOString();
      batch.push({ owner_id, id, ...text, tag_ids, made });
      room -= size;
    }
  }
  if (batch.length > 0) yield batch;
}

export const sizeOf = (texts: readonly ShownText[]): number =>
  texts.reduce((sum, text) => sum + charactersOf(text), 0);

/** The words of shown texts, as rows of `owner_id`, `id`, `tag_ids`, `words` and `made`. */
export function wordsOfShown({ own }: SearchedGraphs, texts: readonly ShownText[], tags?: FoundTags): Sql {
  const words = searchedWords(
    own.exposure,
    sql`text_words(title, value, node_type, properties)`,
    sql`owner_id`,
  );
  return sql`SELECT owner_id, id, tag_ids, ${tags?.addedTo(words, sql`owner_id`, sql`tag_ids`) ?? words} AS words, made
    FROM jsonb_to_recordset(${JSON.stringify(texts)}::jsonb)
      AS given (owner_id uuid, id uuid, title text, value text, node_type text, properties jsonb, tag_ids uuid[], made text)`;
}

/** The own nodes, then the received ones. */
function sourcesOf(graphs: SearchedGraphs): ShownSource[] {
  const { own, filter, received } = graphs;
  return [
    ...(searchesOwn(graphs) ? [{ condition: searchedNodes(own, filter), accessTo: () => own }] : []),
    ...(searchesReceived(graphs)
      ? [
          {
            condition: receivedNodes(graphs, received),
            accessTo: (record: { owner_id: string }) => accessTo(graphs, record),
          },
        ]
      : []),
  ];
}

type Texts = Pick<ShownText, 'title' | 'value' | 'node_type' | 'properties'>;

const textsOf = ({ title, value, node_type, metadata }: WireNode): Texts => ({
  title: textOf(title),
  value: textOf(value),
  node_type: textOf(node_type),
  properties: isObject(metadata) ? (metadata['properties'] ?? null) : null,
});

const charactersOf = ({ title, value, properties }: Texts): number =>
  title.length + value.length + (properties === null ? 0 : jsonSizeOf(properties));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
