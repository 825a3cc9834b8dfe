import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type ApiError } from '../../../clients/typescript/src/client.js';
import { codeOf } from '../errors.js';
import { useWork } from '../hooks.js';
import { Busy, Field, fieldOf, Page, Problem, submitting } from '../parts/basics.jsx';
import { type FactorProof, SecondFactor } from '../parts/second-factor.jsx';
import { canUsePasskeys, logInByPasskey } from '../passkeys.js';
import { enter, open } from '../session.js';

/**
 * The way in, shown in the place of any page that needs a person; that page follows at the same address.
 * @param purpose why the person has to log in, if the page can say so
 */
export function LogIn({
  notice,
  purpose,
  choose,
}: {
  notice: string | null;
  purpose: string | null;
  choose: (way: 'register' | 'forgotten') => void;
}): JSX.Element {
  const [challenge, setChallenge] = useState<string | null>(null);
  const { isBusy, error, run } = useWork();
  const byPassword = async (email: string, password: string): Promise<void> => {
    try {
      const body = { email, password, session: 'cookie' as const };
      const { data } = await open.POST('/api/v1/auth/login', { body });
      if (data !== undefined) enter(data);
    } catch (caught) {
      if (codeOf(caught) !== 'SECOND_FACTOR_REQUIRED') throw caught;
      setChallenge(((caught as ApiError).details as { challenge: string }).challenge);
    }
  };
  const bySecondFactor = async (proof: FactorProof): Promise<void> => {
    const body = { challenge: challenge ?? '', ...proof, session: 'cookie' as const };
    const { data } = await open.POST('/api/v1/auth/login/second-factor', { body });
    if (data !== undefined) enter(data);
  };
  if (challenge !== null)
    return (
      <Page title="One more step" narrow>
        <div class="card">
          <SecondFactor verb="Log in" prove={bySecondFactor} back={() => setChallenge(null)} />
        </div>
      </Page>
    );
  return (
    <Page title="Log in" narrow>
      <p class="lead" role="status">
        {notice ?? purpose ?? 'Your graph, and your rules on who sees it.'}
      </p>
      <form
        class="card"
        onSubmit={submitting(
          (form) => void run(() => byPassword(fieldOf(form, 'email').trim(), fieldOf(form, 'password'))),
        )}
      >
        <Field label="E-mail address" type="email" name="email" autocomplete="username" required />
        <Field label="Password" type="password" name="password" autocomplete="current-password" required />
        <Problem text={error} />
        <Busy isBusy={isBusy} class="button primary wide">
          Log in
        </Busy>
        {canUsePasskeys() && (
          <>
            <p class="or">or</p>
            <button
              type="button"
              class="button wide"
              onClick={() => void run(async () => enter(await logInByPasskey()))}
            >
              Log in with a passkey
            </button>
          </>
        )}
      </form>
      <p class="links centred">
        <button type="button" class="link" onClick={() => choose('register')}>
          Create an account
        </button>
        <button type="button" class="link" onClick={() => choose('forgotten')}>
          Forgot your password?
        </button>
      </p>
    </Page>
  );
}
