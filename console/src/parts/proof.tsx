import { type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ApiError } from '../../../clients/typescript/src/client.js';
import { Cancelled, codeOf } from '../errors.js';
import { useWork } from '../hooks.js';
import { canUsePasskeys, proveByPasskey } from '../passkeys.js';
import { authorized, hold } from '../session.js';
import { Busy, Field, fieldOf, Problem, submitting } from './basics.jsx';
import { Dialog } from './dialog.jsx';
import { type FactorProof, SecondFactor } from './second-factor.jsx';

interface Question {
  resolve: () => void;
  reject: (reason: Error) => void;
}

let ask: ((question: Question) => void) | null = null;

/**
 * Runs work that may need a fresh proof of identity; then the person is asked for one, and the work runs again.
 * @throws Cancelled when the person gives up
 */
export async function withProof<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) !== 'REAUTHENTICATION_REQUIRED' || ask === null) throw error;
    const show = ask;
    await new Promise<void>((resolve, reject) => show({ resolve, reject }));
    return work();
  }
}

/** The place of the dialogue; drawn once. */
export function ProofPlace(): JSX.Element | null {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    ask = setQuestion;
    return () => {
      ask = null;
    };
  }, []);
  if (question === null) return null;
  const close = (): void => {
    setQuestion(null);
    question.reject(new Cancelled());
  };
  const done = (): void => {
    setQuestion(null);
    question.resolve();
  };
  return (
    <Dialog title="Confirm that it is you" close={close}>
      <ProofForm done={done} close={close} />
    </Dialog>
  );
}

function ProofForm({ done, close }: { done: () => void; close: () => void }): JSX.Element {
  const [challenge, setChallenge] = useState<string | null>(null);
  const { isBusy, error, run } = useWork();
  const byPassword = async (password: string): Promise<void> => {
    try {
      const { data } = await authorized().POST('/api/v1/auth/reauthenticate', { body: { password } });
      if (data !== undefined) hold(data);
      done();
    } catch (caught) {
      if (codeOf(caught) !== 'SECOND_FACTOR_REQUIRED') throw caught;
      setChallenge(((caught as ApiError).details as { challenge: string }).challenge);
    }
  };
  const bySecondFactor = async (proof: FactorProof): Promise<void> => {
    const body = { challenge: challenge ?? '', ...proof };
    const { data } = await authorized().POST('/api/v1/auth/reauthenticate/second-factor', { body });
    if (data !== undefined) hold(data);
    done();
  };
  if (challenge !== null)
    return <SecondFactor verb="Confirm" prove={bySecondFactor} back={() => setChallenge(null)} />;
  return (
    <form onSubmit={submitting((form) => void run(() => byPassword(fieldOf(form, 'password'))))}>
      <p>Your last log-in was more than five minutes ago, and this changes who may see your graph.</p>
      <Field
        label="Password"
        type="password"
        name="password"
        autocomplete="current-password"
        required
        autofocus
      />
      <Problem text={error} />
      <div class="pair">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <Busy isBusy={isBusy} class="button primary">
          Confirm
        </Busy>
      </div>
      {canUsePasskeys() && (
        <p class="links">
          <button type="button" class="link" onClick={() => void run(() => proveByPasskey().then(done))}>
            Use a passkey
          </button>
        </p>
      )}
    </form>
  );
}
