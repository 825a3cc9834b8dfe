import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ChangeFollower, ChangeFollowers } from '../../kernel/change-log/change-followers.js';
import { type BatchableFollowUp } from '../../kernel/write-batching/batchable-write.js';
import {
  PENDING_OWNERS_STATEMENT,
  SHARED_PENDING_OWNERS_STATEMENT,
} from '../infrastructure/pending-owners.statement.js';

const PENDING_OWNERS: BatchableFollowUp = {
  name: 'delivery',
  statement: PENDING_OWNERS_STATEMENT,
  payload: null,
  shared: SHARED_PENDING_OWNERS_STATEMENT,
};

/** Marks an owner as pending, in the transaction of the change, if anybody has subscribed. */
@Injectable()
export class PendingOwnersFollower implements ChangeFollower, OnModuleInit {
  constructor(private readonly followers: ChangeFollowers) {}

  onModuleInit(): void {
    this.followers.register(this);
  }

  follow(): BatchableFollowUp {
    return PENDING_OWNERS;
  }
}
