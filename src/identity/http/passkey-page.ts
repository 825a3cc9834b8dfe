/** The page on which people log in with a passkey and manage their passkeys (rule 1.23h). */
export const PASSKEY_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Your passkeys</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem; }
label, input, form button { display: block; width: 100%; box-sizing: border-box; font: inherit; margin: 0.5rem 0; padding: 0.5rem 0; }
label { padding: 0; }
li button { margin-left: 1rem; }
[hidden] { display: none; }
</style>
</head>
<body>
<h1>Your passkeys</h1>
<p id="status" role="status">This page needs a browser with JavaScript and passkeys.</p>
<section id="outside" hidden>
<form id="with-passkey"><button>Log in with a passkey</button></form>
<form id="with-password">
<label for="email">E-mail address</label>
<input id="email" type="email" autocomplete="username" required>
<label for="password">Password</label>
<input id="password" type="password" autocomplete="current-password" required>
<label id="code-label" for="code" hidden>Code of the authenticator app, or a recovery code</label>
<input id="code" autocomplete="one-time-code" hidden>
<button>Log in with the password</button>
</form>
</section>
<section id="inside" hidden>
<ul id="passkeys"></ul>
<form id="add">
<label for="name">Name of a new passkey</label>
<input id="name" maxlength="100" required>
<button>Add a passkey</button>
</form>
<form id="leave"><button>Log out</button></form>
</section>
<script src="passkeys.js"></script>
</body>
</html>
`;

/** Tokens are only in the memory of the page, and end when the person logs out. */
export const PASSKEY_SCRIPT = `'use strict';
const REASONS = {
  NotAllowedError: 'Your device did not use a passkey. Try again.',
  InvalidStateError: 'This device has a passkey for your account already.',
};
const element = (id) => document.getElementById(id);
let session = null;
let challenge = null;

async function send(method, path, body) {
  const headers = session ? { Authorization: 'Bearer ' + session.access_token } : {};
  if (body) headers['Content-Type'] = 'application/json';
  const answer = await fetch('../api/v1/auth/' + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  const json = text === '' ? null : JSON.parse(text);
  if (answer.ok) return json;
  const { error } = json;
  throw Object.assign(new Error(typeof error === 'string' ? error : error.message), error);
}

async function withPasskey() {
  const { public_key } = await send('POST', 'login/passkey/options');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(public_key);
  const credential = await navigator.credentials.get({ publicKey });
  await enter(await send('POST', 'login/passkey', { credential: credential.toJSON() }));
}

async function withPassword() {
  const [email, password, code] = ['email', 'password', 'code'].map((id) => element(id).value.trim());
  try {
    const proof = /^\\d{6}$/.test(code) ? { code } : { recovery_code: code };
    const answer = challenge && code
      ? await send('POST', 'login/second-factor', { challenge, ...proof })
      : await send('POST', 'login', { email, password: element('password').value });
    await enter(answer);
  } catch (error) {
    challenge = error.code === 'SECOND_FACTOR_REQUIRED' ? error.details.challenge : challenge;
    if (error.code === 'INVALID_CHALLENGE') challenge = null;
    for (const id of ['code', 'code-label']) element(id).hidden = !challenge;
    throw error;
  }
}

async function enter(entered) {
  session = entered;
  challenge = null;
  element('with-password').reset();
  await list();
}

async function list() {
  const { passkeys } = await send('GET', 'passkeys');
  element('passkeys').replaceChildren(...passkeys.map(item));
  show('You are logged in as ' + session.user.username + '.');
}

function item({ id, name, copy_suspected_at }) {
  const [line, button] = [document.createElement('li'), document.createElement('button')];
  line.textContent = name + (copy_suspected_at ? ' (there may be a copy of it: remove it)' : '');
  button.textContent = 'Remove';
  button.setAttribute('aria-label', 'Remove ' + name);
  button.addEventListener('click', () => run(button, async () => {
    await send('DELETE', 'passkeys/' + id);
    await list();
  }));
  line.append(button);
  return line;
}

async function add() {
  const { public_key } = await send('POST', 'passkeys/options');
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(public_key);
  const credential = await navigator.credentials.create({ publicKey });
  await send('POST', 'passkeys', { name: element('name').value, credential: credential.toJSON() });
  element('add').reset();
  await list();
}

/** The session ends with the service, too: nothing else holds its tokens. */
async function end() {
  if (session === null) return;
  const { refresh_token } = session;
  session = null;
  await send('POST', 'logout', { refresh_token }).catch(() => {});
}

async function leave() {
  await end();
  show('You are logged out.');
}

function show(text) {
  element('status').textContent = text;
  element('outside').hidden = session !== null;
  element('inside').hidden = session === null;
}

async function run(button, work) {
  button.disabled = true;
  try {
    await work();
  } catch (error) {
    if (error.code === 'REAUTHENTICATION_REQUIRED' || (session && error.code === 'UNAUTHORIZED')) await end();
    show(REASONS[error.name] ?? error.message);
  } finally {
    button.disabled = false;
  }
}

for (const [id, work] of Object.entries({ 'with-passkey': withPasskey, 'with-password': withPassword, add, leave }))
  element(id).addEventListener('submit', (event) => {
    event.preventDefault();
    void run(event.submitter ?? element(id).querySelector('button'), work);
  });
if (window.PublicKeyCredential?.parseCreationOptionsFromJSON) show('Log in to see, add and remove your passkeys.');
`;
