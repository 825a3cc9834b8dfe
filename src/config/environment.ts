import { isIP } from 'node:net';
import { QUOTAS, type QuotaLimits, quotasFrom } from './quotas.js';

/** A configuration value that the service cannot start with. The message is one line for the operator. */
export class ConfigurationError extends Error {}

const PROXY_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** Reads values by name: each is valid, absent, or a {@link ConfigurationError}. */
export class Environment {
  constructor(private readonly values: Record<string, string | undefined>) {}

  /** Null: absent or empty, which are equivalent. */
  text(name: string): string | null {
    const value = this.values[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  integer(name: string, fallback: number, [min, max]: readonly [number, number]): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    return number >= min && number <= max ? number : fail(name, `an integer from ${min} to ${max}`);
  }

  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const value = this.text(name);
    if (value === null) return fallback;
    return values.includes(value as T) ? (value as T) : fail(name, `one of ${values.join(', ')}`);
  }

  someOf<T extends string>(name: string, values: readonly T[]): readonly T[] {
    const list = this.list(name);
    const isOne = (item: string): item is T => values.includes(item as T);
    return list.every(isOne) ? list : fail(name, `some of ${values.join(', ')}, separated by commas`);
  }

  url(name: string, protocols: string[]): string | null {
    const value = this.text(name);
    if (value === null) return null;
    const expected = `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
    if (!URL.canParse(value))
      return value === 'memory://' && protocols.includes('memory:') ? value : fail(name, expected);
    return protocols.includes(new URL(value).protocol) ? value : fail(name, expected);
  }

  /** An http address of a host, without a path: OAuth's clients look for metadata at the host itself (RFC 8414, 3). */
  origin(name: string): string | null {
    const value = this.url(name, ['http:', 'https:']);
    if (value === null || /^https?:\/\/[^/?#@]+\/*$/i.test(value)) return value;
    return fail(name, 'an address without a path, such as https://graph.example.org');
  }

  key(name: string, bytes: number): Buffer | null {
    const value = this.text(name);
    if (value === null) return null;
    const key = Buffer.from(value, 'base64');
    return key.length === bytes ? key : fail(name, `${bytes} bytes in base64`);
  }

  proxies(name: string): number | string[] | false {
    const list = this.list(name);
    const [first] = list;
    if (first === undefined) return false;
    if (list.length === 1 && /^[1-9]\d?$/.test(first)) return Number(first);
    return list.every(isProxy) ? list : fail(name, 'a number of hops, or addresses and networks of proxies');
  }

  seconds(name: string, fallback: readonly number[]): readonly number[] {
    const list = this.list(name);
    if (list.length === 0) return fallback;
    const isWait = (wait: string): boolean => /^\d{1,7}(\.\d{1,3})?$/.test(wait);
    return list.every(isWait) ? list.map(Number) : fail(name, 'numbers of seconds, separated by commas');
  }

  /** Limits that differ from the default ones. */
  quotas(name: string, fallback: QuotaLimits): QuotaLimits {
    const expected = `limits such as nodes=5000, file_bytes=10GiB or tags=none, separated by commas; of ${QUOTAS.join(', ')}`;
    return quotasFrom(this.list(name), fallback) ?? fail(name, expected);
  }

  list(name: string): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }
}

function fail(name: string, expected: string): never {
  throw new ConfigurationError(`${name} must be ${expected}`);
}

/** An address, a network such as 10.0.0.0/8, or one of Express's names for networks. */
function isProxy(text: string): boolean {
  if (PROXY_NETWORKS.includes(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
