import { type LookupAddress, promises as dns } from 'node:dns';

/** The second try waits twice as long. */
const PATIENCE = { timeout: 1_000, tries: 2 };
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

  /** All of them, of either family. @throws when there is none */
  async addressesOf(name: string): Promise<LookupAddress[]> {
    if (LOCALHOST.test(name)) return LOOPBACK;
    const { resolver } = this;
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (four.status === 'rejected' && six.status === 'rejected') {
      // It has read which name servers there are when it was made; they may be others by now.
      if (resolver === this.resolver) this.resolver = this.newResolver();
      throw four.reason;
    }
    return [...addressesIn(four, 4), ...addressesIn(six, 6)];
  }

  private newResolver(): dns.Resolver {
    const resolver = new dns.Resolver(PATIENCE);
    if (this.servers) resolver.setServers(this.servers);
    return resolver;
  }
}

const addressesIn = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
