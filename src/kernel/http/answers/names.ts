import { ID } from '../openapi/examples.js';
import { StringField, UuidField } from '../fields/fields.js';

/** An app, a group, a profile or a tag by its name, beside its id (rule 11.13). */
export class NamedDto {
  @UuidField(ID)
  id: string;

  @StringField({ example: 'Reading list' })
  name: string;
}

/** A person by name, beside their id (rule 11.13). */
export class NamedUserDto {
  @UuidField(ID)
  id: string;

  @StringField({ example: 'ines' })
  username: string;
}

/** A node by its title, beside its id (rule 11.13). */
export class NamedNodeDto {
  @UuidField(ID)
  id: string;

  @StringField({ example: 'Learn to row' })
  title: string;
}
