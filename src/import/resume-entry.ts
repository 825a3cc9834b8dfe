import { oneLine } from './clean-text.js';

/**
 * One entry of a résumé, read tolerantly: a value of the wrong type counts as absent. Fields that were not
 * read stay in `rest`, so that nothing of the source is lost.
 */
export class ResumeEntry {
  private readonly asked = new Set<string>();

  constructor(
    readonly place: string,
    private readonly fields: Record<string, unknown>,
  ) {}

  /** The first of the fields that is a text, on one line. */
  line(...names: string[]): string | null {
    return oneLine(this.text(...names) ?? '') || null;
  }

  text(...names: string[]): string | null {
    for (const name of names) {
      const value = this.fields[name];
      if (typeof value !== 'string' || value.trim() === '') continue;
      this.asked.add(name);
      return value.trim();
    }
    return null;
  }

  list(name: string): string[] {
    const value = this.fields[name];
    if (!Array.isArray(value)) return [];
    this.asked.add(name);
    return value
      .filter((item) => typeof item === 'string')
      .map(oneLine)
      .filter((item) => item !== '');
  }

  rest(): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(this.fields).filter(([name, value]) => !this.asked.has(name) && !isEmpty(value)),
    );
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

export interface When {
  type: 'instance' | 'series';
  status: 'done' | 'ongoing' | 'future';
  start?: string;
  end?: string;
}

const PARTIAL_DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T.*)?)?)?$/;

/** The date as written, without a time of day; null for a day or month that does not exist. */
function partialDate(written: string | null): string | null {
  const [date, year, month = '01', day = '01'] = PARTIAL_DATE.exec(written ?? '') ?? [];
  if (date === undefined) return null;
  const existing = new Date(
    Date.UTC(2000 + (Number(year) % 400), Number(month) - 1, Number(day)),
  ).toISOString();
  return existing.slice(5, 10) === `${month}-${day}` ? date.slice(0, 10) : null;
}

/**
 * `when` of an EXPERIENCE, dates as written (2014, 2014-06 or 2014-06-29). A period is a series, a single
 * day an instance. A period without an end is ongoing. Without a readable date: null.
 */
export function whenOf(start: string | null, end: string | null, now: Date): When | null {
  const [from, to] = [partialDate(start), partialDate(end)];
  if (!from && !to) return null;
  const today = now.toISOString();
  // A partial date is compared to its own precision: 2014 is over when it is 2015.
  const isBefore = (date: string): boolean => date < today.slice(0, date.length);
  const isAfter = (date: string): boolean => date > today.slice(0, date.length);
  const begins = from && isAfter(from);
  const status = begins ? 'future' : to && (isBefore(to) || to === today.slice(0, 10)) ? 'done' : 'ongoing';
  return {
    type: from === to ? 'instance' : 'series',
    status,
    ...(from && { start: from }),
    ...(to && { end: to }),
  };
}
