import { type Answer } from '../support/client.js';

interface Detail {
  field: string;
  message?: string;
}

/** Checks messages about invalid fields like a human reader. */
export class ReadMessages {
  heard = 0;
  readonly faults = new Set<string>();

  read(operation: string, { body }: Answer): void {
    const details = (body as { error?: { details?: unknown } } | null)?.error?.details;
    for (const { field, message } of Array.isArray(details) ? (details as Detail[]) : []) {
      if (message === undefined) continue;
      this.heard++;
      const fault = faultOf(field, message);
      if (fault) this.faults.add(`${operation} ${field}: ${message} (${fault})`);
    }
  }
}

/** Faults for a human reader: the field's name repeated, a pattern, a placeholder, a whole paragraph. */
function faultOf(field: string, message: string): string | null {
  const name = field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '';
  const words = message.replace(/\{[^}]*\}/g, '');
  if (name !== '' && new RegExp(`\\b${name}\\b`).test(words)) return 'repeats the field';
  if (/[\^\\]|\$\w|regular expression|each value|should not/.test(message)) return 'is not for people';
  return message.length > 200 ? 'is too long' : null;
}
