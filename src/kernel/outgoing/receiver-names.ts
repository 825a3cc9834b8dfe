import { type LookupAddress, promises as dns } from 'node:dns';

/** The timeout of the first try; the second waits twice as long. */
const RESOLVER_OPTIONS = { timeout: 1_000, tries: 2 };
/**
 * Limits the wait for the second address family: a name server that is silent about it must not use up the receiver's
 * time.
 */
const OTHER_FAMILY_MS = 500;
/** Errors after which the resolver is renewed: the system may have other name servers by now. */
const NO_ANSWER = new Set(['ECONNREFUSED', 'ETIMEOUT']);
const LOCALHOST = /(^|\.)localhost\.?$/i;
const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Resolves names of receivers. It asks the name servers itself: the system's look-up holds one of few threads of the
 * process while a name server is silent, so one receiver could block everybody (rule 9.5). The hosts file is not read;
 * `localhost` is known (RFC 6761, 6.3).
 */
export class ReceiverNames {
  private resolver: dns.Resolver;

  /** @param servers used instead of the system's */
  constructor(private readonly servers?: string[]) {
    this.resolver = this.newResolver();
  }

  /** All addresses of both families, as far as they are found in time. @throws without any */
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
      if (resolver === this.resolver && codes.some((code) => NO_ANSWER.has(String(code))))
        this.resolver = this.newResolver();
      throw (error as AggregateError).errors[0];
    }
    await atMost(OTHER_FAMILY_MS, Promise.allSettled(asked));
    return found.flat();
  }

  private newResolver(): dns.Resolver {
    const resolver = new dns.Resolver(RESOLVER_OPTIONS);
    if (this.servers) resolver.setServers(this.servers);
    return resolver;
  }
}

function atMost(ms: number, work: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise((done) => (timer = setTimeout(done, ms)));
  return Promise.race([work, end]).finally(() => clearTimeout(timer));
}
