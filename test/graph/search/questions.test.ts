import { type Client } from '../../support/client.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { letsIn, node, profile } from '../../support/worlds/nodes.js';

describe('questions (rule 4.18)', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));

  const found = async (client: Client, query: string, options = {}): Promise<string[]> => {
    const { status, body, text } = await client.post('/nodes/search', { query, limit: 100, ...options });
    if (status !== 200) throw new Error(text);
    return (body.nodes as { title: string }[]).map(({ title }) => title);
  };
  const made = (title: string, value?: string) => node(alice, { title, value });
  /** An app that is shown the texts through a transformation, so that they are judged as shown. */
  const masked = () =>
    letsIn(
      world,
      alice,
      profile(
        { read: 'all' },
        { transformations: [{ type: 'truncate', config: { field: 'title', max: 999 } }] },
      ),
    );

  it.each([
    ['Where does she live now?', 'Lives in Lisbon', 'Works as a teacher'],
    ['What books has he been reading?', 'Read the book about sailing', 'Cooks every day'],
    ['Wo hat sie ihre Wohnungen?', 'Eine Wohnung und ein Haus auf dem Land', 'Der Hund ist auf dem Balkon'],
    ['Où habitent ses amies ?', 'Une amie qui habite à Lyon avec des enfants', 'La musique dans les rues'],
    ['¿Dónde estudiaron los hermanos?', 'El hermano que estudió en Sevilla', 'La playa en verano'],
    ['Dove lavorava la sorella?', 'La sorella lavora in una scuola di musica', 'Il cane è nel giardino'],
    ['Где находится новая квартира?', 'Мы купили новую квартиру в Москве', 'Зимой идёт снег'],
    ['Cafe in Zurich', 'Café in Zürich', 'Tea at home'],
    ['東京の大学', '彼女は東京大学で学んだ', '猫が好きです'],
    ['어디에서 서울 살아요', '저는 서울에서 살고 있습니다', '고양이를 좋아해요'],
    ['กรุงเทพ', 'ฉันอาศัยอยู่ในกรุงเทพมหานคร', 'แมวสีดำ'],
  ])('a question finds the node with other forms of its words: %s', async (question, answer, other) => {
    await made(answer);
    await made(other);
    for (const client of [alice, await masked()]) expect(await found(client, question)).toEqual([answer]);
  });

  it('a question ranks nodes by how many of its words they have, whatever their order and number', async () => {
    await made('one', 'harbour harbour harbour');
    await made('all three', 'a walk to the lights of the harbour');
    await made('two', 'lights, lights and the harbour');
    for (const client of [alice, await masked()])
      expect(await found(client, 'harbour walks with lights')).toEqual(['all three', 'two', 'one']);
  });

  it('a question ranks titles above values, shorter texts above longer ones, and then the newest first', async () => {
    await made('other', `harbour ${'sea '.repeat(100)}`);
    await made('short', 'harbour');
    await made('harbour');
    await made('newer', 'harbour');
    for (const client of [alice, await masked()])
      expect(await found(client, 'harbour')).toEqual(['harbour', 'newer', 'short', 'other']);
  });

  it('the newest come first only for callers who are shown when nodes were created', async () => {
    for (let index = 0; index < 6; index++) await made(`harbour ${String.fromCharCode(97 + index)}`);
    const hides = { transformations: [{ type: 'round_date', config: { granularity: 'year' } }] };
    const app = await letsIn(world, alice, profile({ read: 'all' }, hides));
    const { body } = await app.post('/nodes/search', { query: 'harbour' });
    const ids = (body.nodes as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(await found(alice, 'harbour')).toEqual(
      ['f', 'e', 'd', 'c', 'b', 'a'].map((letter) => `harbour ${letter}`),
    );
  });

  it('small words of a question find nothing unless it has no others', async () => {
    await made('The Who');
    await made('where is the cat');
    expect(await found(alice, 'where are the dogs')).toEqual([]);
    expect(await found(alice, 'The Who')).toEqual(['The Who', 'where is the cat']);
  });

  it('the last word of a search may be a beginning only when the caller asks for it', async () => {
    await made('Sailing around Iceland');
    expect(await found(alice, 'icel')).toEqual([]);
    for (const query of ['icel', 'sailing ice', 'sailin', 'sa', 'around'])
      expect(await found(alice, query, { prefix: true, match: 'all' })).toEqual(['Sailing around Iceland']);
    expect(await found(alice, 'sai icel', { prefix: true, match: 'all' })).toEqual([]);
  });

  it.each([
    ['a letter that is stored in two parts', '\u0958\u0932\u092e', '\u0915\u093c\u0932\u092e'],
    ['a decomposed letter', 'Cafe\u0301', 'café'],
    ['a small letter of two parts', 'İstanbul', 'istanbul'],
    ['signs with a stroke', 'a\u2260b \u037e \u212a', 'k'],
    ['points of Hebrew', '\ufb2alom', '\u05e9\u05c1lom'],
  ])('a node is stored and found whatever parts its letters have: %s', async (_, title, query) => {
    await made(title, title);
    for (const client of [alice, await masked()])
      expect((await found(client, query)).map((one) => one.normalize('NFD'))).toEqual([
        title.normalize('NFD'),
      ]);
  });

  it('a value of the longest words is stored, whatever parts its letters have', async () => {
    for (const letters of [
      '\u{1d15f}\u{1d160}\u{1d161}\u{1d162}\u{1d163}',
      '\u0958\u0959\u095a\u095b',
      'İÇŞĞ',
      '\ufdfa\u3316',
    ]) {
      const all = Array.from(letters);
      const words = Array.from({ length: 16_000 }, (_, index) =>
        [5 ** 4, 5 ** 3, 5 ** 2, 5, 1].map((place) => all[Math.floor(index / place) % all.length]).join(''),
      );
      await made('long', Array.from(words.join(' ')).slice(0, 100_000).join(''));
    }
    expect(await found(alice, 'long')).toHaveLength(4);
  }, 60_000);

  it('a single sign finds every run that has it', async () => {
    for (const text of ['黒猫', '猫', '猫の手', '犬']) await made(text);
    expect((await found(alice, '猫')).sort()).toEqual(['猫', '猫の手', '黒猫'].sort());
  });

  it('the language of a title does not depend on its value', async () => {
    await node(alice, { title: 'Chats', value: 'le chat est dans la maison avec des enfants et une souris' });
    await node(alice, { title: 'Chats too', value: 'the chats are in the house' });
    const summary = await letsIn(world, alice, profile({ read: 'all' }, { max_detail_level: 'summary' }));
    for (const query of ['chat', 'chats', 'chatting', 'chaton'])
      expect((await found(summary, query)).length % 2).toBe(0);
  });

  it.each([
    ['nothing but signs', '?! … ¿', 0],
    ['one very long word', 'x'.repeat(1_000), 0],
    ['hundreds of words', 'harbour '.repeat(120).trim(), 1],
    ['hundreds of different words', Array.from({ length: 200 }, (_, index) => `w${index}`).join(' '), 0],
    ['operators', "harbour & | ! <-> :* ') OR 1=1 --", 1],
    ['right-to-left letters and emoji', 'שלום مرحبا \u{1F600}', 0],
    ['lone surrogates', '\ud800 harbour', null],
  ])('a question is answered whatever it has: %s', async (_, query, total) => {
    await made('harbour');
    for (const match of ['any', 'all']) {
      const { status, body } = await alice.post('/nodes/search', { query, match });
      if (total === null) expect([200, 400]).toContain(status);
      else if (match === 'any') expect([status, body.total]).toEqual([200, total]);
      else expect(status).toBe(200);
    }
  });
});
