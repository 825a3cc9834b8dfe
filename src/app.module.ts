import { type DynamicModule, Module } from '@nestjs/common';
import { CollaborationModule } from './collaboration/index.js';
import { type Config } from './config/config.js';
import { GraphModule, graphEntities } from './graph/index.js';
import { IdentityModule, identityEntities } from './identity/index.js';
import { ImportModule } from './import/index.js';
import { KernelModule } from './kernel/kernel.module.js';
import { loggingModule } from './kernel/observability/logging.js';
import { PrivacyModule, privacyEntities } from './privacy/index.js';

/** The composition root: the only file that knows every context. */
@Module({})
export class AppModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        KernelModule.forRoot(config, [...identityEntities, ...privacyEntities, ...graphEntities]),
        loggingModule(),
        IdentityModule,
        PrivacyModule,
        GraphModule,
        CollaborationModule,
        ImportModule,
      ],
    };
  }
}
