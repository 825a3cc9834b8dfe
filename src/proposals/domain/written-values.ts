import { isObject } from '../../kernel/json/json-values.js';
import { type Step } from './proposal-content.js';

/** The values of new nodes and of changes, in the words of the steps. */
export const writtenValues = (steps: readonly Step[]): string[] =>
  steps
    .flatMap(({ payload }) => [payload, payload['changes']])
    .filter(isObject)
    .map((body) => body['value'])
    .filter((value) => typeof value === 'string');
