import { describe, expect, it } from '@jest/globals';
import { callableUrl, isCallable } from './public-addresses.js';

const STRICT = { loopback: false };
const DEVELOPMENT = { loopback: true };

describe('callableUrl and isCallable (rule 9.6)', () => {
  it.each([
    'https://hooks.example.org/in?x=1',
    'https://example.org:8443/',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1::1]/',
  ])('the address of a webhook receiver may be the public %s', (text) =>
    expect(callableUrl(text, STRICT)).not.toBeNull(),
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
    expect(callableUrl(text, STRICT)).toBeNull(),
  );

  it('the address of a webhook receiver may be plain http on this machine in development, and no other private address', () => {
    expect(callableUrl('http://127.0.0.1:4000/in', DEVELOPMENT)).not.toBeNull();
    expect(callableUrl('http://localhost:4000/in', DEVELOPMENT)).not.toBeNull();
    expect(callableUrl('http://[::1]:4000/in', DEVELOPMENT)).not.toBeNull();
    expect(callableUrl('http://10.0.0.1/', DEVELOPMENT)).toBeNull();
    expect(callableUrl('http://169.254.169.254/', DEVELOPMENT)).toBeNull();
  });

  it("an operator's own address may be in a private network, and never one of a cloud's secrets", () => {
    const own = { loopback: true, privateNetworks: true };
    for (const host of ['127.0.0.1', '10.0.0.1', '192.168.1.1', '[fd12::1]', 'models', 'models.internal'])
      expect([host, callableUrl(`http://${host}:8080/v1`, own) !== null]).toEqual([host, true]);
    for (const host of [
      '169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      '[fd00:ec2::254]',
      'metadata',
      '0.0.0.0',
    ])
      expect([host, callableUrl(`http://${host}/v1`, own)]).toEqual([host, null]);
    expect(isCallable('10.0.0.1', own)).toBe(true);
    expect(isCallable('169.254.169.254', own)).toBe(false);
  });

  it('the address of a webhook receiver is checked again once its name is resolved', () => {
    expect(isCallable('93.184.216.34', STRICT)).toBe(true);
    expect(isCallable('127.0.0.1', STRICT)).toBe(false);
    expect(isCallable('127.0.0.1', DEVELOPMENT)).toBe(true);
    expect(isCallable('fe80::1%eth0', STRICT)).toBe(false);
    expect(isCallable('nonsense', STRICT)).toBe(false);
  });
});
