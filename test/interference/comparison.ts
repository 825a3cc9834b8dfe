import { Coverage } from './coverage.js';
import { type Plan, tell } from './stories.js';
import { type Subject, SUBJECTS } from './subjects.js';
import { type Twins } from './twins.js';

/** A story is as long as its graph is small enough to be read through. */
const LONGEST = 400;

export interface Comparison {
  seed: number;
  /** How many requests are sent to both worlds, at least. */
  pairs: number;
  say: (text: string) => void;
  /** Whose stories; those for whom whole things are hidden, where it is left out. */
  subjects?: readonly Subject[];
  coverage?: Coverage;
}

/** Tells stories of all subjects by turns, at least one of each; @returns where answers differed, at most ten. */
export async function compare(
  twins: Twins,
  { seed, pairs, say, subjects = SUBJECTS, coverage = new Coverage() }: Comparison,
): Promise<string[]> {
  const findings: string[] = [];
  const most = Math.min(LONGEST, Math.ceil(pairs / subjects.length));
  for (let number = 0; coverage.pairs < pairs && findings.length < 10; number++) {
    const subject = subjects[(seed + number) % subjects.length]!;
    const { heard, reviewed } = coverage;
    const plan = { subject, seed: seed + number, most, heard, reviewed };
    const finding = await findingOf(twins, plan);
    if (finding !== null) findings.push(`SEED=${seed + number} ${finding}`);
    if (finding !== null || number % 4 === 3) say(finding ?? `${coverage.pairs} pairs`);
  }
  say(coverage.summary(twins.operations));
  return findings;
}

/** A step that must go alike in both worlds and does not is a finding, too. */
async function findingOf(twins: Twins, plan: Plan): Promise<string | null> {
  try {
    return (await tell(twins, plan)).finding;
  } catch (error) {
    return `${plan.subject}: ${(error as Error).stack}`;
  }
}
