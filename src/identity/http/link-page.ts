/** The page that the link in an e-mail opens. The script fills in the texts of the link's purpose. */
export const LINK_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Your account</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem; }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; margin: 0.5rem 0; padding: 0.5rem 0; }
label { padding: 0; }
[hidden] { display: none; }
</style>
</head>
<body>
<h1 id="title" tabindex="-1">Your account</h1>
<p id="text" role="status">This page needs the whole link of the letter, and a browser with JavaScript.</p>
<form id="form" hidden>
<label id="label" for="password">New password</label>
<input id="password" type="password" autocomplete="new-password" minlength="8" maxlength="200">
<button id="button"></button>
</form>
<script src="account/link.js"></script>
</body>
</html>
`;

/**
 * Acts only when the person presses the button: a program that follows links, such as a scanner of letters,
 * uses none up. The secret is removed from the address bar at once.
 */
export const LINK_SCRIPT = `'use strict';
const PURPOSES = {
  reset: {
    title: 'Choose a new password',
    text: 'Every log-in of your account ends with it, and every passkey is removed.',
    button: 'Set the password',
    path: 'auth/password/reset',
    asksPassword: true,
    done: 'Your password is a new one. You can log in with it now.',
  },
  verify: {
    title: 'Confirm your e-mail address',
    text: 'An e-mail to this address can then replace a lost password. If the account is not yours, close this page.',
    button: 'Confirm the address',
    path: 'auth/email/verify',
    done: 'Your e-mail address is confirmed.',
  },
  change: {
    title: 'Confirm your new e-mail address',
    text: 'It becomes the address of your account. If the account is not yours, close this page.',
    button: 'Use this address',
    path: 'auth/email/confirm',
    done: 'This is the e-mail address of your account now.',
  },
  undo: {
    title: 'Come back to your e-mail address',
    text: 'This address becomes the one of your account again, with a new password. Every log-in ends, and every passkey is removed.',
    button: 'Take the address back',
    path: 'auth/email/undo',
    asksPassword: true,
    done: 'The address is yours again. Log in with the new password, and look at the apps that are let in.',
  },
};
const element = (id) => document.getElementById(id);
const [name, token] = location.hash.slice(1).split('=');
const purpose = Object.hasOwn(PURPOSES, name) && token ? PURPOSES[name] : null;
if (purpose) {
  history.replaceState(null, '', location.pathname);
  element('title').textContent = purpose.title;
  element('text').textContent = purpose.text;
  element('button').textContent = purpose.button;
  element('password').required = purpose.asksPassword === true;
  for (const id of ['label', 'password']) element(id).hidden = !purpose.asksPassword;
  element('form').hidden = false;
}
// Not by disabling the button, which takes the focus away from people who use the keyboard.
let isSending = false;
element('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  if (isSending) return;
  isSending = true;
  element('text').textContent = await send().catch(() => 'The service cannot be reached. Try again.');
  isSending = false;
});
async function send() {
  const body = purpose.asksPassword ? { token, new_password: element('password').value } : { token };
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch('api/v1/' + purpose.path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) {
    const { error } = await answer.json();
    return typeof error === 'string' ? error : error.message;
  }
  element('form').hidden = true;
  element('title').focus();
  return purpose.done;
}
`;
