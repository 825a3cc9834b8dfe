import { Injectable } from '@nestjs/common';

/** An app's time with an owner: a use outside of it does not count. */
export interface UseSpan {
  appId: string;
  from: Date;
  /** Null: it has not ended. */
  until: Date | null;
}

/** The last use of each span, in their order; null where none is known. */
type FindLastUses = (ownerId: string, spans: readonly UseSpan[]) => Promise<(Date | null)[]>;

/** Finds when apps last used what an owner authorized. The context that logs accesses registers how. */
@Injectable()
export class LastUses {
  private find: FindLastUses = (_, spans) => Promise.resolve(spans.map(() => null));

  register(find: FindLastUses): void {
    this.find = find;
  }

  /** Without spans it sends no statement. */
  async of(ownerId: string, spans: readonly UseSpan[]): Promise<(Date | null)[]> {
    return spans.length === 0 ? [] : this.find(ownerId, spans);
  }
}
