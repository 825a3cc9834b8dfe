import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { sizeOf } from '../../kernel/database/page-bytes.js';
import { rest } from '../../kernel/slices.js';
import { type EdgeWithEnds, isReadable, MOST_MOVED_EDGES, OwnerEdits, shownEdge } from '../../graph/index.js';
import { type Access } from '../../privacy/index.js';
import { isNewlyShown } from '../domain/newly-shown.js';
import { type AppView, isTimeUp } from './app-view.js';
import { expectedEdges, type ExpectedEdge, nodesOfChangedEdges } from './expected-edges.js';
import { type Expected } from './expected-nodes.js';

/** The relationships of which an app would newly see something. */
export interface EdgesShownAnew {
  /** The number that it cannot read now. */
  relationships: number;
  /** The number that it reads now, and of which it would newly be shown a text. */
  relationshipTexts: number;
  /** Digests of their shown texts by their ids; a new one has the ids of its stored nodes in the place of its own. */
  edges: Map<string, string>;
  /** False if the comparison exceeds the cost limit of one answer. */
  isComplete: boolean;
}

interface ExpectedEdges {
  edges: ExpectedEdge[];
  /** The size of their ids and texts. */
  bytes: number;
  /** False if there are more than are compared. */
  isComplete: boolean;
}

/** The bound on the texts of the relationships that one comparison holds in memory. */
const MOST_BYTES = 4_000_000;
const TEXTS = ['relationship_type', 'emotion_type', 'context'] as const;

/** Finds the existing relationships of which a proposal would show apps more, by changing the nodes at their ends. */
@Injectable()
export class EdgeDisclosures {
  constructor(private readonly edits: OwnerEdits) {}

  /** The relationships that rules may judge differently after the proposal. */
  async expected(owner: Access, expected: Expected): Promise<ExpectedEdges> {
    const stored: EdgeWithEnds[] = [];
    let bytes = 0;
    let isComplete = true;
    for await (const part of this.edits.edgesAt(owner, nodesOfChangedEdges(expected))) {
      isComplete = stored.length < MOST_MOVED_EDGES && bytes < MOST_BYTES;
      if (!isComplete) break;
      stored.push(...part);
      bytes += part.reduce((sum, edge) => sum + bytesOf(edge), 0);
    }
    const edges = await expectedEdges(stored, expected);
    return { edges, bytes: edges.reduce((sum, { before }) => sum + bytesOf(before), 0), isComplete };
  }

  /** The relationships among these that an app would newly read, or be shown texts of. */
  async shownTo(view: AppView, edges: readonly ExpectedEdge[]): Promise<EdgesShownAnew> {
    const shown = {
      relationships: 0,
      relationshipTexts: 0,
      edges: new Map<string, string>(),
      isComplete: true,
    };
    for (const edge of edges) {
      const pause = rest();
      if (pause !== undefined) await pause;
      if (!isReadable(view.then, edge.after)) continue;
      const isKnown = isReadable(view.access, edge.before);
      if (!isKnown) shown.relationships++;
      if (isTimeUp(view.slices)) shown.isComplete = false;
      else if (!isKnown || (await isUnmasked(view, edge))) {
        if (isKnown) shown.relationshipTexts++;
        shown.edges.set(edge.after.edge.id, await digestOf(view, edge));
      }
    }
    return shown;
  }
}

async function isUnmasked({ access, then, slices }: AppView, edge: ExpectedEdge): Promise<boolean> {
  // The detail level alone decides if no transformation reaches a value, and it is the same for all ends.
  if (!access.exposure.transforms('value')) return false;
  const before = await shownEdge(access, edge.before, { slices });
  const after = await shownEdge(then, edge.after, { slices });
  return TEXTS.some((text) =>
    isNewlyShown({ before: before[text], after: after[text], stored: edge.before.edge[text] }),
  );
}

async function digestOf({ then, slices }: AppView, { after }: ExpectedEdge): Promise<string> {
  const shown = await shownEdge(then, after, { slices });
  const texts = JSON.stringify(TEXTS.map((text) => shown[text]));
  return createHash('sha256').update(texts).digest('base64url');
}

const bytesOf = ({ edge }: EdgeWithEnds): number => sizeOf([edge.id, ...TEXTS.map((text) => edge[text])]);
