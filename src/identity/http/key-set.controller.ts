import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { EnumField, NestedArrayField, StringField } from '../../kernel/http/fields/fields.js';
import { SigningKeys } from '../infrastructure/signing-keys.js';

class PublicKeyDto {
  @EnumField(['EC'], { example: 'EC' })
  kty: string;

  @EnumField(['P-256'], { example: 'P-256' })
  crv: string;

  @StringField({ example: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU' })
  x: string;

  @StringField({ example: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0' })
  y: string;

  @StringField({
    description: 'As in the header of the tokens.',
    example: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  })
  kid: string;

  @EnumField(['sig'], { example: 'sig' })
  use: string;

  @EnumField(['ES256'], { example: 'ES256' })
  alg: string;
}

class KeySetDto {
  @NestedArrayField(() => PublicKeyDto)
  keys: PublicKeyDto[];
}

/** JSON Web Key Set (RFC 7517, 5), outside the version prefix (rule 1.3). */
@ApiTags('Accounts')
@Controller('.well-known/jwks.json')
export class KeySetController {
  constructor(private readonly keys: SigningKeys) {}

  @Get()
  @Header('Cache-Control', 'public, max-age=300')
  @Endpoint({
    summary: 'Get the public keys of access tokens',
    description: 'Anyone can use them to verify access tokens (RFC 7517).',
    requires: 'public',
    answers: KeySetDto,
  })
  get(): KeySetDto {
    return { keys: [this.keys.publicJwk as unknown as PublicKeyDto] };
  }
}
