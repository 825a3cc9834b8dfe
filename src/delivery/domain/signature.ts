import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** Standard Webhooks, "Signature scheme": 24 to 64 bytes. */
const [LEAST_BYTES, MOST_BYTES] = [24, 64];
/** The least length of a text secret: it signs with its bytes, and fewer could be guessed from one signed delivery. */
const LEAST_TEXT_BYTES = 16;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** True for a valid secret: one in the form of Standard Webhooks, or any other of at least 16 bytes (rule 9.1b). */
export function isSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return Buffer.byteLength(text) >= LEAST_TEXT_BYTES;
  const encoded = text.slice(PREFIX.length);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return false;
  const { length } = Buffer.from(encoded, 'base64');
  return length >= LEAST_BYTES && length <= MOST_BYTES;
}

/**
 * The bytes that a secret signs with in Standard Webhooks: the decoded part after `whsec_`, else its UTF-8 (rule 9.1).
 */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');

export interface Signing {
  /** The id of the delivery, the same on every attempt. */
  id: string;
  event: string;
  at: Date;
  body: string;
  /** The newest first; during a rotation also the previous one. */
  secrets: readonly [string, ...string[]];
}

/**
 * The headers of an attempt: those of the specification, and those of Standard Webhooks, whose signature covers id and
 * time (rule 9.3). The specification has one signature, which uses the newest secret as text.
 */
export function signedHeaders({ id, event, at, body, secrets }: Signing): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const standard = secrets.map(
    (secret) =>
      `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'Content-Type': 'application/json',
    'X-Service-Signature': `sha256=${createHmac('sha256', secrets[0]).update(body).digest('hex')}`,
    'X-Service-Event': event,
    'X-Service-Timestamp': timestamp,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}
