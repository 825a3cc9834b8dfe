import { isObject } from '../../kernel/json/json-values.js';
import { type Step } from './proposal-content.js';

/** The values that steps write as they stand: of new nodes, and of changes. */
export const writtenValues = (steps: readonly Step[]): string[] =>
  steps
    .flatMap(({ payload }) => [payload, payload['changes']])
    .filter(isObject)
    .map((body) => body['value'])
    .filter((value) => typeof value === 'string');
