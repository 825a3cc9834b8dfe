import { jsonPart } from '../database/json-part.js';
import { type BatchableFollowUp } from './batchable-write.js';

/** A follow-up whose payload may be JSON text already. */
export type PreparedFollowUp = Omit<BatchableFollowUp, 'payload'> & {
  readonly payload: object | string | null;
};

/**
 * Serializes the payloads, their lists item by item in slices; the contributions of many large nodes are tens of MiB
 * (rule 11.9g). A payload is a list of objects, or an object whose members are such lists or short.
 */
export async function withPayloadText(followUps: readonly BatchableFollowUp[]): Promise<PreparedFollowUp[]> {
  const prepared: PreparedFollowUp[] = [];
  for (const followUp of followUps) {
    const { payload } = followUp;
    prepared.push(payload === null ? followUp : { ...followUp, payload: await textOf(payload) });
  }
  return prepared;
}

async function textOf(payload: object): Promise<string> {
  if (Array.isArray(payload)) return listText(payload);
  const members: string[] = [];
  for (const [key, value] of Object.entries(payload) as [string, unknown][])
    members.push(
      `${JSON.stringify(key)}:${Array.isArray(value) ? await listText(value) : JSON.stringify(value)}`,
    );
  return `{${members.join(',')}}`;
}

const listText = async (items: readonly object[]): Promise<string> =>
  (await jsonPart(items, { from: 0, formOf: (item) => item, atLeast: items.length })).json;
