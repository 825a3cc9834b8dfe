import { type Operation } from '../support/operations.js';
import { askable } from './random-requests.js';

/** Which operations were asked, and with what success: what a run without a finding is worth. */
export class Coverage {
  private readonly statuses = new Map<string, Map<number, number>>();
  pairs = 0;

  readonly heard = (operation: string, status: number): void => {
    this.pairs++;
    const counts = this.statuses.get(operation) ?? new Map<number, number>();
    this.statuses.set(operation, counts.set(status, (counts.get(status) ?? 0) + 1));
  };

  summary(operations: Operation[]): string {
    const names = askable(operations).map(({ name }) => name);
    const fulfilled = (name: string): boolean =>
      [...(this.statuses.get(name)?.keys() ?? [])].some((status) => status < 300);
    const byStatus = new Map<number, number>();
    for (const counts of this.statuses.values())
      for (const [status, count] of counts) byStatus.set(status, (byStatus.get(status) ?? 0) + count);
    return [
      `${this.pairs} pairs of answers compared: ${JSON.stringify(Object.fromEntries(byStatus))}`,
      `${names.filter((name) => this.statuses.has(name)).length} of ${names.length} operations asked`,
      `never fulfilled: ${names.filter((name) => !fulfilled(name)).join(', ') || 'none'}`,
    ].join('\n  ');
  }
}
