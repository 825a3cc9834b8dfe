import { Logger } from '@nestjs/common';
import { type Logger as TypeOrmLogs } from 'typeorm';

/**
 * What TypeORM has to say goes where all logs go. Statements and their parameters hold personal text and are never
 * written; what fails is told by its error.
 */
export class TypeOrmLogger implements TypeOrmLogs {
  private readonly logger = new Logger('database');

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    // Connections that broke while nobody used them come here.
    if (level === 'warn') this.logger.warn(String(message));
  }

  logQuery(): void {}
  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
}
