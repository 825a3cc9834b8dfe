import { type JSX } from 'preact';
import { countOf } from '../words.js';

interface Shown {
  id: string;
  title?: string | null;
  value?: string | null;
  node_type?: string | null;
}

/** Notes as an app sees them; what it does not see of one is named, not left out in silence. */
export function Notes({ nodes }: { nodes: readonly Shown[] }): JSX.Element {
  return (
    <ul class="notes">
      {nodes.map(({ id, title, value, node_type }) => (
        <li key={id}>
          <strong>{title || <em class="quiet">title hidden</em>}</strong>
          {node_type && <span class="kind">{node_type.toLowerCase().replaceAll('_', ' ')}</span>}
          {value && <p>{value}</p>}
        </li>
      ))}
    </ul>
  );
}

/** The number of notes that an app sees, and some of them. */
export function Samples({
  read,
  all,
  nodes,
}: {
  read: number;
  all: number;
  nodes: readonly Shown[];
}): JSX.Element {
  return (
    <>
      <p>
        <strong>{read.toLocaleString('en')}</strong> of {countOf(all, 'note')}
      </p>
      {read > 0 && (
        <>
          <p class="quiet">As the app would see them:</p>
          <Notes nodes={nodes} />
        </>
      )}
    </>
  );
}
