import { type DynamicModule, Module } from '@nestjs/common';
import { CollaborationModule } from './collaboration/index.js';
import { type Config } from './config/config.js';
import { ConsoleModule } from './console/index.js';
import { DeliveryModule } from './delivery/index.js';
import { GraphModule, graphEntities } from './graph/index.js';
import { IdentityModule, identityEntities } from './identity/index.js';
import { ImportModule } from './import/index.js';
import { KernelModule } from './kernel/kernel.module.js';
import { McpModule } from './mcp/index.js';
import { loggingModule } from './kernel/observability/logging.js';
import { OAuthModule } from './oauth/index.js';
import { OversightModule } from './oversight/index.js';
import { PortabilityModule } from './portability/index.js';
import { PrivacyModule, privacyEntities } from './privacy/index.js';
import { ProvenanceModule } from './provenance/index.js';
import { SyncModule } from './sync/index.js';
import { ProposalsModule } from './proposals/index.js';

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
        // Routes answer in this order: `nodes/history` before graph's `nodes/:node_id`. The start checks that none is shadowed.
        ProvenanceModule,
        GraphModule,
        SyncModule,
        ProposalsModule,
        CollaborationModule,
        ImportModule,
        OversightModule,
        PortabilityModule,
        OAuthModule,
        DeliveryModule.forRoot(config),
        McpModule,
        ConsoleModule,
      ],
    };
  }
}
