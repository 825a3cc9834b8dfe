import { type ComponentChildren, type JSX } from 'preact';
import { wordsOf } from '../changes.js';
import { Seen } from '../parts/seen.jsx';
import { type Diff, type Disclosure } from '../proposals.js';
import { countOf, listOf } from '../words.js';

const LISTED = 10;

/** The apps that would be shown more than now, and of which notes. */
export function WhoSeesMore({ diff }: { diff: Diff }): JSX.Element {
  const apps = (diff.disclosures ?? []).filter(
    (one) => one.nodes.length + one.relationships + one.relationship_texts > 0,
  );
  return (
    <section class="card">
      <h2>Who would see more</h2>
      {diff.disclosures_complete === false && (
        <p class="note">There is too much here to compare all of it: apps may see more than is listed.</p>
      )}
      {apps.length === 0 ? (
        <p>No app is shown more than now.</p>
      ) : (
        <ul class="lines">
          {apps.map((one) => (
            <li key={one.app.id}>
              <strong>
                <Seen text={one.app.name} />
              </strong>
              {one.is_proposing && <span class="quiet">, which suggests this,</span>} would newly see
              <WhatItSees app={one} />
            </li>
          ))}
        </ul>
      )}
      <p class="hint">People with whom you share notes are not listed here.</p>
    </section>
  );
}

function WhatItSees({ app }: { app: Disclosure }): JSX.Element {
  const notes = app.nodes.map((node, index) => (
    <li key={index}>
      {node.newly_readable ? 'the note ' : partsOf(node)}“<Seen text={node.title} />”
      {node.newly_readable && node.earlier_versions && ' with its earlier versions'}
    </li>
  ));
  const [first, others] = [notes.slice(0, LISTED), notes.slice(LISTED)];
  return (
    <>
      <Parts>
        {first}
        {app.relationships > 0 && <li>{countOf(app.relationships, 'connection')} between notes</li>}
        {app.relationship_texts > 0 && <li>words of {countOf(app.relationship_texts, 'connection')}</li>}
      </Parts>
      {others.length > 0 && (
        <details>
          <summary>{countOf(others.length, 'more note')}</summary>
          <Parts>{others}</Parts>
        </details>
      )}
    </>
  );
}

const Parts = ({ children }: { children: ComponentChildren }): JSX.Element => (
  <ul class="parts">{children}</ul>
);

/** The parts of a note that an app reads already. */
function partsOf({ fields, earlier_versions }: Disclosure['nodes'][number]): JSX.Element {
  const parts = [...fields.map(wordsOf), ...(earlier_versions ? ['earlier versions'] : [])];
  return (
    <>
      <Seen text={listOf(parts)} /> of{' '}
    </>
  );
}
