import { type JSX } from 'preact';
import { placeOf } from '../changes.js';
import { Quoted, Seen } from '../parts/seen.jsx';
import { type Diff } from '../proposals.js';

/** Things that may deceive a reader, before anything else of a suggestion. */
export function Warnings({ diff }: { diff: Diff }): JSX.Element | null {
  const found = diff.warnings.map(({ path, characters }) => ({
    place: placeOf(path, diff.entries),
    characters,
  }));
  const alike = diff.confusable_tags ?? [];
  return (
    <>
      {found.length > 0 && (
        <section class="problem" aria-labelledby="unseen">
          <h2 id="unseen">There are characters that you cannot see</h2>
          <p>
            They are invisible or change the order of the others, so that a text may say something else than
            it seems to. Each is shown here by its code in brackets.
          </p>
          <ul class="plain">
            {found.map(({ place, characters }, index) => (
              <li key={index}>
                <Seen text={place} />: {characters.join(', ')}
              </li>
            ))}
          </ul>
        </section>
      )}
      {alike.length > 0 && (
        <section class="problem" aria-labelledby="alike">
          <h2 id="alike">New tags that look like others</h2>
          <ul class="plain">
            {alike.map(({ name, confusable_with }) => (
              <li key={name}>
                <Quoted name={name} instead="a tag" /> is new, and looks like your tag{' '}
                <Quoted name={confusable_with} instead="of another name" />.
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
