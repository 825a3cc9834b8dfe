import { type JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { linkTo } from '../address.js';
import { codeOf, PlainError } from '../errors.js';
import { useWork } from '../hooks.js';
import { deviceRequest } from '../oauth.js';
import { Busy, Field, fieldOf, Page, Problem, submitting } from '../parts/basics.jsx';
import { go } from '../router.js';

const UNKNOWN =
  'No device waits with this code. Codes hold for a few minutes: look again, or let the device show a new one.';

/** Letters and digits in the form in which devices show them. */
const tidied = (code: string): string => {
  const letters = code.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return letters.length === 8 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
};

export function Device({ code }: { code: string | null }): JSX.Element {
  const { isBusy, error, run } = useWork();
  const look = (entered: string): void =>
    void run(async () => {
      const request = await deviceRequest(tidied(entered)).catch((caught: unknown) => {
        if (codeOf(caught) === 'NOT_FOUND' || codeOf(caught) === 'VALIDATION_ERROR')
          throw new PlainError(UNKNOWN);
        throw caught;
      });
      go(`${linkTo('consent')}?request=${encodeURIComponent(request)}`);
    });
  useEffect(() => history.replaceState(null, '', linkTo('device')), []);
  return (
    <Page title="Connect a device" narrow>
      <p class="lead">
        Enter the code that your device shows. Go on only if you began this yourself, on a device in front of
        you.
      </p>
      <form class="card" onSubmit={submitting((form) => look(fieldOf(form, 'code')))}>
        <Field
          label="Code"
          name="code"
          class="code"
          defaultValue={code === null ? '' : tidied(code)}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          maxLength={20}
          placeholder="BCDF-GHJK"
          required
        />
        <Problem text={error} />
        <Busy isBusy={isBusy} class="button primary wide">
          Continue
        </Busy>
      </form>
    </Page>
  );
}
