import { type Tier } from '../../../config/config.js';

const MB = 1_048_576;

/** The largest file of each plan (specification, File size by plan). */
export const MAX_FILE_BYTES: Readonly<Record<Tier, number>> = {
  free: 10 * MB,
  pro: 100 * MB,
  enterprise: 1024 * MB,
};
