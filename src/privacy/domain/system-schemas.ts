/** Ids of the schemas that every installation has, by their URI (decisions 5.7). Never change: nodes refer to them. */
export const SYSTEM_SCHEMA_IDS = {
  'system:RawFile': '00000000-0000-7000-8000-000000000001',
  'system:Experience': '00000000-0000-7000-8000-000000000002',
  'system:Belief': '00000000-0000-7000-8000-000000000003',
  'system:Entity': '00000000-0000-7000-8000-000000000004',
  'system:Goal': '00000000-0000-7000-8000-000000000005',
} as const;

/** A node with this schema is a file. */
export const RAW_FILE_SCHEMA_ID = SYSTEM_SCHEMA_IDS['system:RawFile'];
