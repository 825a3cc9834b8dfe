import { type McpHttpHandler } from '@modelcontextprotocol/server';
import { type ChangedNodes } from '../domain/api.js';
import { nodeUri, PROFILE_URI } from './resources.js';

/** The announcements that a client can listen to. */
export type Announcer = Pick<
  McpHttpHandler['notify'],
  'resourceUpdated' | 'resourcesChanged' | 'toolsChanged'
>;

/** The announcements that are made before their client must have taken them: a page has up to a thousand changes. */
const AT_ONCE = 50;

/**
 * Announces the changes that a client is shown, until its access ends or changes: the API decides again about each change
 * (rule 15.7).
 * @param changes those of the API from before the client's subscription was acknowledged
 * @param taken waits until the client has taken what was announced, so that a slow one holds back the changes themselves
 */
export async function passChanges(
  changes: AsyncIterable<ChangedNodes>,
  announcer: Announcer,
  taken: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for await (const { nodeIds, isListChanged } of changes) {
    for (const [place, id] of nodeIds.entries()) {
      announcer.resourceUpdated(nodeUri(id));
      if ((place + 1) % AT_ONCE === 0) await taken();
    }
    if (isListChanged) announcer.resourcesChanged();
    await taken();
  }
  // The access has ended or changed, or the process stops: what the client knows of it may be old.
  announcer.toolsChanged();
  announcer.resourceUpdated(PROFILE_URI);
}
