export { CollaborationModule } from './collaboration.module.js';
