import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { type TestUser, World } from '../../support/world.js';
import { node } from '../../support/worlds/nodes.js';

/** Marks of three classes, in an order that is not theirs: sorting a run of them takes quadratic time. */
const MARKS = '\u0301\u0327\u0338';
/** Texts of many scripts, with letters in all their forms. */
const TEXTS = [
  'Où est l’été à Göteborg? Naïve façade',
  'Привет, Ёлка и Й',
  'Ελλάδα ᾄδω',
  'עִבְרִית בְּלִי',
  'اَلْعَرَبِيَّةُ',
  'नमस्ते दुनिया',
  'สวัสดีครับผมชื่อสมชายน้ำใจ',
  '東京都のガイド か\u3099',
  '한국어 \u1112\u1161\u11ab',
  'தமிழ் மொழி',
  'ภาษาไทยไม่มีวรรคระหว่างคำจึงยาวมากกว่าหนึ่งร้อยตัวอักษรได้โดยไม่ต้องเว้นวรรคเลยแม้แต่ครั้งเดียวในประโยคนี้ซึ่งยาวมาก',
  '👩‍👩‍👧‍👦 🇩🇪',
  'བོད་ཀྱི་སྐད་ཡིག་ནི་གནའ་བོའི་དུས་ནས་དར་བའི་སྐད་ཡིག་ཅིག་ཡིན',
  'ሰላም፡ለሁላችሁ፡እንደምን፡አደራችሁ፡ዛሬ፡ጥሩ፡ቀን፡ነው፡ወደ፡ከተማ፡እንሂድ',
  'ខ្ញុំចូលចិត្តអានសៀវភៅនៅក្នុងបណ្ណាល័យជាមួយមិត្តភក្តិរបស់ខ្ញុំ',
  'ຂ້ອຍມັກອ່ານປຶ້ມຢູ່ຫ້ອງສະໝຸດກັບໝູ່ຂອງຂ້ອຍທຸກໆມື້',
  'ကျွန်တော်သည်စာကြည့်တိုက်တွင်စာအုပ်ဖတ်ရသည်ကိုနှစ်သက်သည်',
  '\u1112\u1161\u11ab\u1100\u1173\u11af'.repeat(13),
];

describe('texts with many marks in searches (rule 4.18c)', () => {
  let world: World;
  let alice: TestUser;
  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user();
  });
  afterAll(() => world.stop());

  const fewMarks = async (text: string): Promise<string> => {
    const [row] = await world.nest
      .get(Database)
      .read<{ text: string }>(sql`SELECT with_few_marks(${text}) AS text`);
    return row!.text;
  };

  it('the first 30 marks of a run are looked at, wherever it is', async () => {
    const runs = `é${MARKS.repeat(500)} and ${'x'.repeat(200)}${MARKS.repeat(9)}`;
    expect([...(await fewMarks(runs))]).toHaveLength(1 + 30 + 5 + 200 + 27);
  });

  it('texts of all scripts keep each of their letters and marks, however long they are', async () => {
    for (const text of TEXTS) {
      const long = Array.from({ length: 20 }, () => text).join(' ');
      expect(await fewMarks(long)).toBe(long);
    }
  });

  it('a value of 99,000 marks is stored as it is, its other words are found, and the snippet has them', async () => {
    const value = `harbour ${`a${MARKS.repeat(16_000)} `.repeat(2)}`;
    const { id } = await node(alice, { title: 'marked', value });
    expect((await alice.get(`/nodes/${id as string}`)).body.value).toBe(value);
    const { body } = await alice.post('/nodes/search', { query: 'harbour', highlights: true });
    expect(body.nodes).toMatchObject([
      { id, highlights: [{ field: 'value', parts: [{ text: 'harbour', marked: true }, {}] }] },
    ]);
  });
});
