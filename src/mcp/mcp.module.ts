import { Module } from '@nestjs/common';
import { McpController } from './http/mcp.controller.js';
import { McpEndpoint } from './http/mcp-endpoint.js';

/** The door for assistants (rules 15): the API once more, in the Model Context Protocol. */
@Module({ controllers: [McpController], providers: [McpEndpoint] })
export class McpModule {}
