export { ApiError, type Client, createClient, type Credentials, type ClientOptions } from './client.js';
export {
  memoryReplica,
  type Replica,
  type ReplicaState,
  type ReplicatedNode,
  type SyncOptions,
  syncOnce,
  follow,
} from './sync.js';
export { verifyWebhook, WebhookRefused, type WebhookEvent, type WebhookOptions } from './webhooks.js';
export { type components, type operations, type paths } from './schema.js';
