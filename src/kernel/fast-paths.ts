import { type FastPath } from '../config/fast-paths.js';

const off = new Set<FastPath>();

/** Leaves out these fast paths in this process. Call it before the service is created. */
export function leaveOutFastPaths(paths: readonly FastPath[]): void {
  off.clear();
  for (const path of paths) off.add(path);
}

export const isFastPathOn = (path: FastPath): boolean => !off.has(path);
