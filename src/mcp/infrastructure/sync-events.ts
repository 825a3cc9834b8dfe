import { parseJson } from '../../kernel/json/json-text.js';
import { type ChangedNodes } from '../domain/api.js';

interface SyncPage {
  changes: { node_id?: string; action: string }[];
}

/** The changed nodes of each page of a stream of server-sent events (docs/sync.md, `ids_only`). */
export async function* changedNodes(lines: AsyncIterable<string>): AsyncIterable<ChangedNodes> {
  for await (const line of lines) {
    if (!line.startsWith('data: ')) continue;
    const { changes } = parseJson(line.slice('data: '.length)) as SyncPage;
    const nodeIds = changes.flatMap(({ node_id: id }) => (id === undefined ? [] : [id]));
    yield { nodeIds, isListChanged: changes.some(({ action }) => action !== 'update') };
  }
}
