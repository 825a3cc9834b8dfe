import { type JSX } from 'preact';
import { linkTo } from '../address.js';
import { useLoaded } from '../hooks.js';
import { Loading, Page } from '../parts/basics.jsx';
import { Notes } from '../parts/samples.jsx';
import { authorized } from '../session.js';

/** One note of the person, whole: the page to which assistants link what they cite. */
export function Note({ id }: { id: string }): JSX.Element {
  const { value, error, reload } = useLoaded(async () => {
    const asked = { params: { path: { node_id: id } } };
    return (await authorized().GET('/api/v1/nodes/{node_id}', asked)).data ?? null;
  }, [id]);
  return (
    <Page title="A note" back={{ href: linkTo(), text: 'Start' }}>
      {value === null ? <Loading error={error} reload={reload} /> : <Notes nodes={[value]} />}
    </Page>
  );
}
