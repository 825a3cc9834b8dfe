export { speakOverStdio } from './application/stdio-connection.js';
export { type Api, ApiRefusal } from './domain/api.js';
export { linksOf } from './http/links.js';
export { checkMcpOrigin } from './http/origins.js';
export { InnerApi } from './infrastructure/inner-api.js';
export { RemoteApi } from './infrastructure/remote-api.js';
export { McpModule } from './mcp.module.js';
