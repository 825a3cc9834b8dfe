import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../../config/config.js';
import { SigningKeys } from './signing-keys.js';

const pem = (namedCurve: string): string =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('SigningKeys', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = join(await mkdtemp(join(tmpdir(), 'signing-')), 'data');
  });
  afterEach(() => rm(join(dataDir, '..'), { recursive: true }));
  const load = (jwtPrivateKey: string | null = null) => SigningKeys.load({ dataDir, jwtPrivateKey });

  it('the key that signs access tokens is made once, for the owner of the directory only, and found again', async () => {
    const first = await load();
    const second = await load();
    expect(second.publicJwk).toEqual(first.publicJwk);
    expect(first.publicJwk).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: expect.any(String),
      y: expect.any(String),
      kid: expect.any(String),
      use: 'sig',
      alg: 'ES256',
    });
    expect((await stat(join(dataDir, 'jwt-private-key.pem'))).mode & 0o777).toBe(0o600);
  });

  it('the key that signs access tokens is the same for all that start at once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => load()));
    expect(new Set(all.map(({ publicJwk }) => publicJwk.kid)).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['jwt-private-key.pem']);
  });

  it('the key that signs access tokens comes from the configuration without touching the disk', async () => {
    const given = pem('P-256');
    expect((await load(given)).publicJwk.kid).toBe((await load(given)).publicJwk.kid);
    await expect(readFile(join(dataDir, 'jwt-private-key.pem'))).rejects.toThrow('ENOENT');
  });

  it.each([
    ['nonsense'],
    [pem('P-384')],
    [
      generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
    ],
  ])('the key that signs access tokens stops the start when it is another kind of key', async (wrong) => {
    await expect(load(wrong)).rejects.toThrow(
      new ConfigurationError('JWT_PRIVATE_KEY must be a P-256 (prime256v1) private key in PEM'),
    );
  });

  it('the key that signs access tokens stops the start when its file is damaged, instead of replacing it', async () => {
    await load();
    await writeFile(join(dataDir, 'jwt-private-key.pem'), 'damaged');
    await expect(load()).rejects.toThrow(ConfigurationError);
  });
});
