import { Module } from '@nestjs/common';
import { GraphModule } from '../graph/index.js';
import { IdentityModule } from '../identity/index.js';
import { PrivacyModule } from '../privacy/index.js';
import { Explanations } from './application/explanations.service.js';
import { Previews } from './application/previews.service.js';
import { ExplanationsController } from './http/explanations.controller.js';
import { ExplanationPresenter } from './http/explanations.presenter.js';
import { PreviewPresenter } from './http/previews.presenter.js';

/** What owners see of their own rules, and of those who come by them. */
@Module({
  imports: [IdentityModule, PrivacyModule, GraphModule],
  controllers: [ExplanationsController],
  providers: [Explanations, ExplanationPresenter, Previews, PreviewPresenter],
})
export class OversightModule {}
