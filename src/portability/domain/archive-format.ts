import { type Tier } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { entryNameOf } from './owned-table.js';
import { RESTORED } from './restored-tables.js';

export const FORMAT = 'personal-identity-graph';
export const FORMAT_VERSION = 1;
export const MANIFEST = 'manifest.json';
export const FILES = 'files/';

const MB = 1_048_576;

/** The bound of a whole archive, packed and unpacked: a hundred of the plan's largest files. */
export const MAX_ARCHIVE_BYTES: Readonly<Record<Tier, number>> = {
  free: 1_000 * MB,
  pro: 10_000 * MB,
  enterprise: 102_400 * MB,
};
/**
 * The most ids of an archive, which are held in memory while they are exchanged: as many as the rows of that
 * many bytes can have.
 */
export const MAX_IDS: Readonly<Record<Tier, number>> = {
  free: 1_000_000,
  pro: 4_000_000,
  enterprise: 8_000_000,
};
export const MAX_ENTRIES = 200_000;
export const MAX_SCHEMAS = 10_000;
export const MAX_LINE_BYTES = 16 * MB;
export const MAX_MANIFEST_BYTES = 64 * 1024;

/**
 * The facts about an archive as a whole. Not part of comparisons: two archives of one account differ in their
 * time.
 */
export interface Manifest {
  format: string;
  version: number;
  exported_at: string;
  account: { username: string; email: string };
}

const DATA = new Set(RESTORED.map(entryNameOf));
/** Archives of 0.1.0, which have the same format, lack these entries. */
const ADDED_SINCE = ['data/imports.ndjson', 'data/imported_nodes.ndjson'];
/** The entries without which an import would restore less than was exported (rule 12.3o). */
export const REQUIRED_ENTRIES = [...DATA].filter((name) => !ADDED_SINCE.includes(name));

/** True for an entry of an archive. Names are looked up, never made into paths. */
export const isKnownEntry = (name: string): boolean =>
  name === MANIFEST || DATA.has(name) || isFileEntry(name) || /^listed\/[a-z_]{1,50}\.ndjson$/.test(name);

export const isFileEntry = (name: string): boolean => /^files\/[0-9a-f]{64}$/.test(name);

export const invalidArchive = (where: string, message: string): DomainError =>
  new DomainError('INVALID_ARCHIVE', `${where}: ${message}`, [{ field: where, message }]);
