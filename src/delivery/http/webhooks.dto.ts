import {
  DateField,
  EnumField,
  IntegerField,
  NestedArrayField,
  StringArrayField,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { PageDto, PageQuery } from '../../kernel/http/answers/page.js';
import { EVENT_NAMES, PROPOSAL_EVENT_NAMES } from '../domain/events.js';

const EXAMPLE = 'https://hooks.example.org/graph';
const URL = { max: 2_048, example: EXAMPLE };
/** Texts that are not valid addresses, also longer ones, are refused with a code of their own (rule 9.6). */
const GIVEN_URL = {
  description: 'Public https address that events are posted to, up to 2,048 characters.',
  example: EXAMPLE,
};
const APP = {
  optional: true,
  format: 'uuid',
  example: '8b0c2f3e-8a41-4d57-9d53-1a2b3c4d5e6f',
  description: 'With a JWT: the id of an app that the user has authorized. With a key it can be left out.',
};
const SECRET = {
  description: 'Signs the deliveries; shown only if the service has made it, and only this once.',
  example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
};

export class SubscribeBody {
  @StringField(GIVEN_URL)
  webhook_url: string;

  @StringArrayField({
    minItems: 1,
    maxItems: 50,
    each: { told: EVENT_NAMES },
    description:
      '`node.created`, `node.updated`, `node.deleted`, `node.embedding.updated`, `relationship.created`, `.updated`, `.deleted`, `tag.created`, `.updated`, `.deleted`, `proposal.created`, `.ready`, `.approved`, `.rejected`, `.applied`, `.failed`; with a JWT also `share.created`, `share.revoked`, `authorization.created`, `.changed` and `.revoked`.',
    example: ['node.created', 'node.updated', 'node.deleted'],
  })
  events: string[];

  @StringField({
    optional: true,
    min: 1,
    max: 256,
    format: 'password',
    description:
      'Signs the deliveries. If it is left out, the service makes one for a new subscription and keeps the present one otherwise. `whsec_` and base64 of 24 to 64 bytes as in Standard Webhooks, or any text of at least 16 bytes, which signs with its UTF-8 bytes.',
  })
  secret?: string;

  @StringField(APP)
  app_id?: string;
}

export class SubscribeToProposalsBody {
  @StringArrayField({
    minItems: 1,
    maxItems: 50,
    each: { told: PROPOSAL_EVENT_NAMES },
    description: '`created`, `ready`, `approved`, `rejected`, `applied`, `failed`.',
    example: ['approved', 'rejected'],
  })
  event_types: string[];

  @StringField(GIVEN_URL)
  webhook_url: string;

  @StringField(APP)
  app_id?: string;
}

export class AppQuery {
  @StringField(APP)
  app_id?: string;
}

export class DeliveriesQuery extends PageQuery {
  @StringField(APP)
  app_id?: string;
}

export class SubscriptionDto {
  @UuidField()
  id: string;

  @UuidField()
  app_id: string;

  @UuidField()
  user_id: string;

  @StringField({
    nullable: true,
    description:
      'Null if only proposal events are subscribed to, to a key if the user made the subscription, and once the authorization of the user key that made it has ended.',
    ...URL,
  })
  webhook_url: string | null;

  @StringArrayField({ example: ['node.created'] })
  events: string[];

  @EnumField(['active', 'disabled'], { example: 'active' })
  status: string;

  @StringField({
    nullable: true,
    description:
      '`delivery_failures`: the first try and all retries of one delivery failed. `gone`: the receiver answered 410. `authorization_ended`: that of the user key that made it; only a new POST enables it.',
    example: null,
  })
  disabled_reason: string | null;

  @IntegerField({ min: 0, description: 'Failed attempts since the last one that succeeded.', example: 0 })
  consecutive_failures: number;

  @DateField({ nullable: true, example: null })
  last_delivery_at: string | null;

  @DateField()
  created_at: string;

  @DateField()
  updated_at: string;
}

export class SubscribedDto extends SubscriptionDto {
  @StringField({ optional: true, ...SECRET })
  secret?: string;
}

export class ProposalSubscriptionDto {
  @UuidField()
  id: string;

  @UuidField()
  app_id: string;

  @UuidField()
  user_id: string;

  @StringArrayField({ example: ['approved', 'rejected'] })
  event_types: string[];

  @StringField(URL)
  webhook_url: string;

  @EnumField(['active', 'disabled'], { example: 'active' })
  status: string;

  @StringField({ optional: true, ...SECRET })
  secret?: string;

  @DateField()
  created_at: string;
}

export class UnsubscribedDto {
  @StringField({ example: 'The webhook subscription was removed' })
  message: string;
}

export class QueuedDeliveryDto {
  @UuidField()
  delivery_id: string;
}

export class DeliveryDto {
  @UuidField({ description: 'The `webhook-id` header of all its attempts.' })
  id: string;

  @UuidField({ description: 'The subscription.' })
  webhook_id: string;

  @StringField({ example: 'node.created' })
  event: string;

  @EnumField(['pending', 'succeeded', 'failed'], { example: 'succeeded' })
  status: string;

  @IntegerField({ min: 0, example: 1 })
  attempts: number;

  @IntegerField({
    nullable: true,
    description: 'The status of the last answer; null if there was none.',
    example: 200,
  })
  response_status: number | null;

  @DateField()
  created_at: string;

  @DateField({ nullable: true })
  delivered_at: string | null;
}

export class DeliveriesDto extends PageDto {
  @NestedArrayField(() => DeliveryDto)
  deliveries: DeliveryDto[];
}
