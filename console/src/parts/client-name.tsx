import { type JSX } from 'preact';
import { type ClientInfo } from '../oauth.js';

/** The address that stands for an app's identity, or that nobody vouches for it. */
export function Identity({ client }: { client: ClientInfo }): JSX.Element {
  if (client.verified && client.host !== null) return <span class="host">{client.host}</span>;
  if (client.kind === 'registered') return <span class="badge">registered here</span>;
  return <span class="badge warn">not verified</span>;
}
