import { isObject } from '../../kernel/json/json-values.js';
import { type JsonObject } from '../../graph/index.js';
import { preparedFor } from './prepared.js';
import { type Proposal } from './proposal.js';
import { type Step } from './proposal-content.js';

/** The tags that a step assigns to its node, by name or id. */
export function assignedTags({ record }: Proposal, step: Step): string[] {
  if (step.type !== 'CREATE_NODE')
    return [...(preparedFor(record.prepared, step.id)?.node?.tags.added ?? [])];
  const names = [step.id, ...(step.ref === null || step.ref === step.id ? [] : [step.ref])];
  return [
    ...((step.payload['tags'] ?? []) as string[]),
    ...record.tags,
    ...names.flatMap((name) => (ownValue(record.entity_tags, name) ?? []) as string[]),
  ];
}

const ownValue = (object: JsonObject | null, key: string): unknown =>
  isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
