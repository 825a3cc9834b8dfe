import { type JSX } from 'preact';

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
