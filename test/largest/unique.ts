import { randomBytes } from 'node:crypto';

/** The text with something after it that no other has. */
export const unique = (text: string): string => `${text} ${randomBytes(4).toString('hex')}`;
