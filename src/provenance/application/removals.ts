import { type WrittenPaths } from '../domain/written-paths.js';

/** What a unit says of rows that go with a merged node; `paths` are those that it wrote there before. */
export interface Moved {
  node_id: string;
  target: string;
  /** All nodes that were left on the way to the target, if that was merged in the same unit. */
  via: string[];
  paths: string[];
}

/** The same for a node that is back; `paths` are those written since. */
export interface Returned {
  node_id: string;
  paths: string[];
}

/** A path that holds again what it held before a version. */
export interface Undone {
  node_id: string;
  version: number;
  path: string;
  /** Whether it held anything. */
  stands: boolean;
}

/** The part of a row of this very unit that a merge changes. */
export interface Removable {
  node_id: string;
  status: 'active' | 'rejected' | 'merged';
  came_from: string[];
  was_active: boolean;
}

/**
 * Merges of one unit, told from the contributions' side: they go with the node, stay who made them and with what status
 * they came, and are back when the node is. Only what stood there as active becomes `merged`.
 */
export class Removals {
  readonly moved: Moved[] = [];
  readonly returned: Returned[] = [];
  private readonly taken = new Map<string, Undone>();

  get isEmpty(): boolean {
    return this.moved.length + this.returned.length + this.taken.size === 0;
  }

  get undone(): Undone[] {
    return [...this.taken.values()];
  }

  /** Of several changes of one node that are taken back, the last one first, the earliest counts. */
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
    { rows, replaced }: { rows: readonly Removable[]; replaced: Map<string, Set<string>> },
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

  /** What is written to a node that has come back replaces what came back with it. */
  supersede(nodeId: string, paths: readonly string[]): void {
    for (const back of this.returned) if (back.node_id === nodeId) back.paths.push(...paths);
  }
}
