import { type McpHttpHandler } from '@modelcontextprotocol/server';
import { type ChangedNodes } from '../domain/api.js';
import { nodeUri, PROFILE_URI } from './resources.js';

/** The announcements that a client can listen to. */
export type Announcer = Pick<
  McpHttpHandler['notify'],
  'resourceUpdated' | 'resourcesChanged' | 'toolsChanged'
>;

/**
 * Announces the changes that a client is shown, until its access ends or changes: the API decides again about each change
 * (rule 15.7).
 * @param changes those of the API from before the client's subscription was acknowledged
 */
export async function passChanges(changes: AsyncIterable<ChangedNodes>, announcer: Announcer): Promise<void> {
  for await (const { nodeIds, isListChanged } of changes) {
    for (const id of nodeIds) announcer.resourceUpdated(nodeUri(id));
    if (isListChanged) announcer.resourcesChanged();
  }
  // The access has ended or changed, or the process stops: what the client knows of it may be old.
  announcer.toolsChanged();
  announcer.resourceUpdated(PROFILE_URI);
}
