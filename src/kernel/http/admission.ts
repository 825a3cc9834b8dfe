import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';

/** The guards that admit a request, without the last one, which reads its body. */
@Injectable()
export class Admission {
  /** In their order; the contexts' guards come from the composition root. */
  guards: readonly CanActivate[] = [];

  /**
   * Admits a request again, as of now: its credential, its permissions and the resource in its path. Nothing of what the
   * first decision saw is trusted. The request is not counted a second time.
   * @throws errors of the guards
   */
  async again(context: ExecutionContext): Promise<void> {
    for (const guard of this.guards) await guard.canActivate(context);
  }
}
