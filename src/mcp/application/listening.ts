import { type McpHttpHandler } from '@modelcontextprotocol/server';
import { type ChangedNodes } from '../domain/api.js';
import { nodeUri, PROFILE_URI } from './resources.js';

/**
 * Passes the changes that a client is shown to its stream of `subscriptions/listen`, and ends it with the client's access:
 * the API decides again about each change (rule 15.7).
 * @param changes those of the API from before the stream was acknowledged
 * @param listener the handler that serves this stream alone
 */
export async function passChanges(
  changes: AsyncIterable<ChangedNodes>,
  listener: McpHttpHandler,
): Promise<void> {
  const { notify } = listener;
  try {
    for await (const { nodeIds, isListChanged } of changes) {
      for (const id of nodeIds) notify.resourceUpdated(nodeUri(id));
      if (isListChanged) notify.resourcesChanged();
    }
    // The access has ended or changed, or the process stops: what the client knows of it may be old.
    notify.toolsChanged();
    notify.resourceUpdated(PROFILE_URI);
  } finally {
    await listener.close();
  }
}
