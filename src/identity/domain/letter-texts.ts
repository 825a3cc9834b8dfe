/** The text of a letter: plain, with nothing from the graph and nothing that a stranger could have chosen. */
export interface LetterText {
  subject: string;
  text: string;
}

export const letter = (subject: string, ...paragraphs: string[]): LetterText => ({
  subject,
  text: `${paragraphs.join('\n\n')}\n`,
});

export const resetLetter = (link: string): LetterText =>
  letter(
    'Choose a new password',
    'Somebody, probably you, asked for a new password for your account. Use this link within one hour to choose one:',
    link,
    'The link works once. The new password ends every log-in of your account and removes its passkeys; an authenticator app stays.',
    'If you did not ask for it, you need not do anything: your password stays as it is.',
  );

export const verificationLetter = (link: string): LetterText =>
  letter(
    'Confirm your e-mail address',
    'Somebody, probably you, has an account with this address. Use this link within a day to confirm that the address is yours:',
    link,
    'The link works once. From then on an e-mail to this address can replace a lost password.',
    'If the account is not yours, do not use the link.',
  );

export const changeLetter = (link: string): LetterText =>
  letter(
    'Confirm your new e-mail address',
    'Somebody, probably you, wants this address to be the one of their account. Use this link within a day to confirm that it is yours:',
    link,
    'The link works once; nothing changes before.',
    'If the account is not yours, do not use the link.',
  );
