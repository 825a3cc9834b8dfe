export { CONSOLE_PATHS } from './http/console.controller.js';
export { ConsoleModule } from './console.module.js';
