import { letter, type LetterText } from './letter-texts.js';
import { type Notice, type NoticeKind, NOTICES_A_DAY } from './notice.js';

/** Facts that a letter needs beside the event itself. */
interface Setting {
  at: Date;
  /** The address of the service, for people with accounts at several. */
  service: string;
  /** False: the reader may be a stranger whose address was given by mistake. */
  isVerified: boolean;
}

interface Wording {
  subject: string;
  /** Without the full stop, so that a detail can follow. */
  happened: string;
  /** Advice for people who did not do it themselves. */
  otherwise?: string;
}

const OTHERWISE =
  'If it was not you, choose a new password, which ends every log-in, and review the apps that are authorized.';

const WORDINGS: Readonly<Record<NoticeKind, Wording>> = {
  'log-in': {
    subject: 'New log-in to your account',
    happened: 'Somebody logged in to your account on a device and from a network that it did not know',
  },
  app: {
    subject: 'An app was authorized to use your account',
    happened: 'An app was authorized to use your account',
    otherwise: 'If it was not you, revoke its authorization and choose a new password.',
  },
  'app-changed': {
    subject: 'The permissions of an app were changed',
    happened:
      'The permissions of an app were changed: what it may do in your account, what it is shown, or for how long',
    otherwise: 'If it was not you, review the authorization of the app and choose a new password.',
  },
  'app-ended': {
    subject: 'An app can no longer use your account',
    happened: 'The authorization of an app was ended; all of its devices are disconnected',
  },
  'app-copied': {
    subject: 'A device was disconnected from your account',
    happened: 'A device of an app was disconnected, because somebody may have copied what it connects with',
    otherwise:
      'Connect the device again if it is yours. If you do not know it, revoke the authorization of the app.',
  },
  key: {
    subject: 'A key was made for an app of yours',
    happened: 'A key was made for an app that you registered',
    otherwise: 'If it was not you, delete the key and choose a new password.',
  },
  export: {
    subject: 'Your account was exported',
    happened: 'Everything in your account was exported to a file',
  },
  password: {
    subject: 'Your password was changed',
    happened: 'The password of your account was changed, which ended every log-in',
    otherwise:
      'If it was not you, ask for a link to choose a new password where you would log in, or tell the operator of the service.',
  },
  'password-reset': {
    subject: 'Your password was reset',
    happened:
      'The password of your account was reset, which ended every log-in and removed every passkey; an authenticator app stays',
    otherwise:
      'If it was not you, ask for a link to choose a new password where you would log in, or tell the operator of the service.',
  },
  'second-factor-added': {
    subject: 'A second factor was added to your account',
    happened: 'An authenticator app was added to your account, and all other log-ins ended',
  },
  'second-factor-removed': {
    subject: 'The second factor of your account was removed',
    happened: 'The authenticator app and the recovery codes were removed: the password alone logs in',
  },
  'recovery-codes-replaced': {
    subject: 'Your recovery codes were replaced',
    happened: 'New recovery codes were made for your account; the old ones no longer work',
  },
  'recovery-code-used': {
    subject: 'A recovery code was used',
    happened: 'A recovery code was used in place of your authenticator app. Codes that are left',
  },
  'passkey-added': {
    subject: 'A passkey was added to your account',
    happened: 'A passkey was added to your account, and all other log-ins ended',
    otherwise:
      'If it was not you, remove the passkey: changing the password does not, only resetting it. Then choose a new password.',
  },
  'passkey-removed': {
    subject: 'A passkey of your account was removed',
    happened: 'A passkey was removed from your account, and all other log-ins ended',
  },
  'passkey-copied': {
    subject: 'A passkey of yours may have been copied',
    happened: 'A log-in was refused, because it came from what may be a copy of a passkey of yours',
    otherwise: 'Remove that passkey, and add a new one on the device that holds it.',
  },
  erasure: {
    subject: 'Your account was erased',
    happened: 'Your account was erased with everything in it, and cannot be brought back',
    otherwise:
      'If it was not you, tell the operator of the service, and change your password wherever else you use it.',
  },
};

export function noticeLetter(
  { kind, appName, detail }: Notice,
  { at, service, isVerified }: Setting,
): LetterText {
  const { subject, happened, otherwise = OTHERWISE } = WORDINGS[kind];
  const more = appName === undefined ? detail : plainly(appName);
  return letter(
    subject,
    isVerified && more !== undefined ? `${happened}:\n${more}` : `${happened}.`,
    whenAndWhere({ at, service }),
    otherwise,
    ...(isVerified
      ? []
      : ['If you know of no such account, somebody gave your address by mistake; you need not do anything.']),
    `At most ${NOTICES_A_DAY} e-mails like this one are sent in a day.`,
  );
}

/**
 * @param link a link that restores the address; null: it was never verified, so the reader may be a stranger
 */
export const addressChangedLetter = (
  link: string | null,
  setting: Pick<Setting, 'at' | 'service'>,
): LetterText =>
  letter(
    'Your e-mail address was changed',
    'The e-mail address of your account was changed: this one is no longer it.',
    whenAndWhere(setting),
    ...(link === null
      ? [
          'If it was not you, tell the operator of the service. If you know of no such account, you need not do anything.',
        ]
      : [
          'If it was not you, use this link within seven days to come back to this address and choose a new password, which ends every log-in and removes every passkey:',
          link,
          'If it was you, you need not do anything.',
        ]),
  );

const whenAndWhere = ({ at, service }: Pick<Setting, 'at' | 'service'>): string =>
  `When: ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC\nWhere: ${service}`;

const NOT_PLAIN = /[^\p{L}\p{M}\p{N}\p{Extended_Pictographic} '’()&+,-]/gu;
const MAX_NAME = 80;

/** A name on a line of its own: no part of it becomes a link, another line, or part of the service's text. */
const plainly = (name: string): string => [...name.replace(NOT_PLAIN, '·')].slice(0, MAX_NAME).join('');
