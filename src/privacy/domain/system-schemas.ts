/**
 * The ids of the schemas that every installation has, by their URI (rule 5.7). They never change: nodes refer
 * to them.
 */
export const SYSTEM_SCHEMA_IDS = {
  'system:RawFile': '00000000-0000-7000-8000-000000000001',
  'system:Experience': '00000000-0000-7000-8000-000000000002',
  'system:Belief': '00000000-0000-7000-8000-000000000003',
  'system:Entity': '00000000-0000-7000-8000-000000000004',
  'system:Goal': '00000000-0000-7000-8000-000000000005',
} as const;

/** The schema of files: a node with it is a file. */
export const RAW_FILE_SCHEMA_ID = SYSTEM_SCHEMA_IDS['system:RawFile'];
