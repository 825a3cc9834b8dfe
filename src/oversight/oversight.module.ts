import { Module } from '@nestjs/common';
import { GraphModule } from '../graph/index.js';
import { IdentityModule } from '../identity/index.js';
import { PrivacyModule } from '../privacy/index.js';
import { AccessLog } from './application/access-log.service.js';
import { AccessRecorder } from './application/access-recorder.js';
import { Explanations } from './application/explanations.service.js';
import { Previews } from './application/previews.service.js';
import { AccessLogController } from './http/access-log.controller.js';
import { AccessLogPresenter } from './http/access-log.presenter.js';
import { ExplanationsController } from './http/explanations.controller.js';
import { ExplanationPresenter } from './http/explanations.presenter.js';
import { PreviewPresenter } from './http/previews.presenter.js';
import { RefusalRecorder } from './http/refusal-recorder.js';
import { AccessLogQueries } from './infrastructure/access-log.queries.js';

/** An owner's view of their own rules, and of accesses to their graph. */
@Module({
  imports: [IdentityModule, PrivacyModule, GraphModule],
  controllers: [ExplanationsController, AccessLogController],
  providers: [
    Explanations,
    ExplanationPresenter,
    Previews,
    PreviewPresenter,
    AccessLog,
    AccessLogPresenter,
    AccessLogQueries,
    AccessRecorder,
    RefusalRecorder,
  ],
})
export class OversightModule {}
