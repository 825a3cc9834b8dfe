import { RAW_FILE_SCHEMA_ID } from '../../identity/index.js';

export { RAW_FILE_SCHEMA_ID };

/**
 * The ids of the schemas that every installation has, by their URI (rule 5.7). They never change: nodes refer
 * to them.
 */
export const SYSTEM_SCHEMA_IDS = {
  'system:RawFile': RAW_FILE_SCHEMA_ID,
  'system:Experience': '00000000-0000-7000-8000-000000000002',
  'system:Belief': '00000000-0000-7000-8000-000000000003',
  'system:Entity': '00000000-0000-7000-8000-000000000004',
  'system:Goal': '00000000-0000-7000-8000-000000000005',
} as const;
