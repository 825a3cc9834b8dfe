import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { inOrder, problemOf, wordsOf } from '../changes.js';
import { useWork } from '../hooks.js';
import { Busy, Problem } from '../parts/basics.jsx';
import { Quoted, Seen } from '../parts/seen.jsx';
import { firstDifference, Value } from '../parts/value.jsx';
import { type Diff, type Entry, entryOf, type FieldChange } from '../proposals.js';
import { countOf, listOf } from '../words.js';

const SHOWN = 50;

interface Shown {
  proposalId: string;
  diff: Diff;
  /** True once the suggestion is decided: then nothing more is known of its changes. */
  isPast?: boolean;
}

/** Each change of a suggestion, before and after. */
export function Changes({ proposalId, diff, isPast = false }: Shown): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? diff.entries : diff.entries.slice(0, SHOWN);
  const others = diff.entries.length - shown.length;
  return (
    <>
      {shown.map((entry, index) => (
        <section class="card" key={`${diff.revision} ${index}`}>
          <p class="quiet">
            Change {index + 1} of {diff.entries.length}
          </p>
          <h2>{headingOf(entry)}</h2>
          <Change proposalId={proposalId} entry={entry} isPast={isPast} />
        </section>
      ))}
      {others > 0 && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          Show {countOf(others, 'more change')}
        </button>
      )}
    </>
  );
}

function headingOf({ entity, change, type, title, sources = [] }: Entry): JSX.Element {
  const note = <Quoted name={title} instead="a note" />;
  if (entity === 'relationship')
    return (
      <>
        {{ create: 'Connect two notes', delete: 'Remove a connection' }[change as string] ??
          'Change a connection'}
      </>
    );
  switch (change) {
    case 'create':
      return <>Add a note</>;
    case 'delete':
      return type === 'MERGE_NODES' ? (
        <>Delete {note}, which is merged</>
      ) : (
        <>
          Delete the note <Quoted name={title} instead="without a title" />
        </>
      );
    case 'merge':
      return (
        <>
          Merge {countOf(sources.length, 'note')} into {note}
        </>
      );
    default:
      return <>Change {note}</>;
  }
}

function Change({
  proposalId,
  entry: listed,
  isPast,
}: {
  proposalId: string;
  entry: Entry;
  isPast: boolean;
}): JSX.Element {
  const [whole, setWhole] = useState<Entry | null>(null);
  const { isBusy, error, run } = useWork();
  const entry = whole ?? listed;
  const show = (): void => void run(async () => setWhole(await entryOf(proposalId, entry)));
  return (
    <>
      {!isPast && <Obstacles entry={entry} />}
      <Similar entry={entry} />
      <Sources entry={entry} />
      {!entry.values_omitted ? (
        <Fields entry={entry} isPast={isPast} />
      ) : (
        <>
          <p>It changes {listOf(inOrder(entry.fields).map(({ field }) => wordsOf(field)))}.</p>
          <Problem text={error} />
          {!isPast && (
            <Busy type="button" isBusy={isBusy} class="button" onClick={show}>
              Show it
            </Busy>
          )}
        </>
      )}
    </>
  );
}

/** The reasons why a change would not be made. */
function Obstacles({ entry }: { entry: Entry }): JSX.Element {
  const problem = problemOf(entry);
  return (
    <>
      {problem && <p class="problem">{problem}</p>}
      {entry.fields.some(({ conflict }) => conflict) && (
        <p class="note">
          Something here was written after this was suggested. This change will not be made, and what you have
          stays.
        </p>
      )}
    </>
  );
}

/** The fields of a change; of a note that is deleted, its heading has the title and a sentence the text. */
function Fields({ entry, isPast }: { entry: Entry; isPast: boolean }): JSX.Element {
  const isDeletion = entry.entity === 'node' && entry.change === 'delete';
  const text = isDeletion ? entry.fields.find(({ field }) => field === 'value') : undefined;
  const said = new Set(isDeletion ? ['title', 'value'] : []);
  const rest = inOrder(entry.fields).filter(({ field, conflict }) => conflict || !said.has(field));
  return (
    <>
      {text && (
        <p>
          Its text: “
          <Value field="value" value={text.before} />”
        </p>
      )}
      {isDeletion && !isPast && <p class="hint">You can undo this after you have approved it.</p>}
      <dl class="changes">
        {rest.map((field) => (
          <Field key={field.field} change={entry.change} isPast={isPast} {...field} />
        ))}
      </dl>
    </>
  );
}

/** A field with its value; two where it has one now and another one after. */
function Field({
  change,
  isPast,
  field,
  before,
  after,
  conflict,
}: FieldChange & { change: string; isPast: boolean }): JSX.Element {
  const isPair = change === 'update' || change === 'merge';
  const from = firstDifference(before, after);
  return (
    <div>
      <dt>
        <Seen text={wordsOf(field)} />
        {conflict && <span class="badge warn">changed meanwhile</span>}
      </dt>
      {(isPair || change === 'delete') && (
        <dd>
          {isPair && <span class="quiet">{isPast ? 'Before' : 'Now'}</span>}
          <Value field={field} value={before} from={from} />
        </dd>
      )}
      {(isPair || change === 'create') && (
        <dd>
          {isPair && <span class="quiet">After</span>}
          <Value field={field} value={after} from={from} />
        </dd>
      )}
    </div>
  );
}

const LIKENESS: Record<string, string> = {
  same_title: 'You have a note with the same title',
  similar_title: 'You have a note with nearly the same title',
  similar_meaning: 'You have a note that means nearly the same',
};

function Similar({ entry: { similar_nodes = [] } }: { entry: Entry }): JSX.Element | null {
  if (similar_nodes.length === 0) return null;
  return (
    <ul class="note">
      {similar_nodes.map(({ id, title, reason }) => (
        <li key={id}>
          {LIKENESS[reason]}: <Quoted name={title} instead="a note without a title" />
        </li>
      ))}
    </ul>
  );
}

function Sources({ entry: { sources = [] } }: { entry: Entry }): JSX.Element | null {
  if (sources.length === 0) return null;
  return (
    <>
      <p>Their connections and tags move there, and these are deleted:</p>
      <ul class="plain">
        {sources.map(({ id, title }) => (
          <li key={id}>
            <Quoted name={title} instead="a note without a title" />
          </li>
        ))}
      </ul>
    </>
  );
}
