import { type Chance } from '../properties/random.js';
import { type Answer } from '../support/client.js';
import { type Both } from './twins.js';
import { type Named, type PairedRequest } from './inner-requests.js';

/** Keyed requests, cursors and other things that a caller stores and uses again later. */
export class Recollection {
  /** Requests with an idempotency key. */
  private readonly keyed: Named[] = [];
  /** Texts that are sealed, or drawn by workers, again in each world. */
  private readonly places = new Map<Place, Both<string>[]>();

  constructor(private readonly chance: Chance) {}

  hear(request: Named, answers: Both<Answer>): void {
    const { headers = {}, method } = request;
    if (method === 'POST' && headers['Idempotency-Key'] !== undefined && answers[0].status < 300)
      this.keyed.push(request);
    const [path] = request.path.split('?');
    if (path === '/sync') this.keep('cursor', answers, ({ cursor }) => [cursor]);
    if (path === '/proposals/events') this.keep('event', answers, ({ cursor }) => [cursor]);
    if (path === '/webhooks/deliveries') this.keep('delivery', answers, idsOfDeliveries);
  }

  /** The same request with the same key; null without one. */
  again(): Named | null {
    return this.keyed.length === 0 ? null : this.chance.pick(this.keyed);
  }

  /** A request from an old position, with each world's own text; null without one. */
  from(place: Place): PairedRequest | null {
    const names = this.places.get(place);
    if (names === undefined) return null;
    const pair = this.chance.pick(names);
    const limit = 1 + this.chance.below(5);
    const { name, method, path } = USES[place];
    const at = (side: 0 | 1): string => path(encodeURIComponent(pair[side]), limit);
    return { name, method, path: at(0), paths: [at(0), at(1)] };
  }

  private keep(place: Place, [one, other]: Both<Answer>, names: (body: Body) => unknown[]): void {
    if (one.status >= 300 || other.status >= 300) return;
    const others = names(other.body as Body);
    const pairs = names(one.body as Body).flatMap((name, index) => {
      const there = others[index];
      return typeof name === 'string' && typeof there === 'string' ? [[name, there] as const] : [];
    });
    if (pairs.length > 0) this.places.set(place, [...(this.places.get(place) ?? []), ...pairs].slice(-60));
  }
}

type Body = Record<string, unknown>;
export type Place = 'cursor' | 'event' | 'delivery';

const idsOfDeliveries = ({ deliveries = [] }: Body): unknown[] =>
  (deliveries as { id: string }[]).map(({ id }) => id);

const USES: Record<Place, { name: string; method: string; path: (name: string, limit: number) => string }> = {
  cursor: {
    name: 'GET /api/v1/sync',
    method: 'GET',
    path: (name, limit) =>
      `/sync?cursor=${name}&limit=${limit}${limit % 2 === 0 ? '' : '&include=relationships,tags'}`,
  },
  event: {
    name: 'GET /api/v1/proposals/events',
    method: 'GET',
    path: (name, limit) => `/proposals/events?after=${name}&limit=${limit}`,
  },
  delivery: {
    name: 'POST /api/v1/webhooks/deliveries/{delivery_id}/redeliver',
    method: 'POST',
    path: (name) => `/webhooks/deliveries/${name}/redeliver`,
  },
};
