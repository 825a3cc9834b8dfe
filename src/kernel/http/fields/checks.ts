import { applyDecorators } from '@nestjs/common';
import * as validator from 'class-validator';
import { codePoints } from '../../text/code-points.js';
import { isId } from '../../ids.js';
import { sendableAddress } from '../../mail/address.js';
import { hasUnseen, NAME_IS_SEEN } from '../../text/unseen-characters.js';

/**
 * The options of a check with its message: a short phrase without patterns and without the field's name, which
 * `details` has beside it. With `each` the check is for the entries of a list.
 */
const withMessage = (message: string, each = false): validator.ValidationOptions =>
  each ? { each, message: `each entry ${message}` } : { message };

const amount = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

export const isString = (each?: boolean) => validator.IsString(withMessage('must be a string', each));

/** Counts code points, as the domain does: the library counts an emoji and its variation selector as one. */
export const hasAtLeast = (min: number, each?: boolean) =>
  holds(
    'minLength',
    (text) => codePoints(text) >= min,
    min === 1 ? 'must not be empty' : `must have at least ${amount(min, 'character')}`,
    each,
  );

export const hasAtMost = (max: number, each?: boolean) =>
  holds(
    'maxLength',
    (text) => text.length <= max || (text.length <= 2 * max && codePoints(text) <= max),
    `must have at most ${amount(max, 'character')}`,
    each,
  );

export const isSeenWhole = () => holds('isSeenWhole', (text) => !hasUnseen(text), NAME_IS_SEEN);

/** @param expected the accepted form, such as `#RRGGBB` */
export const matches = (pattern: RegExp, expected: string, each?: boolean) =>
  validator.Matches(pattern, withMessage(`must be ${expected}`, each));

/** Checks only the shape, as for ids in paths: ids that callers choose need not have a known UUID version. */
export const isUuid = (each?: boolean) => holds('isUuid', isId, 'must be a UUID', each);

/** Checks only the form: existing accounts may have addresses that are refused for new ones today. */
export const isEmail = () => holds('isEmail', isAddress, 'must be an e-mail address');

/** Checks the address of a new account or a change of it: it must also be free of invisible characters. */
export const isNewEmail = () => applyDecorators(isEmail(), isSeenWhole());

const isAddress = (text: string): boolean => validator.isEmail(sendableAddress(text));

export const isBoolean = () => validator.IsBoolean(withMessage('must be true or false'));

export const isInteger = () => validator.IsInt(withMessage('must be a whole number'));

export const isNumber = (each?: boolean) =>
  validator.IsNumber({ allowInfinity: false, allowNaN: false }, withMessage('must be a number', each));

/** Checks in one pass, because there may be thousands: an array of finite numbers and nothing else. */
export const areNumbers = () =>
  validator.ValidateBy(
    {
      name: 'areNumbers',
      validator: { validate: (value: unknown) => Array.isArray(value) && value.every(Number.isFinite) },
    },
    withMessage('must be an array of finite numbers'),
  );

export const isFrom = (min: number) => validator.Min(min, withMessage(`must be at least ${min}`));

export const isUpTo = (max: number) => validator.Max(max, withMessage(`must be at most ${max}`));

export const isOneOf = (values: readonly string[], each?: boolean) =>
  validator.IsIn([...values], withMessage(`must be one of ${values.join(', ')}`, each));

export const isDate = () => validator.IsDate(withMessage('must be an ISO 8601 timestamp'));

export const isJsonObject = (each?: boolean) => validator.IsObject(withMessage('must be an object', each));

export const isArray = () => validator.IsArray(withMessage('must be an array'));

export const hasEntries = (min: number) =>
  validator.ArrayMinSize(
    min,
    withMessage(min === 1 ? 'must not be empty' : `must have at least ${min} entries`),
  );

export const hasUpToEntries = (max: number) =>
  validator.ArrayMaxSize(max, withMessage(`must have at most ${max} entries`));

/** A custom check for texts. */
export function holds(
  name: string,
  test: (value: string) => boolean,
  message: string,
  each?: boolean,
): PropertyDecorator {
  return validator.ValidateBy(
    { name, validator: { validate: (value: unknown) => typeof value === 'string' && test(value) } },
    withMessage(message, each),
  );
}
