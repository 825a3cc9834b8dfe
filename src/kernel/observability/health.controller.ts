import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DomainError } from '../errors/domain-error.js';
import { Endpoint } from '../http/endpoint.js';
import { StringField } from '../http/fields.js';
import { Database } from '../persistence/database.js';
import { sql } from '../persistence/sql.js';
import { Readiness } from './readiness.js';

class HealthAnswer {
  @StringField({ example: 'ok' })
  status: string;
}

const PATIENCE_MS = 2000;

@ApiTags('Operations')
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly readiness: Readiness,
  ) {}

  @Get('live')
  @Endpoint({ summary: 'Whether the process runs', requires: 'public', answers: HealthAnswer })
  live(): HealthAnswer {
    return { status: 'ok' };
  }

  @Get('ready')
  @Endpoint({
    summary: 'Whether the service can serve',
    requires: 'public',
    answers: HealthAnswer,
    errors: ['SERVICE_UNAVAILABLE'],
  })
  async ready(): Promise<HealthAnswer> {
    const missing = await this.missing();
    if (missing !== null) throw new DomainError('SERVICE_UNAVAILABLE', `${missing} does not answer`);
    return { status: 'ok' };
  }

  private async missing(): Promise<string | null> {
    let asked = 'The database';
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<string>(
      (resolve) => (timer = setTimeout(() => resolve(asked), PATIENCE_MS)),
    );
    const answer = this.database.read(sql`SELECT 1`, 'health').then(
      () => {
        asked = 'Something besides the database';
        return this.readiness.missing();
      },
      () => asked,
    );
    return Promise.race([answer, patience]).finally(() => clearTimeout(timer));
  }
}
