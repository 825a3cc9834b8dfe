import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { countOf } from '../words.js';
import { Quoted, Seen } from './seen.jsx';

interface Shown {
  field: string;
  value: unknown;
  /** The place where a long text differs from its other state: an excerpt begins there. */
  from?: number;
}

/** The most characters of a text that is shown at once, and of the excerpt from a longer one. */
const LONG = 4_000;
const EXCERPT = 2_000;
const LEAD = 200;

const ENDS: ReadonlySet<string> = new Set(['from_node_id', 'to_node_id', 'from_ref', 'to_ref']);
/** Fields whose values are constants of the service. */
const CONSTANTS: ReadonlySet<string> = new Set(['node_type', 'meaning_level', 'graph_view']);
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A value of a change, as text: never as HTML, and with names in the place of ids. */
export function Value({ field, value, from = 0 }: Shown): JSX.Element {
  if (value === null || value === undefined || value === '') return <span class="quiet">nothing</span>;
  if (ENDS.has(field)) return <Quoted name={nameIn(value, 'title')} instead="a note that is not there" />;
  if (field === 'schema_id')
    return <Quoted name={nameIn(value, 'name')} instead="a schema that is not there" />;
  if (typeof value === 'string')
    return (
      <Text text={CONSTANTS.has(field) ? value.toLowerCase().replaceAll('_', ' ') : value} from={from} />
    );
  return <Parts value={field === 'metadata' ? factsIn(value) : value} />;
}

function Text({ text, from = 0 }: { text: string; from?: number }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const isShort = isWhole || text.length <= LONG;
  const begin = isShort ? 0 : betweenCharacters(text, Math.max(0, from - LEAD));
  const end = isShort ? text.length : betweenCharacters(text, begin + EXCERPT);
  return (
    <>
      <span class="said">
        {begin > 0 && '… '}
        <Seen text={text.slice(begin, end)} />
        {end < text.length && ' …'}
      </span>
      {!isShort && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all {countOf(text.length, 'character')}
        </button>
      )}
    </>
  );
}

/** The place, or the one before it where it is inside of a pair of surrogates. */
const betweenCharacters = (text: string, place: number): number =>
  (text.codePointAt(place - 1) ?? 0) > 0xffff ? place - 1 : place;

/** The first place at which two values differ, where both are texts. */
export function firstDifference(one: unknown, other: unknown): number {
  if (typeof one !== 'string' || typeof other !== 'string') return 0;
  let place = 0;
  while (place < one.length && one[place] === other[place]) place += 1;
  return place;
}

/** The name that an answer has beside an id; an id without one says nothing to a person. */
function nameIn(value: unknown, key: 'title' | 'name'): string | null {
  if (typeof value === 'string') return ID.test(value) ? null : value;
  const name = (value as Record<string, unknown>)[key];
  return typeof name === 'string' ? name : null;
}

/** Facts are held in one object inside of another one, which says nothing to a person. */
function factsIn(value: object): unknown {
  const [[key, facts] = [], ...others] = Object.entries(value);
  return key === 'properties' && others.length === 0 ? facts : value;
}

/** A list or an object, part by part: in one text, a part could pretend to be another one. */
function Parts({ value }: { value: unknown }): JSX.Element {
  if (typeof value === 'string') return <Text text={value} />;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'number') return <>{value}</>;
  const parts = Object.entries(value ?? {});
  if (parts.length === 0) return <span class="quiet">nothing</span>;
  return (
    <ul class="parts">
      {parts.map(([key, part]) => (
        <li key={key}>
          {!Array.isArray(value) && (
            <span class="quiet">
              <Seen text={key} />:{' '}
            </span>
          )}
          <Parts value={part} />
        </li>
      ))}
    </ul>
  );
}
