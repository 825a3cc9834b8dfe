import { type Subject } from './operations.js';
import { type Target } from './targets/process.js';

interface Page {
  nodes: { id: string; tags: string[] }[];
  total: number;
}

async function ask<T>(target: Target, subject: Subject, path: string): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${target.port}/api/v1/nodes${path}`, {
    headers: subject.headers,
  });
  if (answer.status !== 200)
    throw new Error(`${target.name}: ${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/**
 * Checks answers, because a rate counts only for the right one: before any timing, every server must give each owner
 * the total that the rule itself gives, and all servers the same page and node.
 */
export async function checkAnswers(targets: Target[], subjects: Subject[]): Promise<void> {
  for (const subject of subjects) {
    const told: string[] = [];
    for (const target of targets) {
      const page = await ask<Page>(target, subject, '?limit=20&include_tags=true');
      if (page.total !== subject.visibleTotal) {
        throw new Error(
          `${target.name} counts ${page.total} nodes of ${subject.owner.username}, the rule ${subject.visibleTotal}`,
        );
      }
      const [id] = subject.visible;
      const node = await ask<{ id: string; title: string; tags: string[] }>(target, subject, `/${id}`);
      told.push(JSON.stringify([page.nodes.map((each) => each.id), node.id, node.title]));
    }
    const different = targets.find((_, index) => told[index] !== told[0]);
    if (different)
      throw new Error(
        `${different.name} answers differently from ${targets[0]?.name} for ${subject.owner.username}`,
      );
  }
}
