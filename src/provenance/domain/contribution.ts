import { derivedId } from '../../kernel/ids.js';

export const CONTRIBUTION_STATUSES = ['active', 'superseded', 'rejected', 'merged'] as const;
export type ContributionStatus = (typeof CONTRIBUTION_STATUSES)[number];

/** `app`: an app that named no agent. `system`: the operator's command line. Both are listed under `all` only. */
export type ContributorType = 'user' | 'agent' | 'app' | 'system';

/** The id of a contribution of one version to one path. It is derived, not stored: the same place has the same id. */
export const contributionId = (nodeId: string, version: number, path: string): string =>
  derivedId(`${nodeId} ${version} ${path}`);
