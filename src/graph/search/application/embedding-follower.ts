import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { type ChangeFollower, ChangeFollowers } from '../../../kernel/change-log/change-followers.js';
import { type RecordedChange } from '../../../kernel/change-log/change.js';
import { type BatchableFollowUp } from '../../../kernel/write-batching/batchable-write.js';
import {
  EMBEDDING_NEWS_STATEMENT,
  SHARED_EMBEDDING_NEWS_STATEMENT,
} from '../infrastructure/embedding-news.statement.js';

const NEWS: BatchableFollowUp = {
  name: 'embedding',
  statement: EMBEDDING_NEWS_STATEMENT,
  payload: null,
  shared: SHARED_EMBEDDING_NEWS_STATEMENT,
};
/** Entities that have texts to send, or decide which may be sent. */
const ENTITIES = new Set(['node', 'tag', 'exposure_profile']);

/**
 * Marks the owners of changed nodes and rules, in the transaction of the change. Writes pay for it only where the operator
 * has set a service for vectors; elsewhere an hourly sweep finds rules that exclude more than before.
 */
@Injectable()
export class EmbeddingFollower implements ChangeFollower, OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly followers: ChangeFollowers,
  ) {}

  onModuleInit(): void {
    if (this.config.embeddings !== null) this.followers.register(this);
  }

  follow(recorded: readonly RecordedChange[]): BatchableFollowUp | null {
    return recorded.some(({ change }) => ENTITIES.has(change.entity)) ? NEWS : null;
  }
}
