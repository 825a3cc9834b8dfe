import { type OAuthWorld } from '../support/oauth.js';

/**
 * A fetch for programs that know the service by PUBLIC_URL alone: it stands for the proxy before the service, and changes
 * nothing but the port.
 */
export function publicFetch({ origin, world }: OAuthWorld): typeof fetch {
  return (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!address.startsWith(`${origin}/`)) throw new Error(`no address of the service: ${address}`);
    return fetch(world.origin + address.slice(origin.length), init);
  };
}
