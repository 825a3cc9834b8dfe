import { readFileSync } from 'node:fs';
import { Config, ConfigurationError } from './config.js';

describe('Config', () => {
  it('the configuration starts with nothing set', () => {
    const config = new Config({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      databaseUrl: null,
    });
    expect(config).toMatchObject({
      rateLimits: true,
      firstPartyRateMultiple: 10,
      defaultTier: 'free',
      corsOrigins: [],
      trustProxy: false,
      logLevel: 'info',
      embedded: true,
    });
  });

  it('the configuration treats an empty value as unset', () => {
    expect(new Config({ PORT: ' ', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: null });
  });

  it('the configuration derives the public URL from host and port', () => {
    expect(new Config({ HOST: '::1', PORT: '80' }).publicUrl).toBe('http://[::1]:80');
    expect(new Config({ PUBLIC_URL: 'https://pig.example/' }).publicUrl).toBe('https://pig.example');
  });

  it('the configuration takes a service for vectors at a public address, with its model', () => {
    const given = { EMBEDDINGS_URL: 'https://api.example.org/v1/', EMBEDDINGS_MODEL: 'small' };
    expect(new Config({}).embeddings).toBeNull();
    expect(new Config({ ...given, EMBEDDINGS_API_KEY: 'key' }).embeddings).toEqual({
      url: 'https://api.example.org/v1',
      model: 'small',
      apiKey: 'key',
      allowPrivate: false,
    });
    const plain = { ...given, EMBEDDINGS_URL: 'http://127.0.0.1:11434/v1' };
    expect(() => new Config(plain)).toThrow('https');
    expect(new Config({ ...plain, EMBEDDINGS_ALLOW_PRIVATE: 'true' }).embeddings?.url).toBe(
      plain.EMBEDDINGS_URL,
    );
  });

  it.each([
    [{ EMBEDDINGS_MODEL: '' }],
    [{ EMBEDDINGS_MODEL: 'm'.repeat(201) }],
    [{ EMBEDDINGS_URL: 'https://hidden:secret@example.org/v1' }],
    [{ EMBEDDINGS_URL: 'https://example.org/v1?key=secret' }],
    [{ EMBEDDINGS_API_KEY: 'two\nlines secret' }],
  ])('the configuration refuses %j for vectors, without the secret in its message', (given) => {
    const whole = { EMBEDDINGS_URL: 'https://example.org/v1', EMBEDDINGS_MODEL: 'small', ...given };
    let message = '';
    try {
      new Config(whole);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^EMBEDDINGS_/);
    expect(message).not.toContain('secret');
  });

  it('the configuration accepts trusted proxies as a number of hops or as a list', () => {
    expect(new Config({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
    const list = 'loopback, 10.0.0.0/8,fd00::/8, 192.0.2.1';
    expect(new Config({ TRUST_PROXY: list }).trustProxy).toEqual([
      'loopback',
      '10.0.0.0/8',
      'fd00::/8',
      '192.0.2.1',
    ]);
  });

  it('the configuration changes only the named quotas, in units of bytes or without limit', () => {
    const { quotas } = new Config({ QUOTAS_FREE: 'nodes=5, file_bytes = 2 KiB,tags=none, apps=0' });
    const { free } = new Config({}).quotas;
    expect(quotas.free).toEqual({ ...free, nodes: 5, file_bytes: 2048, tags: null, apps: 0 });
    expect(quotas.pro).toEqual(new Config({}).quotas.pro);
    expect(Object.values(quotas.enterprise).every((limit) => limit === null)).toBe(true);
  });

  it('the configuration has the quotas that .env.example shows', () => {
    const shown = Object.fromEntries(
      [...readFileSync('.env.example', 'utf8').matchAll(/^#(QUOTAS_[A-Z]+)=(.*)$/gm)].map(
        ([, name, text]) => [name, text],
      ),
    );
    expect(Object.keys(shown)).toHaveLength(3);
    expect(new Config(shown).quotas).toEqual(new Config({}).quotas);
  });

  it('the configuration gives bodies and answers an eighth of the memory each, from 64 to 256 MiB, unless it is set', () => {
    const GIB = 1024 ** 3;
    const shares = [0.25, 0.5, 1, 1.5, 2, 64].map((gib) => new Config({}, gib * GIB).processBytes / 2 ** 20);
    expect(shares).toEqual([64, 64, 128, 192, 256, 256]);
    expect(new Config({ PROCESS_MIB: '12' }, GIB).processBytes).toBe(12 * 2 ** 20);
  });

  it.each([
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '2,loopback'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '3000x'],
    ['DATABASE_POOL', '0'],
    ['DATABASE_URL', 'mysql://host/db'],
    ['DATABASE_URL', 'no url'],
    ['PUBLIC_URL', 'ftp://host'],
    ['PUBLIC_URL', 'https://host/pig'],
    ['PUBLIC_URL', 'https://host/?a=b'],
    ['PUBLIC_URL', 'https://host#a'],
    ['PUBLIC_URL', 'https://me@host'],
    ['RATE_LIMITS', 'yes'],
    ['FIRST_PARTY_RATE_MULTIPLE', '0'],
    ['FIRST_PARTY_RATE_MULTIPLE', '1.5'],
    ['DEFAULT_TIER', 'gold'],
    ['LOG_LEVEL', 'loud'],
    ['ENCRYPTION_KEY', 'c2hvcnQ='],
    ['SMTP_URL', 'https://mail.example.org'],
    ['QUOTAS_FREE', 'nods=5'],
    ['QUOTAS_FREE', 'nodes'],
    ['QUOTAS_PRO', 'nodes=-1'],
    ['QUOTAS_PRO', 'nodes=5=6'],
    ['QUOTAS_ENTERPRISE', 'file_bytes=9999999TiB'],
    ['QUOTAS_ENTERPRISE', 'file_bytes=5 parsecs'],
  ])('the configuration refuses %s=%s in one line that names it', (name, value) => {
    const start = () => new Config({ [name]: value });
    expect(start).toThrow(ConfigurationError);
    expect(start).toThrow(new RegExp(`^${name} must be [^\\n]+$`));
  });
});
