/** What a webhook tells. */
export interface WebhookEvent {
  /** The same on every attempt: remember it, and do nothing the second time. */
  id: string;
  event: string;
  /** When it happened. */
  timestamp: string;
  user_id: string;
  data: unknown;
}

export interface WebhookOptions {
  /** As the subscription gave it (`whsec_…`), or as it was set; several after a rotation. */
  secret: string | readonly string[];
  /** How old a message may be, in seconds, either way. Default 300. */
  tolerance?: number;
  /** Now, in milliseconds; for tests. */
  now?: number;
}

/** A message that is not the service's, or not of now. Answer it with 400, and believe nothing of it. */
export class WebhookRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookRefused';
  }
}

type Headers = { get(name: string): string | null } | Readonly<Record<string, string | string[] | undefined>>;

/**
 * The event of a webhook, if it is one. Both signatures are looked at: the one over id, time and body, because the
 * other does not cover the time, and the other wherever it is sent.
 * @param body the body as it came, not parsed and written again
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
    // After a rotation it is of the newer secret, which a receiver may not have yet: then the other one has said enough.
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
    // verify() compares in constant time; every pair is tried, whatever came before.
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

/** Standard Webhooks: what `whsec_` encodes; any other text is its own UTF-8. */
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
