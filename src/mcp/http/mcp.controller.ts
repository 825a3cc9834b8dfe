import { Controller, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { rpcBodyOf } from '../domain/rpc-error.js';
import { RpcAnswerDto } from './mcp.dto.js';
import { McpEndpoint } from './mcp-endpoint.js';

/** The door for assistants, outside the version prefix, where clients look for it (rule 15.1). */
@ApiTags('MCP')
@Controller('mcp')
export class McpController {
  constructor(private readonly endpoint: McpEndpoint) {}

  @Post()
  @ApiBody({
    schema: { type: 'object', additionalProperties: true },
    description: 'A message of JSON-RPC 2.0',
  })
  @Endpoint({
    summary: 'Send a message of the Model Context Protocol',
    description:
      'Streamable HTTP without sessions, in the revisions 2026-07-28 and 2025-11-25 and those before it; errors have the form of JSON-RPC.',
    requires: { callers: 'key' },
    lasts: true,
    // The library of the protocol looks at each member several times, at once.
    jsonBounds: { values: 20_000, names: 5_000 },
    errorBody: rpcBodyOf,
    answers: RpcAnswerDto,
    example: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  })
  async send(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.endpoint.serve(request, response);
  }
}
