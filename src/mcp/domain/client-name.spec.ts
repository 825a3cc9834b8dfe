import fc from 'fast-check';
import { clientNameIn } from './client-name.js';

const nameOf = (name: unknown, version?: unknown) => clientNameIn({ clientInfo: { name, version } });

describe('clientNameIn', () => {
  it('reads the client of an envelope and of a connection', () => {
    const found = { name: 'a client', version: '1' };
    expect(clientNameIn({ 'io.modelcontextprotocol/clientInfo': found })).toEqual(found);
    expect(nameOf('a client', '1')).toEqual(found);
  });

  it.each([null, undefined, 3, {}, { clientInfo: null }, { clientInfo: 'x' }, { clientInfo: { name: 3 } }])(
    'finds no client where none is named: %j',
    (envelope) => {
      expect(clientNameIn(envelope)).toBeNull();
    },
  );

  it('keeps a name that ends with a whole character at the bound', () => {
    expect(nameOf(`${'x'.repeat(198)}😀 and more`)?.name).toBe(`${'x'.repeat(198)}😀`);
    expect(nameOf(`${'x'.repeat(199)}😀`)?.name).toBe('x'.repeat(199));
  });

  it('makes every name one that can be stored', () => {
    const unit = fc.constantFrom('\0', '\n', ' ', 'a', '\ud83d', '\ude00', '\u0085', '\u2028');
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 900 }), (units) => {
        const { name, version } = nameOf(units.join(''), units.join('')) ?? { name: 'none', version: null };
        for (const text of [name, version ?? 'none']) {
          expect(text.isWellFormed() && !/[\p{Cc}]/u.test(text) && text === text.trim()).toBe(true);
          expect(text.length > 0 && text.length <= 200).toBe(true);
        }
      }),
    );
  });
});
