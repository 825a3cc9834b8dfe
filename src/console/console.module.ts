import { Module } from '@nestjs/common';
import { ConsoleController } from './http/console.controller.js';
import { ConsoleFiles } from './http/console-files.js';

/** The console's files; it uses the service as every other client does, through the API (ADR 91). */
@Module({ controllers: [ConsoleController], providers: [ConsoleFiles] })
export class ConsoleModule {}
