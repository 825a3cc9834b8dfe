import { type Chance } from '../properties/random.js';
import { WORDS } from './words.js';

const about = (pin: object): object => ({ properties: { pin } });

/** A JSON Schema that tests the hidden pin of a node, in one of the ways that schemas allow. */
export function schemaAbout(chance: Chance, guess: unknown): object {
  const word = chance.pick(WORDS);
  return chance.pick<object>([
    about({ pattern: `^${word[0]}` }),
    about({ const: guess }),
    about({ enum: [guess, word] }),
    about({ not: { const: guess } }),
    about({ maxLength: chance.below(9) }),
    about({ maximum: 1000 * chance.below(9) }),
    about({ type: chance.pick(['string', 'number', 'null']) }),
    { required: ['pin'] },
    { maxProperties: chance.below(3) },
    { minProperties: chance.below(4) },
    { patternProperties: { '^p': false } },
    { propertyNames: { maxLength: chance.below(8) } },
    { additionalProperties: false, properties: { colour: {} } },
    { dependentRequired: { pin: ['colour'] } },
    { if: about({ const: guess }), then: { properties: { colour: false } } },
    { if: about({ pattern: `^${word[0]}` }), then: { required: ['status'] }, else: { required: ['colour'] } },
    { oneOf: [about({ pattern: '^[a-m]' }), { required: ['status'] }] },
  ]);
}
