import { type WrittenPaths } from '../domain/written-paths.js';

/** Contributions that go with a merged node; `paths` are those that the unit wrote there before. */
export interface MovedContributions {
  node_id: string;
  target: string;
  /** All nodes that were left on the way to the target, if that was merged in the same unit. */
  via: string[];
  paths: string[];
}

/** Contributions that come back with their node; `paths` are those written since. */
export interface ReturnedContributions {
  node_id: string;
  paths: string[];
}

/** A path that holds again the value from before a version. */
export interface RevertedPath {
  node_id: string;
  version: number;
  path: string;
  /** True if it held a value. */
  stands: boolean;
}

/** The part of a row of this very unit that a merge changes. */
export interface MovableRow {
  node_id: string;
  status: 'active' | 'rejected' | 'merged';
  came_from: string[];
  was_active: boolean;
}

/**
 * Merges of one unit, from the side of the contributions: they move with the node, keep their author and original
 * status, and come back with the node. Only active ones become `merged`.
 */
export class Removals {
  readonly moved: MovedContributions[] = [];
  readonly returned: ReturnedContributions[] = [];
  private readonly taken = new Map<string, RevertedPath>();

  get isEmpty(): boolean {
    return this.moved.length + this.returned.length + this.taken.size === 0;
  }

  get undone(): RevertedPath[] {
    return [...this.taken.values()];
  }

  /** Records that a change is taken back. Several changes of one node come last first, and the earliest counts. */
  takeBack(nodeId: string, version: number, { written, gone }: WrittenPaths): void {
    const back = (paths: readonly string[], stands: boolean) => {
      for (const path of paths)
        this.taken.set(`${nodeId} ${path}`, { node_id: nodeId, version, path, stands });
    };
    back(gone, false);
    back(written, true);
  }

  /** @param replaced paths of earlier contributions that this unit has superseded so far; those of the node are taken out */
  move(
    nodeId: string,
    target: string,
    { rows, replaced }: { rows: readonly MovableRow[]; replaced: Map<string, Set<string>> },
  ): void {
    if (this.returned.length > 0) throw new Error('a unit that merges nodes does not bring others back');
    for (const row of rows) {
      if (row.node_id !== nodeId) continue;
      row.came_from.push(nodeId);
      row.was_active ||= row.status === 'active';
      if (row.status === 'active') row.status = 'merged';
      row.node_id = target;
    }
    for (const earlier of this.moved) {
      if (earlier.target !== nodeId) continue;
      earlier.target = target;
      earlier.via.push(nodeId);
    }
    this.moved.push({ node_id: nodeId, target, via: [nodeId], paths: [...(replaced.get(nodeId) ?? [])] });
    replaced.delete(nodeId);
  }

  bringBack(nodeId: string): void {
    if (this.moved.length > 0) throw new Error('a unit that merges nodes does not bring others back');
    this.returned.push({ node_id: nodeId, paths: [] });
  }

  /** A later write to a returned node replaces the contributions that came back with it. */
  supersede(nodeId: string, paths: readonly string[]): void {
    for (const back of this.returned) if (back.node_id === nodeId) back.paths.push(...paths);
  }
}
