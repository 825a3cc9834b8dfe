import { Coverage } from './coverage.js';
import { type Plan, runStory } from './stories.js';
import { type Subject, SUBJECTS } from './subjects.js';
import { type Twins } from './twins.js';

/** The longest story for which the graph stays small enough to be read through. */
const LONGEST = 400;

export interface Comparison {
  seed: number;
  /** The least number of requests that are sent to both worlds. */
  pairs: number;
  say: (text: string) => void;
  /** The subjects of the stories; by default those from whom whole things are hidden. */
  subjects?: readonly Subject[];
  coverage?: Coverage;
}

/** Runs stories of all subjects in turns, at least one of each. @returns the differences found, at most ten */
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

/** A setup step with different outcomes in the two worlds is a finding as well. */
async function findingOf(twins: Twins, plan: Plan): Promise<string | null> {
  try {
    return (await runStory(twins, plan)).finding;
  } catch (error) {
    return `${plan.subject}: ${(error as Error).stack}`;
  }
}
