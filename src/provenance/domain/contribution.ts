import { derivedId } from '../../kernel/ids.js';

export const CONTRIBUTION_STATUSES = ['active', 'superseded', 'rejected', 'merged'] as const;
export type ContributionStatus = (typeof CONTRIBUTION_STATUSES)[number];

/** `app`: an app that named no agent. `system`: the operator's command line. Both are listed under `all` only. */
export type ContributorType = 'user' | 'agent' | 'app' | 'system';

/** The id of what one version contributed at one path. Nothing is stored for it: the same place has the same id. */
export const contributionId = (nodeId: string, version: number, path: string): string =>
  derivedId(`${nodeId} ${version} ${path}`);
