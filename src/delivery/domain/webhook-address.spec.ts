import { describe, expect, it } from '@jest/globals';
import { isCallable, webhookUrl } from './webhook-address.js';

const STRICT = { loopback: false };
const DEVELOPMENT = { loopback: true };

describe('webhookUrl and isCallable (rule 9.6)', () => {
  it.each([
    'https://hooks.example.org/in?x=1',
    'https://example.org:8443/',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1::1]/',
  ])('the address of a webhook receiver may be the public %s', (text) =>
    expect(webhookUrl(text, STRICT)).not.toBeNull(),
  );

  it.each([
    '',
    'no url',
    'http://example.org/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'https://user:secret@example.org/',
    'https://example.org/#x',
    `https://example.org/${'x'.repeat(3_000)}`,
    'https://localhost/',
    'https://a.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://metadata.google.internal./',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://168.63.129.16/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[2002:7f00:1::]/',
    'https://[::127.0.0.1]/',
    'https://[::a9fe:a9fe]/',
    'https://[4000::1]/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://[ff02::1]/',
  ])('the address of a webhook receiver may not be %s', (text) =>
    expect(webhookUrl(text, STRICT)).toBeNull(),
  );

  it('the address of a webhook receiver may be plain http on this machine in development, and no other private address', () => {
    expect(webhookUrl('http://127.0.0.1:4000/in', DEVELOPMENT)).not.toBeNull();
    expect(webhookUrl('http://localhost:4000/in', DEVELOPMENT)).not.toBeNull();
    expect(webhookUrl('http://[::1]:4000/in', DEVELOPMENT)).not.toBeNull();
    expect(webhookUrl('http://10.0.0.1/', DEVELOPMENT)).toBeNull();
    expect(webhookUrl('http://169.254.169.254/', DEVELOPMENT)).toBeNull();
  });

  it('the address of a webhook receiver is checked again once its name is resolved', () => {
    expect(isCallable('93.184.216.34', STRICT)).toBe(true);
    expect(isCallable('127.0.0.1', STRICT)).toBe(false);
    expect(isCallable('127.0.0.1', DEVELOPMENT)).toBe(true);
    expect(isCallable('fe80::1%eth0', STRICT)).toBe(false);
    expect(isCallable('nonsense', STRICT)).toBe(false);
  });
});
