/** A verified event. */
export interface WebhookEvent {
  /** The same on every attempt: store it, and ignore the event the second time. */
  id: string;
  event: string;
  /** The time of the change. */
  timestamp: string;
  user_id: string;
  data: unknown;
}

export interface WebhookOptions {
  /** The secret that the subscription returned (`whsec_…`), or the one that was set; several after a rotation. */
  secret: string | readonly string[];
  /** The largest age of a message in seconds, in either direction. Default 300. */
  tolerance?: number;
  /** The present time in milliseconds; for tests. */
  now?: number;
}

/** A message that is not from the service, or too old. Answer it with 400, and do not use it. */
export class WebhookRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookRefused';
  }
}

type Headers = { get(name: string): string | null } | Readonly<Record<string, string | string[] | undefined>>;

/**
 * The event of a webhook, if its signatures are valid. The one over id, time and body is required, because the other
 * does not cover the time; the other is checked if it is sent.
 * @param body the body as received, not parsed and serialized again
 * @throws WebhookRefused
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers,
  { secret, tolerance = 300, now = Date.now() }: WebhookOptions,
): Promise<WebhookEvent> {
  const header = readerOf(headers);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header);
  if (!id || !timestamp || !signatures) throw new WebhookRefused('a header of the signature is missing');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > tolerance)
    throw new WebhookRefused('the message is too old, or of the future');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const given = signatures
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => fromBase64(part.slice(3)));
  if (!(await anyMatches(secrets, keyOf, signed, given))) throw new WebhookRefused('the signature is wrong');
  const plain = header('x-service-signature');
  if (plain !== null) {
    const one = /^sha256=([0-9a-f]{64})$/.exec(plain)?.[1];
    const isRight = one !== undefined && (await anyMatches(secrets, textOf, bytes, [fromHex(one)]));
    // After a rotation it uses the newer secret, which a receiver may not have yet: the other signature is enough then.
    if (!isRight && given.length < 2) throw new WebhookRefused('the signature of the body is wrong');
  }
  return { ...(JSON.parse(new TextDecoder().decode(bytes)) as Omit<WebhookEvent, 'id'>), id };
}

function readerOf(headers: Headers): (name: string) => string | null {
  if (isReadable(headers)) return (name) => headers.get(name);
  const plain = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = plain.get(name);
    return typeof value === 'string' ? value : null;
  };
}

const isReadable = (headers: Headers): headers is { get(name: string): string | null } =>
  'get' in headers && typeof headers['get'] === 'function';

type Bytes = Uint8Array<ArrayBuffer>;

async function anyMatches(
  secrets: readonly string[],
  key: (secret: string) => Bytes,
  message: Uint8Array,
  given: readonly (Bytes | null)[],
): Promise<boolean> {
  let matches = false;
  for (const secret of secrets) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const imported = await crypto.subtle.importKey('raw', key(secret), algorithm, false, ['verify']);
    // verify() compares in constant time; every pair is tried, also after a match.
    for (const signature of given)
      if (
        signature !== null &&
        (await crypto.subtle.verify('HMAC', imported, signature, new Uint8Array(message)))
      )
        matches = true;
  }
  return matches;
}

const textOf = (secret: string): Bytes => new Uint8Array(new TextEncoder().encode(secret));

/** Standard Webhooks: the decoded part after `whsec_`; any other text is its own UTF-8. */
function keyOf(secret: string): Bytes {
  const decoded = secret.startsWith('whsec_') ? fromBase64(secret.slice(6)) : textOf(secret);
  if (decoded === null || decoded.length === 0) throw new TypeError('the secret is none');
  return decoded;
}

function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

const fromHex = (text: string): Bytes =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
