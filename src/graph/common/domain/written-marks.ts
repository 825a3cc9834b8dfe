import { type FieldError } from '../../../kernel/errors/domain-error.js';
import { type Steps } from '../../../kernel/slices.js';
import { type Access } from '../../../privacy/index.js';

type Values = Readonly<Record<string, unknown>>;

const MESSAGE =
  'holds a mark that stands for text you are not shown: send the whole value exactly as you read it now, ' +
  'leave it out, or write it without the mark';

/** A few places are enough, because marks are the same words everywhere. */
const MOST_ERRORS = 20;

/**
 * The places of a change at which its writer would store the mark that a mask put in the place of a text
 * (rule 3.17c): such a value was read before the node changed, or was edited around the mark. The decision
 * uses the rules, the shown values and the written values: never hidden values, nor if the mask applies to
 * this node.
 * @param shownAs the field of a node whose masks apply to a text outside nodes
 */
export function* markErrors(
  { exposure }: Access,
  { written, shown }: { written: Values; shown: Values },
  shownAs?: string,
): Steps<FieldError[]> {
  const paths: string[] = [];
  for (const [field, value] of Object.entries(written)) {
    if (value === undefined) continue;
    const found = yield* exposure.marking(shownAs ?? field, { shown: shown[field], written: value });
    paths.push(...(shownAs === undefined ? found : found.map(() => field)).slice(0, MOST_ERRORS));
  }
  return paths.slice(0, MOST_ERRORS).map((field) => ({ field, message: MESSAGE }));
}
