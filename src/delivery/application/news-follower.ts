import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type ChangeFollower,
  ChangeFollowers,
  type FollowUp,
} from '../../kernel/changes/change-followers.js';
import { NEWS_STATEMENT, SHARED_NEWS_STATEMENT } from '../infrastructure/news.statement.js';

const NEWS: FollowUp = {
  name: 'news',
  statement: NEWS_STATEMENT,
  said: null,
  shared: SHARED_NEWS_STATEMENT,
};

/** Marks an owner as pending, in the transaction of the change, if anybody has subscribed. */
@Injectable()
export class NewsFollower implements ChangeFollower, OnModuleInit {
  constructor(private readonly followers: ChangeFollowers) {}

  onModuleInit(): void {
    this.followers.register(this);
  }

  follow(): FollowUp {
    return NEWS;
  }
}
