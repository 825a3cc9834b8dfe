import { type JSX } from 'preact';
import { type components } from '../../../clients/typescript/src/schema.js';
import { textVisibly } from '../../../src/kernel/text/unseen-characters.js';
import { linkTo } from '../address.js';
import { useLoaded } from '../hooks.js';
import { Loading, Page } from '../parts/basics.jsx';
import { Value } from '../parts/value.jsx';
import { authorized } from '../session.js';
import { dayOf } from '../words.js';

type NoteOfGraph = components['schemas']['NodeDto'];

const back = () => ({ href: linkTo(), text: 'Start' });

/** One note of the person, whole: the page to which assistants and suggestions link. */
export function Note({ id }: { id: string }): JSX.Element {
  const { value, error, reload } = useLoaded(async () => {
    const asked = { params: { path: { node_id: id } } };
    return (await authorized().GET('/api/v1/nodes/{node_id}', asked)).data ?? null;
  }, [id]);
  if (value === null)
    return (
      <Page title="Note" back={back()}>
        <Loading error={error} reload={reload} />
      </Page>
    );
  return <Shown note={value} />;
}

function Shown({ note }: { note: NoteOfGraph }): JSX.Element {
  const { title, value, node_type, tags, metadata, created_at, updated_at } = note;
  const hasFacts = Object.keys(metadata ?? {}).length > 0;
  return (
    <Page title={title ? textVisibly(title) : 'A note without a title'} back={back()}>
      {note.is_shared === true && <p class="note">Somebody else wrote this note and shares it with you.</p>}
      {value && (
        <section class="card" aria-label="Text">
          <Value field="value" value={value} />
        </section>
      )}
      <section class="card" aria-label="About this note">
        <dl class="facts">
          <Fact name="Kind" field="node_type" value={node_type} />
          <Fact name="Tags" field="tags" value={tags} />
          {hasFacts && <Fact name="Facts" field="metadata" value={metadata} />}
          {created_at && <Day name="Written" at={created_at} />}
          {updated_at && <Day name="Last changed" at={updated_at} />}
        </dl>
      </section>
    </Page>
  );
}

function Fact({ name, field, value }: { name: string; field: string; value: unknown }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Value field={field} value={value} />
      </dd>
    </div>
  );
}

function Day({ name, at }: { name: string; at: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <time datetime={at}>{dayOf(at)}</time>
      </dd>
    </div>
  );
}
