import { FieldExposure } from '../../src/privacy/domain/exposure/field-exposure.js';
import { parseTransformations } from '../../src/privacy/domain/exposure/parse-transformations.js';
import { pseudonymKeyOf } from '../../src/privacy/domain/exposure/pseudonym.js';

/** A node, and its forms after transformations. */

export const health = '01890a5d-ac96-774b-bcce-b302099a8057';
export const work = '01890a5d-ac96-774b-bcce-b302099a8058';
export const facts = { id: '01890a5d-ac96-774b-bcce-b302099a8051', tagIds: [health], nodeType: 'EXPERIENCE' };

export function nodeWith(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: '01890a5d-ac96-774b-bcce-b302099a8051',
    title: 'Met Jane',
    value: 'Her mail is jane@example.com',
    node_type: 'EXPERIENCE',
    meaning_level: 'IDENTITY',
    importance_score: 0.5,
    metadata: { properties: { where: 'Oslo', email: 'jane@example.com' } },
    agent_metadata: { agent_name: 'importer' },
    last_modified_by_agent_id: '01890a5d-ac96-774b-bcce-b302099a8052',
    schema_id: null,
    tags: ['health'],
    owner_id: '01890a5d-ac96-774b-bcce-b302099a8053',
    created_at: '2024-05-17T10:11:12.123Z',
    updated_at: '2024-06-18T11:12:13.456Z',
    version: 3,
    ...fields,
  };
}

export function exposureOf(
  transformations: unknown,
  detail: 'full' | 'summary' | 'minimal' = 'full',
): FieldExposure {
  const pseudonymKey = pseudonymKeyOf('secret', 'app', 'user');
  return new FieldExposure({ detail, transformations: parseTransformations(transformations), pseudonymKey });
}

export const shownOf = (transformations: unknown, node = nodeWith()): Record<string, unknown> =>
  exposureOf(transformations).expose(node, facts);
