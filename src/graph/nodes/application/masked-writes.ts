import {
  fileRecordOf,
  markErrors,
  type UnmaskedFields,
  unmaskFields,
  mergePatch,
  violations,
  type NodeSource,
  prepareShown,
  refuse,
  shownOf,
  slicesOfShowing,
  text,
  type WireNode,
  wireOf,
} from '../../common/index.js';
import { type FieldError } from '../../../kernel/errors/domain-error.js';
import { isSame } from '../../../kernel/json/json-values.js';
import { atOnce, type Slices, type Steps } from '../../../kernel/slices.js';
import { type Access } from '../../../privacy/index.js';
import { type Node } from '../domain/node.js';
import { NODE_LIMITS, nodeFieldErrors, nodeSizeErrors, STORED_LIMITS } from '../domain/node-fields.js';
import { type NodeBody } from './node-writes.js';

/** The fields of a body that are JSON merge patches (RFC 7396): all, none, or the metadata alone. */
export type Merging = boolean | 'metadata';

/** A write of a node as its writer intends it. */
export interface Written extends Pick<UnmaskedFields, 'unseen'> {
  body: NodeBody;
  /**
   * The fields of the body as their writer would expect to read them; the body itself when they are shown
   * everything.
   */
  expected: WireNode;
  /** See {@link markErrors}. */
  marks: readonly FieldError[];
}

/**
 * Unmasked writes of one request. A unit of work that is repeated finds those that it was cut off for, as long as their
 * nodes are unchanged (ADR 60).
 */
export class UnmaskedWrites {
  private readonly known = new Map<string, { asked: UnmaskedWrite; written: Written }>();

  find(asked: UnmaskedWrite): Written | undefined {
    const known = this.known.get(keyOf(asked.record));
    if (known?.asked.access !== asked.access || known.asked.merge !== asked.merge) return undefined;
    const isCurrent = isSame(known.asked.body, asked.body) && isSame(known.asked.record, asked.record);
    return isCurrent ? known.written : undefined;
  }

  add(asked: UnmaskedWrite, written: Written): void {
    this.known.set(keyOf(asked.record), { asked, written });
  }
}

/** All that the meaning of a write depends on. */
interface UnmaskedWrite {
  access: Access;
  record: NodeSource;
  body: NodeBody;
  merge: Merging;
}

/** Items of one batch may write several versions of a node. */
const keyOf = ({ id, version }: NodeSource): string => `${id} ${version}`;

/**
 * Unmasks a write: values written back as the caller reads them keep their original, and values that they
 * are not shown survive (rule 3.17). A merge patch applies to the shown values.
 * @param slices of the whole request, where it writes several nodes
 * @param known the unmasked writes of a request whose unit of work may be repeated
 */
export async function unmaskWrite(
  access: Access,
  node: Node,
  { body, merge, slices = slicesOfShowing(), known }: Unmasking,
): Promise<Written> {
  if (access.exposure.isIdentity && !merge) return { body, expected: body, unseen: [], marks: [] };
  await prepareShown([node.record], () => access, { slices });
  const asked = { access, record: node.record, body, merge };
  const unmasked = known?.find(asked);
  if (unmasked !== undefined) return unmasked;
  const stored = wireOf(access, node.record);
  const shown = shownOf(access, node.record);
  const targets: WireNode = {};
  for (const [field, sent] of Object.entries(body)) {
    if (sent === undefined) continue;
    targets[field] = merge === true || merge === field ? mergePatch(shown[field], sent) : sent;
  }
  function* unmasking(): Steps<Written> {
    const { fields, unseen } = yield* unmaskFields(access.exposure, { written: targets, shown, stored });
    const marks = yield* markErrors(access, { written: targets, shown });
    const written = { body: fields, expected: targets, unseen, marks };
    known?.add(asked, written);
    return written;
  }
  return slices.run(unmasking(), known !== undefined);
}

interface Unmasking {
  body: NodeBody;
  merge: Merging;
  slices?: Slices;
  known?: UnmaskedWrites;
}

/**
 * The errors of a change. Hidden values were validated when they were written, and do not count against the
 * writer: size limits apply to what the writer can know, or a refusal would reveal the size of the rest
 * (rule 3.16).
 */
export function writtenErrors({ body, expected, marks }: Omit<Written, 'unseen'>): FieldError[] {
  if (body === expected) return nodeFieldErrors(body);
  const errors = [...nodeSizeErrors(expected), ...marks];
  return errors.length > 0 ? errors : nodeFieldErrors(body, STORED_LIMITS);
}

const FILENAME = text(1, NODE_LIMITS.title);

/**
 * A change of a file as the change of its node. The node keeps its name when the caller writes back the
 * name as shown, or null when no name is shown.
 * @throws VALIDATION_ERROR for any other name that is invalid or holds a mark, under the name that it has
 * in a file
 */
export async function unmaskFileWrite(
  access: Access,
  node: NodeSource,
  { filename, metadata }: { filename?: unknown; metadata?: unknown },
): Promise<NodeBody> {
  await prepareShown([node], () => access);
  const shown = fileRecordOf(access, node);
  const isAsShown = filename === shown.filename;
  if (filename !== undefined && !isAsShown) {
    refuse(violations(filename, FILENAME, 'filename'));
    refuse(
      atOnce(markErrors(access, { written: { filename }, shown: { filename: shown.filename } }, 'title')),
    );
  }
  const isUnshown = isAsShown && filename === null;
  return {
    ...(filename === undefined || isUnshown ? {} : { title: filename }),
    ...(metadata === undefined ? {} : { metadata }),
  } as NodeBody;
}
