import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { requestContext } from '../request-context.js';
import { type Decision, rightsChanged } from '../request-rights.js';

/** The request behind a handler, which may outlive the decision that admitted it. */
export const RequestScope = createParamDecorator((_: unknown, context: ExecutionContext) => context);

/** The decisions that the guards leave on requests. */
export interface Decisions {
  of(request: Request): Decision;
  /** Returns a function that puts the request back to its present state. */
  keep(request: Request): () => void;
}

/** The guards that admit a request, without the last one, which reads its body. */
@Injectable()
export class Admission {
  /** In their order; the contexts' guards come from the composition root, like the decisions. */
  guards: readonly CanActivate[] = [];
  decisions!: Decisions;

  /** Notes that the guards have admitted a request, so that its rights can be confirmed later. */
  admitted(context: ExecutionContext): void {
    const decided = this.decisions.of(context.switchToHttp().getRequest<Request>());
    requestContext.current().rights?.admitted(() => this.confirm(context, decided));
  }

  /**
   * Admits a request again, as of now: its credential, its permissions and the resource in its path. Nothing of what the
   * first decision saw is trusted. The request is not counted a second time.
   * @throws errors of the guards
   */
  async again(context: ExecutionContext): Promise<void> {
    requestContext.current().rights?.begin();
    for (const guard of this.guards) await guard.canActivate(context);
    this.admitted(context);
  }

  /**
   * Decides about a request once more, and leaves the first decision in place, because its handler relies on it.
   * @throws errors of the guards; SERVICE_UNAVAILABLE when they give other rights
   */
  private async confirm(context: ExecutionContext, decided: Decision): Promise<void> {
    const request = context.switchToHttp().getRequest<Request>();
    const putBack = this.decisions.keep(request);
    const current = requestContext.current();
    const before = { ...current };
    try {
      for (const guard of this.guards) await guard.canActivate(context);
      if (!decided.equals(this.decisions.of(request))) throw rightsChanged();
    } finally {
      putBack();
      Object.assign(current, before);
    }
  }
}
