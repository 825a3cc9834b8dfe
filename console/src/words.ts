export type Scope =
  | 'graph:discover'
  | 'graph:read'
  | 'files:read'
  | 'graph:propose'
  | 'graph:create'
  | 'graph:edit'
  | 'graph:delete';

interface ScopeWords {
  may: string;
  more: string;
  /** True for what changes the graph without its owner. */
  isWrite: boolean;
}

/** Permissions in plain words, in the order in which they are shown: reading, suggesting, changing. */
export const SCOPES: Record<Scope, ScopeWords> = {
  'graph:discover': { may: 'See the names of your tags', more: 'Not the notes behind them.', isWrite: false },
  'graph:read': {
    may: 'Read notes with their files',
    more: 'Only those that you choose under “What it may see”.',
    isWrite: false,
  },
  'files:read': {
    may: 'Open files',
    more: 'Only those that you choose under “What it may see”.',
    isWrite: false,
  },
  'graph:propose': {
    may: 'Suggest changes',
    more: 'Nothing happens until you approve a suggestion.',
    isWrite: false,
  },
  'graph:create': { may: 'Add notes', more: 'Without asking you each time.', isWrite: true },
  'graph:edit': { may: 'Change notes', more: 'Without asking you each time.', isWrite: true },
  'graph:delete': {
    may: 'Delete notes',
    more: 'Without asking you each time. You can restore them.',
    isWrite: true,
  },
};

export const ORDER = Object.keys(SCOPES) as Scope[];

/**
 * The scopes with a line of their own: reading notes includes their files, asked for or not.
 * @param held those that hold, if some of them are unchecked
 */
export const linesOf = (scopes: readonly Scope[], held = scopes): Scope[] =>
  scopes.filter((scope) => scope !== 'files:read' || !held.includes('graph:read'));

/** Scopes that the console knows, in its order. */
export const inOrder = (scopes: readonly string[]): Scope[] =>
  ORDER.filter((scope) => scopes.includes(scope));

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Several permissions in one sentence. */
export function sentenceOf(scopes: readonly Scope[]): string {
  const parts = linesOf(scopes).map((scope) => lower(SCOPES[scope].may));
  if (parts.length === 0) return 'May do nothing at present.';
  return `May ${listOf(parts)}.`;
}

export const listOf = (parts: readonly string[], type: Intl.ListFormatType = 'conjunction'): string =>
  new Intl.ListFormat('en', { type }).format(parts);

export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric' });
const MOMENT = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });

export const timeOf = (at: string): string => TIME.format(new Date(at));
export const dayOf = (at: string | Date): string => DAY.format(new Date(at));
export const momentOf = (at: string): string => MOMENT.format(new Date(at));

/** The moment that is this number of days from now. */
export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** The time that has passed, or the day where that is more than a month ago. */
export function agoOf(at: string): string {
  const seconds = (new Date(at).getTime() - Date.now()) / 1000;
  if (Math.abs(seconds) > 30 * 86_400) return `on ${dayOf(at)}`;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['minute', 60];
  return Math.abs(seconds) < 60 ? 'just now' : RELATIVE.format(Math.round(seconds / length), unit);
}
