import { type Access } from '../../privacy/index.js';
import { mergePatch } from '../domain/json-values.js';
import { type Node } from '../domain/node.js';
import { shownOf, type WireNode, wireOf } from '../domain/node-view.js';
import { writesUnseen } from '../domain/unseen-writes.js';
import { type NodeBody } from './node-writes.js';

/** What is meant, and whether it makes a version whatever is stored: see {@link writesUnseen}. */
export interface Written {
  body: NodeBody;
  isUnseen: boolean;
}

/**
 * What a caller means by a body, given what he is shown of the node: what he writes back as he reads it keeps its
 * original, and what he is not shown survives (decisions 3.17). A merge patch applies to what he is shown.
 */
export function asWritten(
  access: Access,
  node: Node,
  { body, merge }: { body: NodeBody; merge: boolean },
): Written {
  if (access.exposure.isIdentity && !merge) return { body, isUnseen: false };
  const stored = wireOf(access, node.record);
  const shown = shownOf(access, node.record);
  const targets: WireNode = {};
  const written: WireNode = {};
  for (const [field, sent] of Object.entries(body)) {
    if (sent === undefined) continue;
    targets[field] = merge ? mergePatch(shown[field], sent) : sent;
    written[field] = access.exposure.restore(stored[field], shown[field], targets[field]);
  }
  return { body: written, isUnseen: writesUnseen(targets, shown, stored) };
}
