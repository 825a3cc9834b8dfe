import { Injectable } from '@nestjs/common';
import { factsOf, nodeNotFound, type NodeRecord, NodesQueries } from '../../graph/index.js';
import { isId } from '../../kernel/ids.js';
import {
  type Access,
  decidingRule,
  type ExposureProfile,
  NODE_VERBS,
  type NodeVerb,
  type RuleVerdict,
  type HypotheticalAccess,
  HypotheticalAccesses,
  verdictsOf,
} from '../../privacy/index.js';

interface ExplainedVerb {
  verb: NodeVerb;
  allowed: boolean;
  /** The first rule that refuses; if all pass, the one that lets the node through. */
  decidedBy: string;
  rules: RuleVerdict[];
}

export interface Explanation {
  record: NodeRecord;
  hypothetical: HypotheticalAccess;
  verbs: ExplainedVerb[];
}

/** Explains why an app may, or may not, act on one node of the owner's. */
@Injectable()
export class Explanations {
  constructor(
    private readonly nodes: NodesQueries,
    private readonly hypothetical: HypotheticalAccesses,
  ) {}

  /** @throws NODE_NOT_FOUND, NOT_FOUND for the app */
  async of(
    owner: Access,
    profile: ExposureProfile,
    { nodeId, appId }: { nodeId: string; appId: string | null },
  ): Promise<Explanation> {
    const hypothetical = await this.hypothetical.of(owner, profile, appId);
    const found = isId(nodeId) ? (await this.nodes.firstReadable(owner, [nodeId])).records : null;
    const record = found?.values().next().value;
    if (!record) throw nodeNotFound(['node_id']);
    return { record, hypothetical, verbs: NODE_VERBS.map((verb) => explained(hypothetical, verb, record)) };
  }
}

/** Rules about every node come first, as in the guard. */
function explained(
  { circumstances, rules }: Pick<HypotheticalAccess, 'circumstances' | 'rules'>,
  verb: NodeVerb,
  record: Parameters<typeof factsOf>[0],
): ExplainedVerb {
  const verdicts = [...circumstances, ...verdictsOf(rules[verb], factsOf(record))];
  return {
    verb,
    allowed: !verdicts.some(({ verdict }) => verdict === 'refuses'),
    decidedBy: decidingRule(rules[verb], verdicts),
    rules: verdicts,
  };
}
