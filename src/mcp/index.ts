export { checkMcpOrigin } from './http/origins.js';
export { McpModule } from './mcp.module.js';
