import { uniteVisibilities } from './effective-share.js';
import { type NodeFacts, sees, type Visibility, visibility } from './visibility.js';

/**
 * An expression, and the named parts that it was built from. The decision compiles the whole and an
 * explanation evaluates the parts, so both apply the same rules.
 */
export interface Rule {
  /** The field of the profile, or of the app's request, that states it. */
  readonly name: string;
  readonly expression: Visibility;
  readonly joined: 'one' | 'all' | 'any' | 'none';
  readonly parts: readonly Rule[];
  /** False if it is empty: it neither admits nor refuses. */
  readonly isSet: boolean;
  /** True if it admits nodes that no other rule of its verb would; the others only refuse. */
  readonly isGrant: boolean;
}

/**
 * The verdicts: passes and refuses decide. Where two alternatives can admit, the other one does not apply or
 * is bypassed.
 */
export const VERDICTS = ['passes', 'refuses', 'does_not_apply', 'bypassed', 'not_set'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface RuleVerdict {
  rule: string;
  verdict: Verdict;
}

type Kind = Partial<Pick<Rule, 'isSet' | 'isGrant'>>;

const joined = (rule: Pick<Rule, 'name' | 'expression' | 'joined' | 'parts'>): Rule => ({
  ...rule,
  isSet: true,
  isGrant: false,
});
const expressions = (parts: readonly Rule[]): Visibility[] => parts.map(({ expression }) => expression);

/** Constructors: the expression of a rule with parts follows from theirs. */
export const rule = {
  one: (name: string, expression: Visibility, { isSet = true, isGrant = false }: Kind = {}): Rule => ({
    name,
    expression,
    joined: 'one',
    parts: [],
    isSet,
    isGrant,
  }),

  all: (name: string, parts: readonly Rule[]): Rule =>
    joined({ name, expression: visibility.and(...expressions(parts)), joined: 'all', parts }),

  /** The first part that admits a node makes the others irrelevant. */
  any: (name: string, parts: readonly Rule[]): Rule =>
    joined({ name, expression: visibility.or(...expressions(parts)), joined: 'any', parts }),

  /** No part may match. */
  none: (name: string, parts: readonly Rule[]): Rule =>
    joined({
      name,
      expression: visibility.not(uniteVisibilities(expressions(parts))),
      joined: 'none',
      parts,
    }),

  /** The parts together mean the same as a simpler expression. */
  both: (name: string, expression: Visibility, parts: readonly Rule[]): Rule =>
    joined({ name, expression, joined: 'all', parts }),
};

/** The verdict of each single rule on a node, in the order of the decision. One refusal refuses the node. */
export function verdictsOf(rule: Rule, facts: NodeFacts): RuleVerdict[] {
  switch (rule.joined) {
    case 'one':
      return [verdictOf(rule, sees(rule.expression, facts))];
    case 'all':
      return rule.parts.flatMap((part) => verdictsOf(part, facts));
    case 'none':
      return rule.parts.map((part) => verdictOf(part, !sees(part.expression, facts)));
    case 'any':
      return alternatives(rule.parts, facts);
  }
}

const verdictOf = ({ name, isSet }: Rule, passes: boolean): RuleVerdict => ({
  rule: name,
  verdict: isSet ? (passes ? 'passes' : 'refuses') : 'not_set',
});

/** The verdicts of alternatives. If none admits, the last one, the ordinary one, refuses. */
function alternatives(parts: readonly Rule[], facts: NodeFacts): RuleVerdict[] {
  const taken = parts.findIndex(({ expression }) => sees(expression, facts));
  const deciding = taken === -1 ? parts.length - 1 : taken;
  return parts.flatMap((part, index) => {
    const verdicts = verdictsOf(part, facts);
    if (index === deciding) return verdicts;
    const instead: Verdict = index < deciding ? 'does_not_apply' : 'bypassed';
    return verdicts.map((one) => (one.verdict === 'not_set' ? one : { ...one, verdict: instead }));
  });
}

/** The deciding rule: the first that refuses; else the one that admits the node. */
export function decidingRule(rule: Rule, verdicts: readonly RuleVerdict[]): string {
  const refusing = verdicts.find(({ verdict }) => verdict === 'refuses');
  if (refusing) return refusing.rule;
  const granting = new Set(grantsIn(rule));
  const through = verdicts.find(({ rule: name, verdict }) => verdict === 'passes' && granting.has(name));
  return through?.rule ?? rule.name;
}

const grantsIn = ({ name, isGrant, parts }: Rule): string[] => [
  ...(isGrant ? [name] : []),
  ...parts.flatMap(grantsIn),
];
