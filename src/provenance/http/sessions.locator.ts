import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Locators } from '../../kernel/http/locators.js';
import { isId } from '../../kernel/ids.js';
import { accessOf } from '../../privacy/index.js';
import { type Session, sessionNotFound } from '../domain/session.js';
import { isOwn } from '../application/sessions.service.js';
import { SessionsRepository } from '../infrastructure/sessions.repository.js';

/** Looks up `:session_id` for the verbs `read` and `change`. */
@Injectable()
export class SessionLocator implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly sessions: SessionsRepository,
  ) {}

  onModuleInit(): void {
    this.locators.register('session', ['read', 'change'], (request, id, verb) =>
      this.locate(request, id, verb),
    );
  }

  private async locate(request: Request, id: string, verb: 'read' | 'change'): Promise<Session> {
    const access = accessOf(request);
    const session = isId(id) ? await this.sessions.find(access, id) : null;
    if (session === null) throw sessionNotFound();
    if (verb !== 'read' && !isOwn(access, session)) {
      throw new DomainError(
        'PERMISSION_DENIED',
        'Only the user and the app that began a session may change it',
      );
    }
    return session;
  }
}
