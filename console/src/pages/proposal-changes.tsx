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

/** Each change of a suggestion, before and after. */
export function Changes({ proposalId, diff }: { proposalId: string; diff: Diff }): JSX.Element {
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
          <Change proposalId={proposalId} entry={entry} />
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
      return type === 'MERGE_NODES' ? <>Delete {note}, which is merged</> : <>Delete {note}</>;
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

function Change({ proposalId, entry: listed }: { proposalId: string; entry: Entry }): JSX.Element {
  const [whole, setWhole] = useState<Entry | null>(null);
  const { isBusy, error, run } = useWork();
  const entry = whole ?? listed;
  const problem = problemOf(entry);
  const hasConflict = entry.fields.some(({ conflict }) => conflict);
  const show = (): void => void run(async () => setWhole(await entryOf(proposalId, entry)));
  return (
    <>
      {problem && <p class="problem">{problem}</p>}
      {hasConflict && (
        <p class="note">
          Something here was written after this was suggested. This change will not be made, and what you have
          stays.
        </p>
      )}
      <Similar entry={entry} />
      <Sources entry={entry} />
      {entry.values_omitted ? (
        <>
          <p>It changes {listOf(inOrder(entry.fields).map(({ field }) => wordsOf(field)))}.</p>
          <Problem text={error} />
          <Busy type="button" isBusy={isBusy} class="button" onClick={show}>
            Show it
          </Busy>
        </>
      ) : (
        <dl class="changes">
          {inOrder(entry.fields).map((field) => (
            <Field key={field.field} change={entry.change} {...field} />
          ))}
        </dl>
      )}
    </>
  );
}

/** A field with its value; two where it has one now and another one after. */
function Field({ change, field, before, after, conflict }: FieldChange & { change: string }): JSX.Element {
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
          {isPair && <span class="quiet">Now</span>}
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
