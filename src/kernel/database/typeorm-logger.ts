import { Logger } from '@nestjs/common';
import { type Logger as TypeOrmLogs } from 'typeorm';

/**
 * Sends TypeORM's messages to the common log. Statements and their parameters hold personal text and are never logged;
 * a failure is described by its error.
 */
export class TypeOrmLogger implements TypeOrmLogs {
  private readonly logger = new Logger('database');

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    // Connections that broke while idle are reported here.
    if (level === 'warn') this.logger.warn(String(message));
  }

  logQuery(): void {}
  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
}
