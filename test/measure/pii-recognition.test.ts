import { getCountries, getExampleNumber } from 'libphonenumber-js/core';
import metadataOfAll from 'libphonenumber-js/max/metadata';
import examples from 'libphonenumber-js/mobile/examples';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PII_ENTITIES } from '../../src/libs/pii/entities.js';
import { recognisePii } from '../../src/libs/pii/recognise.js';
import { heldOutCorpus, labelledCorpus, type LabelledSpan } from './pii-corpus.js';
import { labelled, VAULTS } from './pii-vault.js';
import { negatives } from './pii-negatives.js';
import { score, type Scoring, scoreTable } from './pii-scoring.js';

const everything = new Set(PII_ENTITIES);
const recognise = (text: string): LabelledSpan[] => recognisePii(text, everything);
const DOCUMENT = join(import.meta.dirname, '../../docs/pii-recognition.md');

/**
 * Compares a table of the document with what was measured now. `WRITE_MEASURES=1` writes it there instead.
 * @param name of the pair of comments around the table
 */
function expectDocumented(name: string, table: string): void {
  const document = readFileSync(DOCUMENT, 'utf8');
  const parts = new RegExp(`(<!-- ${name} -->\\n)([\\s\\S]*?)(\\n<!-- /${name} -->)`);
  expect(parts.test(document)).toBe(true);
  if (process.env['WRITE_MEASURES'] === '1') {
    writeFileSync(
      DOCUMENT,
      document.replace(parts, (_all, before: string, _old, after: string) => before + table + after),
    );
  } else {
    expect(parts.exec(document)?.[2]).toBe(table);
  }
}

function expectAtLeast(
  { scores, misses, falseFindings }: Scoring,
  least: { precision: number; recall: number },
): void {
  const low = [...scores].filter(
    ([, { precision, recall }]) => precision < least.precision || recall < least.recall,
  );
  const wrong = low.length > 0 ? [...misses, ...falseFindings] : [];
  expect({ low: low.map(([entity]) => entity), wrong }).toEqual({ low: [], wrong: [] });
}

describe('precision and recall', () => {
  it('recognition of personal identifiers is measured on enough', () => {
    expect(labelledCorpus.flatMap(({ spans }) => spans).length).toBeGreaterThanOrEqual(150);
    expect(negatives.length).toBeGreaterThanOrEqual(150);
    for (const entity of PII_ENTITIES) {
      expect(
        labelledCorpus.flatMap(({ spans }) => spans).filter((span) => span.entity === entity).length,
      ).toBeGreaterThan(10);
    }
  });

  it('recognition of personal identifiers would not pass if it found nothing, or everything', () => {
    const least = { precision: 0.5, recall: 0.5 };
    expect(() =>
      expectAtLeast(
        score(labelledCorpus, () => []),
        least,
      ),
    ).toThrow();
    const everyText = (text: string): LabelledSpan[] =>
      PII_ENTITIES.map((entity) => ({ start: 0, end: text.length, entity }));
    expect(() => expectAtLeast(score(labelledCorpus, everyText), least)).toThrow();
  });

  it('recognition of personal identifiers finds what is marked in the corpus and little else', () => {
    const scoring = score(labelledCorpus, recognise);
    const table = scoreTable(scoring.scores, PII_ENTITIES);
    console.log(`corpus\n${table}`);
    expectAtLeast(scoring, { precision: 0.97, recall: 0.97 });
    expectDocumented('corpus', table);
  });

  it('recognition of personal identifiers does as well on sentences it was not made for', () => {
    const scoring = score(heldOutCorpus, recognise);
    const table = scoreTable(scoring.scores, PII_ENTITIES);
    console.log(`held out\n${table}`);
    expectAtLeast(scoring, { precision: 0.9, recall: 0.95 });
    expectDocumented('held-out', table);
  });

  it("recognition of personal identifiers finds the example number of every country's mobile plan", () => {
    const found = { international: 0, 'national after a word for it': 0, 'national alone': 0 };
    const countries = getCountries(metadataOfAll).flatMap(
      (country) => getExampleNumber(country, examples, metadataOfAll) ?? [],
    );
    for (const number of countries) {
      const [international, national] = [number.formatInternational(), number.formatNational()];
      if (covers(`ask for ${international} today`, international)) found.international += 1;
      if (covers(`mobile: ${national} today`, national)) found['national after a word for it'] += 1;
      if (covers(`it says ${national} today`, national)) found['national alone'] += 1;
    }
    const rows = Object.entries(found).map(([way, count]) => `| ${way} | ${count} of ${countries.length} |`);
    const table = ['| written | found |', '|---|---|', ...rows].join('\n');
    console.log(`every country\n${table}`);
    expect(found.international).toBe(countries.length);
    expect(found['national after a word for it']).toBeGreaterThanOrEqual(0.95 * countries.length);
    expectDocumented('countries', table);
  });

  it.each(VAULTS)(
    'recognition of personal identifiers finds what is in the notes of $name and little else',
    (vault) => {
      const texts = labelled(vault);
      expect(texts.flatMap(({ spans }) => spans).length).toBeGreaterThan(5);
      const scoring = score(texts, recognise);
      const table = scoreTable(scoring.scores, PII_ENTITIES);
      console.log(`${vault.name}\n${table}\nfalse: ${scoring.falseFindings.join('; ')}`);
      expectAtLeast(scoring, { precision: 0.97, recall: 0.98 });
      // not compared: those notes are not ours and may change
      if (vault.name === 'real notes' && process.env['WRITE_MEASURES'] === '1')
        expectDocumented('vault', table);
    },
  );
});

function covers(text: string, number: string): boolean {
  const start = text.indexOf(number);
  return recognise(text).some(
    (f) => f.entity === 'phone' && f.start <= start && f.end >= start + number.length,
  );
}
