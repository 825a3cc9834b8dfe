import { createHash } from 'node:crypto';

export const CONTRIBUTION_STATUSES = ['active', 'superseded', 'rejected', 'merged'] as const;
export type ContributionStatus = (typeof CONTRIBUTION_STATUSES)[number];

/** `app`: an app that named no agent. `system`: the operator's command line. Both are listed under `all` only. */
export type ContributorType = 'user' | 'agent' | 'app' | 'system';

/** The id of what one version contributed at one path. Nothing is stored for it: the same place has the same id. */
export function contributionId(nodeId: string, version: number, path: string): string {
  const hex = createHash('sha256').update(`${nodeId} ${version} ${path}`).digest('hex');
  const variant = ((parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
