import fc from 'fast-check';
import { labelledCorpus } from '../../../test/measure/pii-corpus.js';
import { PII_ENTITIES, type PiiEntity } from './entities.js';
import { redactPii, USUAL_REPLACEMENT } from './redact.js';

const everything = { entities: new Set(PII_ENTITIES), replacement: USUAL_REPLACEMENT };
const only = (...entities: PiiEntity[]) => ({ entities: new Set(entities), replacement: USUAL_REPLACEMENT });
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
console.log(`redaction properties: seed ${seed}`);

describe('redaction', () => {
  it('names what it took out', () => {
    const text =
      'jane@example.com, +49 30 901820, 4111 1111 1111 1111, 123-45-6789, DE89 3704 0044 0532 0130 00, ::1, www.example.org';
    expect(redactPii(text, everything)).toBe(
      '[REDACTED:email], [REDACTED:phone], [REDACTED:credit_card], [REDACTED:ssn], [REDACTED:iban], [REDACTED:ip], [REDACTED:url]',
    );
  });

  it('takes an identifier inside another with the longer one', () => {
    expect(redactPii('https://example.com/?mail=jane@example.com&ip=10.0.0.1', everything)).toBe(
      '[REDACTED:url]',
    );
    expect(redactPii('https://example.com/?mail=jane@example.com', only('email'))).toBe(
      'https://example.com/?mail=[REDACTED:email]',
    );
    expect(redactPii('http://10.0.0.1/x', only('ip'))).toBe('http://[REDACTED:ip]/x');
  });

  it.each([
    '"john doe"@example.org',
    '“john doe”@example.org',
    'jan\u212e@example.org',
    'jane@\u212example.org',
    'zoe\u0301@example.org',
    'İrem@example.org',
    'jane＠example．org',
  ])('takes %s for an e-mail address', (address) => {
    expect(redactPii(`write to ${address} today`, only('email'))).toBe('write to [REDACTED:email] today');
  });

  it('takes no number of another kind for a telephone number', () => {
    const text = '4111 1111 1111 1111, DE89 3704 0044 0532 0130 00, 123-45-6789, 192.168.100.200';
    expect(redactPii(text, only('phone'))).toBe(text);
  });

  it('reads digits of other scripts, odd spaces and dashes', () => {
    expect(redactPii('☎ ＋４９ ３０ ９０１８２０', everything)).toBe('☎ [REDACTED:phone]');
    expect(redactPii('card 4111\u00a01111\u20111111–1111', only('credit_card'))).toBe(
      'card 4111\u00a01111\u20111111–1111',
    );
    expect(redactPii('card 4111\u00a01111\u00a01111\u00a01111', only('credit_card'))).toBe(
      'card [REDACTED:credit_card]',
    );
    expect(redactPii('+٤٤ ٧٧٠٠ ٩٠٠١٢٣', everything)).toBe('[REDACTED:phone]');
  });

  it('lets a label say what a number is', () => {
    expect(redactPii('2125550123', everything)).toBe('2125550123');
    expect(redactPii('2125550123', everything, 'mobile phone')).toBe('[REDACTED:phone]');
    expect(redactPii('219099999', everything, 'ssn')).toBe('[REDACTED:ssn]');
  });

  it('puts in what it is told to, as it is', () => {
    expect(redactPii('jane@example.com!', { entities: new Set(['email']), replacement: '' })).toBe('!');
    expect(redactPii('jane@example.com', { entities: new Set(['email']), replacement: '$& $1' })).toBe(
      '$& $1',
    );
  });

  it('redacted text is redacted again without a change', () => {
    const pieces = fc.constantFrom(
      ...labelledCorpus.map(({ text }) => text),
      ...'0123456789.@-+/ ()[]ax\n'.split(''),
    );
    const texts = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''));
    const replacements = fc.constantFrom(USUAL_REPLACEMENT, '', 'x', '***', '<entity>');
    fc.assert(
      fc.property(texts, replacements, (text, replacement) => {
        const redaction = { entities: everything.entities, replacement };
        const once = redactPii(text, redaction);
        expect(redactPii(once, redaction)).toBe(once);
      }),
      { seed, numRuns: 2_000 },
    );
  });
});

describe('hostile texts', () => {
  const hostile: Record<string, string> = {
    digits: '1',
    'digits and spaces': '1 ',
    'digits and dots': '1.',
    'digits and dashes': '0-',
    pluses: '+',
    'international numbers': '+12 34 56 78 90 12 34 ',
    'national numbers': '030 1234567 ',
    brackets: '(1',
    letters: 'a',
    labels: 'a.',
    ats: 'a@',
    addresses: 'a@b.co',
    'spelled out': 'a[at]b',
    schemes: 'http://',
    'open brackets after a scheme': 'https://(',
    colons: 'f:',
    ibans: 'DE89 3704 ',
    cards: '4111 1111 1111 1111 ',
    spaces: ' ',
    words: 'tel ',
    quotes: '"',
    'quoted local parts': '"a"@',
    'escaped signs': 'a%40',
    'endings of files': 'a@b.org.pdf',
    'endings without end': '.pdf',
    'characters that nobody sees': '\u200b',
    'letters apart': 'a\u200b',
  };

  it.each(Object.entries(hostile))('100,000 characters of %s take no longer than a glance', (_name, unit) => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length)).slice(0, 100_000);
    redactPii(text.slice(0, 1_000), everything);
    const started = performance.now();
    redactPii(text, everything);
    // A quadratic pattern needs minutes here, this takes a few tenths of a second on a slow machine.
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
