import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { isSecret, newSecret, signedHeaders } from './signature.js';

const BODY = JSON.stringify({ event: 'node.created', data: { title: 'Zürich ☂' } });
const at = new Date();
const sign = (...secrets: [string, ...string[]]) =>
  signedHeaders({ id: 'msg_1', event: 'node.created', at, body: BODY, secrets });

describe('Standard Webhooks', () => {
  it('signatures of deliveries are verified by the Standard Webhooks library', () => {
    const secret = newSecret();
    expect(new Webhook(secret).verify(BODY, sign(secret))).toEqual(JSON.parse(BODY));
  });

  it('signatures of deliveries cover both secrets while one replaces the other', () => {
    const [newer, older] = [newSecret(), newSecret()];
    const headers = sign(newer, older);
    for (const secret of [newer, older])
      expect(() => new Webhook(secret).verify(BODY, headers)).not.toThrow();
    expect(() => new Webhook(newSecret()).verify(BODY, headers)).toThrow();
    expect(headers['X-Service-Signature']).toBe(sign(newer)['X-Service-Signature']);
  });

  it('signatures of deliveries use the UTF-8 bytes of a caller’s own secret', () => {
    const headers = sign('a secret of ours');
    const hmac = createHmac('sha256', 'a secret of ours').update(BODY).digest('hex');
    expect(headers['X-Service-Signature']).toBe(`sha256=${hmac}`);
    expect(headers['X-Service-Timestamp']).toBe(String(Math.floor(at.getTime() / 1000)));
    expect(() => new Webhook('a secret of ours', { format: 'raw' }).verify(BODY, headers)).not.toThrow();
  });

  it('signatures of deliveries need a valid secret', () => {
    expect(isSecret(newSecret())).toBe(true);
    expect(isSecret('a secret of ours')).toBe(true);
    expect(isSecret('fifteen bytes !')).toBe(false);
    expect(isSecret('äöüäöüäö')).toBe(true);
    expect(isSecret('whsec_not base64')).toBe(false);
    expect(isSecret('whsec_c2hvcnQ=')).toBe(false);
  });
});
