import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useWork } from '../hooks.js';
import { Busy, Field, fieldOf, Page, Problem, submitting } from '../parts/basics.jsx';
import { open } from '../session.js';

/** Asks for a link by which a person chooses a new password. */
export function Forgotten({ back }: { back: () => void }): JSX.Element {
  const [isSent, setSent] = useState(false);
  const { isBusy, error, run } = useWork();
  const ask = (form: HTMLFormElement): void =>
    void run(async () => {
      const body = { email: fieldOf(form, 'email').trim() };
      await open.POST('/api/v1/auth/password/reset-request', { body });
      setSent(true);
    });
  return (
    <Page title="A new password" narrow>
      {isSent ? (
        <p class="lead" role="status">
          If this is the confirmed address of an account, a letter with a link is on its way. The link holds
          for an hour.
        </p>
      ) : (
        <>
          <p class="lead">
            A letter with a link comes to you, by which you choose a new password. Where this service sends no
            letters, the person who runs it can give you such a link.
          </p>
          <form class="card" onSubmit={submitting(ask)}>
            <Field label="E-mail address" type="email" name="email" autocomplete="username" required />
            <Problem text={error} />
            <Busy isBusy={isBusy} class="button primary wide">
              Send the letter
            </Busy>
          </form>
        </>
      )}
      <p class="links centred">
        <button type="button" class="link" onClick={back}>
          Back to the log-in
        </button>
      </p>
    </Page>
  );
}
