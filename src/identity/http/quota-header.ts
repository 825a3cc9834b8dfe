import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { QUOTAS } from '../../config/quotas.js';
import { Quotas } from '../../kernel/change-log/quotas.js';
import { requestContext } from '../../kernel/request-context.js';
import { type User } from '../domain/user.js';

/**
 * Reports the use of each quota on the answers to a person's own writes (rule 9.8e), by the counters that the
 * write itself has raised, without a statement of its own. Apps and other people receive no such header.
 */
@Injectable()
export class QuotaHeader {
  constructor(private readonly quotas: Quotas) {}

  /** Applies to the rest of the request. */
  tell(user: User, response: Response): void {
    const limits = this.quotas.limitsOf(user.tier);
    requestContext.current().onCounted = (counted) => {
      if (counted.id !== user.id || response.headersSent) return;
      const limited = QUOTAS.filter((quota) => limits[quota] !== null);
      if (limited.length === 0) return;
      response.setHeader(
        'X-Quota',
        limited.map((quota) => `${quota}=${counted[quota]};limit=${limits[quota]}`).join(', '),
      );
    };
  }
}
