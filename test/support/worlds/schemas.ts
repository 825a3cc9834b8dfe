import { type Client } from '../client.js';

export const ABSENT = '6b1f7a52-1111-4222-8333-444455556666';
export const SYSTEM = {
  rawFile: '00000000-0000-7000-8000-000000000001',
  goal: '00000000-0000-7000-8000-000000000005',
};

export const RECIPE = {
  type: 'object',
  properties: { servings: { type: 'integer', minimum: 1 }, cook: { type: 'string' } },
  required: ['servings'],
};

/** Creates a schema; throws when it is refused. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function schema(client: Client, body: Record<string, unknown> = {}): Promise<any> {
  const made = await client.post('/schemas', { name: 'Recipe', json_schema: RECIPE, ...body });
  if (made.status !== 201) throw new Error(`schema: ${made.status} ${made.text}`);
  return made.body;
}

export const PRIVATE = { scope: 'private', private_to: 'user' };
export const APP_ONLY = { scope: 'private', private_to: 'app' };
