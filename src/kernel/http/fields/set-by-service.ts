import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty } from '@nestjs/swagger';
import { ValidateBy, ValidateIf } from 'class-validator';
import { rememberField } from './field-metadata.js';

const MESSAGE = 'is set by the service, in imports, too; leave it out';

/**
 * A field of new things that only the service sets: a body with a value of it is refused instead of stored without it,
 * since its writer means the value to be stored (rule 11.4e). It is no part of the documented body.
 */
export function SetByServiceField(): PropertyDecorator {
  return applyDecorators(
    ApiHideProperty(),
    ValidateIf((_, value) => value !== undefined && value !== null),
    ValidateBy({ name: 'isSetByService', validator: { validate: () => false } }, { message: MESSAGE }),
    rememberField({}),
  );
}
