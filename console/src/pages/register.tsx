import { type JSX } from 'preact';
import { useWork } from '../hooks.js';
import { Busy, Field, fieldOf, Page, Problem, submitting } from '../parts/basics.jsx';
import { enter, open } from '../session.js';

export function Register({ logIn }: { logIn: () => void }): JSX.Element {
  const { isBusy, error, run } = useWork();
  const register = (form: HTMLFormElement): void =>
    void run(async () => {
      const body = {
        email: fieldOf(form, 'email').trim(),
        username: fieldOf(form, 'username').trim(),
        password: fieldOf(form, 'password'),
        is_public: false,
        session: 'cookie' as const,
      };
      const { data } = await open.POST('/api/v1/auth/register', { body });
      if (data !== undefined) enter(data);
    });
  return (
    <Page title="Create an account" narrow>
      <p class="lead">Everything in it is yours alone until you let somebody see it.</p>
      <form class="card" onSubmit={submitting(register)}>
        <Field label="E-mail address" type="email" name="email" autocomplete="email" required />
        <Field
          label="Username"
          name="username"
          autocomplete="username"
          pattern="[A-Za-z0-9_.\-]{3,40}"
          title="3 to 40 letters, digits, _ . or -"
          hint="3 to 40 letters, digits, _ . or -. Others can find you by it."
          required
        />
        <Field
          label="Password"
          type="password"
          name="password"
          autocomplete="new-password"
          minLength={8}
          maxLength={200}
          hint="At least 8 characters. A few unrelated words are good."
          required
        />
        <Problem text={error} />
        <Busy isBusy={isBusy} class="button primary wide">
          Create the account
        </Busy>
      </form>
      <p class="links centred">
        <button type="button" class="link" onClick={logIn}>
          Log in instead
        </button>
      </p>
    </Page>
  );
}
