import { type LookupAddress, promises as dns } from 'node:dns';

/** The second try waits twice as long. */
const PATIENCE = { timeout: 1_000, tries: 2 };
/** Name servers that answer for one family and are silent about the other do not use up the receiver's time. */
const OTHER_FAMILY_MS = 500;
/** That nobody answers can be because there are other name servers by now than when a resolver was made. */
const NOBODY_ANSWERS = new Set(['ECONNREFUSED', 'ETIMEOUT']);
const LOCALHOST = /(^|\.)localhost\.?$/i;
const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * What names of receivers stand for. Asks the name servers itself: the system's own look-up holds one of few threads of
 * the whole process for as long as a name server is silent, so one receiver's would keep everybody waiting (decisions
 * 9.5). The hosts file is not read; what it says of `localhost` is known (RFC 6761, 6.3).
 */
export class ReceiverNames {
  private resolver: dns.Resolver;

  /** @param servers others than the system's */
  constructor(private readonly servers?: string[]) {
    this.resolver = this.newResolver();
  }

  /** All of them, of either family, as far as they are found in time. @throws when there is none */
  async addressesOf(name: string): Promise<LookupAddress[]> {
    if (LOCALHOST.test(name)) return LOOPBACK;
    const { resolver } = this;
    const found: LookupAddress[][] = [];
    const asked = [resolver.resolve4(name), resolver.resolve6(name)].map(async (answer, place) => {
      const family = place === 0 ? 4 : 6;
      found[place] = (await answer).map((address) => ({ address, family }));
    });
    try {
      await Promise.any(asked);
    } catch (error) {
      const codes = (error as AggregateError).errors.map(({ code }: NodeJS.ErrnoException) => code);
      if (resolver === this.resolver && codes.some((code) => NOBODY_ANSWERS.has(String(code))))
        this.resolver = this.newResolver();
      throw (error as AggregateError).errors[0];
    }
    await atMost(OTHER_FAMILY_MS, Promise.allSettled(asked));
    return found.flat();
  }

  private newResolver(): dns.Resolver {
    const resolver = new dns.Resolver(PATIENCE);
    if (this.servers) resolver.setServers(this.servers);
    return resolver;
  }
}

function atMost(ms: number, work: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise((done) => (timer = setTimeout(done, ms)));
  return Promise.race([work, end]).finally(() => clearTimeout(timer));
}
