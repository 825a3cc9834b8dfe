import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useWork } from '../hooks.js';
import { Busy, Field, fieldOf, Problem, submitting } from './basics.jsx';

/** The proof by one of its fields. */
export type FactorProof = { code: string } | { recovery_code: string };

/** The second step of a log-in or of another proof of identity. */
export function SecondFactor({
  verb,
  prove,
  back,
}: {
  verb: string;
  prove: (proof: FactorProof) => Promise<void>;
  back: () => void;
}): JSX.Element {
  const [isRecovery, setRecovery] = useState(false);
  const { isBusy, error, run } = useWork();
  const send = (form: HTMLFormElement): void =>
    void run(async () => {
      const code = fieldOf(form, 'code').replace(/\s/g, '');
      await prove(isRecovery ? { recovery_code: code } : { code });
    });
  return (
    <form onSubmit={submitting(send)}>
      {isRecovery ? (
        <Field
          key="recovery"
          label="Recovery code"
          name="code"
          autocomplete="off"
          hint="One of the ten codes that you were shown; each is good once."
          required
          autofocus
        />
      ) : (
        <Field
          key="totp"
          label="Code of your authenticator app"
          name="code"
          inputMode="numeric"
          autocomplete="one-time-code"
          pattern="\s*\d{3}\s*\d{3}\s*"
          title="six digits"
          required
          autofocus
        />
      )}
      <Problem text={error} />
      <Busy isBusy={isBusy} class="button primary">
        {verb}
      </Busy>
      <p class="links">
        <button type="button" class="link" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </button>
        <button type="button" class="link" onClick={back}>
          Back
        </button>
      </p>
    </form>
  );
}
