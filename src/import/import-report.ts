import type { ImportWarning } from './imported-graph.js';

/** The progress of an import, for a progress bar. */
export interface ImportProgress {
  phase: 'reading' | 'nodes' | 'files' | 'relationships';
  done: number;
  total: number;
}

/** The results of an import. */
export interface ImportReport {
  nodes: {
    created: number;
    updated: number;
    unchanged: number;
    /** Updated nodes that were found under another name in the source. */
    moved: number;
    /** In the source, but deleted in the service: they stay deleted. */
    left_deleted: number;
    /** In the service, but no longer in the source: they stay. */
    gone: number;
    /** Nodes that break a rule of the service: see the warnings. */
    refused: number;
  };
  files: {
    created: number;
    /** Files with new content. */
    updated: number;
    unchanged: number;
    /** In the source, but deleted in the service: they stay deleted. */
    left_deleted: number;
    /** Unreadable or too large: see the warnings. */
    refused: number;
  };
  relationships: { created: number; updated: number; deleted: number; unchanged: number };
  tags: { created: number };
  warnings: ImportWarning[];
}

export function emptyReport(warnings: readonly ImportWarning[]): ImportReport {
  return {
    nodes: { created: 0, updated: 0, unchanged: 0, moved: 0, left_deleted: 0, gone: 0, refused: 0 },
    files: { created: 0, updated: 0, unchanged: 0, left_deleted: 0, refused: 0 },
    relationships: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
    tags: { created: 0 },
    warnings: [...warnings],
  };
}
