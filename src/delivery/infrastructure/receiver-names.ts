import { type LookupAddress, promises as dns } from 'node:dns';

const TIMEOUT_MS = 1_500;
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
  private readonly resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 1 });

  /** @param servers others than the system's */
  constructor(servers?: string[]) {
    if (servers) this.resolver.setServers(servers);
  }

  /** All of them, of either family. @throws when there is none */
  async addressesOf(name: string): Promise<LookupAddress[]> {
    if (LOCALHOST.test(name)) return LOOPBACK;
    const [four, six] = await Promise.allSettled([
      this.resolver.resolve4(name),
      this.resolver.resolve6(name),
    ]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [...addressesIn(four, 4), ...addressesIn(six, 6)];
  }
}

const addressesIn = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
