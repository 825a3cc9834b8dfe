import { AnyField, ObjectField, optional, StringField } from '../../kernel/http/fields/fields.js';

/** The answer to a message of JSON-RPC 2.0; a stream of changes is `text/event-stream`. */
export class RpcAnswerDto {
  @StringField({ example: '2.0' })
  jsonrpc!: string;

  @AnyField({ description: 'The id of the message.', example: 1 })
  id!: unknown;

  @ObjectField({ ...optional, description: 'The result, by the method.', example: { tools: [] } })
  result?: Record<string, unknown>;

  @ObjectField({ ...optional, description: 'The error, in place of a result.' })
  error?: Record<string, unknown>;
}
