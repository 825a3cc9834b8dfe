import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DomainError } from '../errors/domain-error.js';
import { Endpoint } from '../http/endpoint.js';
import { EnumField, StringField } from '../http/fields/fields.js';
import { Database } from '../database/database.js';
import { Redis } from '../redis/redis.js';
import { sql } from '../database/sql.js';
import { Readiness } from './readiness.js';

class HealthAnswer {
  @StringField({ example: 'ok' })
  status: string;

  @EnumField(['up', 'down'], {
    optional: true,
    description:
      'Present if Redis is configured. While Redis is down the service keeps working, and each process counts by itself.',
    example: 'up',
  })
  redis?: 'up' | 'down';
}

const PATIENCE_MS = 2000;

@ApiTags('Operations')
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly readiness: Readiness,
    private readonly redis: Redis,
  ) {}

  @Get('live')
  @Endpoint({
    summary: 'Check that the process runs',
    description: 'Public. It does not check the database: a process that answers need not be restarted.',
    requires: 'public',
    answers: HealthAnswer,
  })
  live(): HealthAnswer {
    return { status: 'ok' };
  }

  @Get('ready')
  @Endpoint({
    summary: 'Check that the service is ready',
    description: 'Public. It checks the database, and reports the state of Redis if one is configured.',
    requires: 'public',
    answers: HealthAnswer,
    errors: ['SERVICE_UNAVAILABLE'],
  })
  async ready(): Promise<HealthAnswer> {
    const missing = await this.missing();
    if (missing !== null) throw new DomainError('SERVICE_UNAVAILABLE', `${missing} does not answer`);
    const { state } = this.redis;
    return { status: 'ok', ...(state === 'none' ? {} : { redis: state }) };
  }

  private async missing(): Promise<string | null> {
    let pending = 'The database';
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<string>(
      (resolve) => (timer = setTimeout(() => resolve(pending), PATIENCE_MS)),
    );
    const answer = this.database.read(sql`SELECT 1`, 'health').then(
      () => {
        pending = 'Something besides the database';
        return this.readiness.missing();
      },
      () => pending,
    );
    return Promise.race([answer, patience]).finally(() => clearTimeout(timer));
  }
}
