import { type JSX } from 'preact';
import { type ConsentRequest } from '../oauth.js';
import { countOf } from '../words.js';

interface Length {
  days: number | null;
  text: string;
}

/** The choices of an end, the first one being that of the app or, if it names none, 90 days. */
export function lengthsOf(asked: number): Length[] {
  const usual: Length[] = [
    { days: 90, text: '90 days' },
    { days: 365, text: 'A year' },
    { days: null, text: 'Until I end it' },
  ];
  if (asked === 90) return usual;
  const own = { days: asked, text: `${countOf(asked, 'day')}, as the app asks` };
  return [own, ...usual.filter(({ days }) => days !== asked)];
}

export function HowLong({
  asked,
  days,
  change,
}: {
  asked: ConsentRequest;
  days: number | null;
  change: (days: number | null) => void;
}): JSX.Element {
  return (
    <section class="card">
      <h2 id="how-long">How long</h2>
      <div role="radiogroup" aria-labelledby="how-long" class="row">
        {lengthsOf(asked.expires_in_days).map(({ days: each, text }) => (
          <label class="choice" key={text}>
            <input type="radio" name="length" checked={each === days} onChange={() => change(each)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </section>
  );
}
