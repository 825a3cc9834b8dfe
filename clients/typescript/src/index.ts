export { ApiError, type Client, createClient, type Credentials, type ClientOptions } from './client.js';
export {
  type Effect,
  memoryReplica,
  type Replica,
  type ReplicaState,
  type ReplicaPart,
  type ReplicatedNode,
  type ReplicatedRelationship,
  type ReplicatedTag,
  type SyncOptions,
  syncOnce,
  follow,
} from './sync.js';
export { verifyWebhook, WebhookRefused, type WebhookEvent, type WebhookOptions } from './webhooks.js';
export { type components, type operations, type paths } from './schema.js';
