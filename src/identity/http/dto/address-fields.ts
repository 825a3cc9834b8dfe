import { applyDecorators } from '@nestjs/common';
import { holds } from '../../../kernel/http/fields/checks.js';
import { StringArrayField, StringField } from '../../../kernel/http/fields/fields.js';
import { isRedirectUri, isWebAddress } from '../../domain/app.js';

const MAX_LENGTH = 2000;

/** A page on the web: http or https. */
export function WebAddressField(options: Parameters<typeof StringField>[0]): PropertyDecorator {
  return applyDecorators(
    StringField({ ...options, max: MAX_LENGTH, format: 'uri' }),
    holds('isWebAddress', isWebAddress, 'must be an http or https address'),
  );
}

/** The addresses that a browser may return to after consent. */
export function RedirectUrisField(options: Parameters<typeof StringArrayField>[0]): PropertyDecorator {
  return applyDecorators(
    StringArrayField({ ...options, maxItems: 20, each: { max: MAX_LENGTH } }),
    holds(
      'isRedirectUri',
      isRedirectUri,
      'must be an absolute URI without a fragment, with http only for localhost',
      true,
    ),
  );
}
