/** A relationship as it is met at one of its nodes. */
export interface Met {
  id: string;
  /** The node at its other end. */
  other: string;
  /** Its place among the relationships of the node beside its id; the same for all of them where ids decide alone. */
  key: number;
}

/** The order in which relationships are met: by falling times and ids, or by rising ids where times are hidden. */
export type MeetingOrder = 'newest first' | 'by id';

export const compareMet =
  (order: MeetingOrder) =>
  (a: Pick<Met, 'id' | 'key'>, b: Pick<Met, 'id' | 'key'>): number => {
    const byId = a.id < b.id ? -1 : Number(a.id > b.id);
    return order === 'by id' ? byId : b.key - a.key || -byId;
  };

/** The relationships that leave a node, or those that lead to it: read in parts, each behind the last. */
export class DirectedList {
  /** The last relationship looked at, readable or not; null before the first part. */
  last: Pick<Met, 'id' | 'key'> | null = null;
  /** True once the last relationship was looked at. */
  isRead = false;
  private readonly waiting: Met[] = [];
  private taken = 0;

  constructor(
    readonly nodeId: string,
    readonly direction: 'out' | 'in',
  ) {}

  get next(): Met | undefined {
    return this.waiting[this.taken];
  }

  /** True if nothing is known about what comes next. */
  get isUnknown(): boolean {
    return this.next === undefined && !this.isRead;
  }

  add(met: Met): void {
    this.waiting.push(met);
  }

  take(): void {
    if (++this.taken < this.waiting.length) return;
    this.waiting.length = 0;
    this.taken = 0;
  }
}

/** The relationships of one node in both directions, met in one order. */
export class NeighborLists {
  readonly lists: readonly [DirectedList, DirectedList];

  constructor(readonly nodeId: string) {
    this.lists = [new DirectedList(nodeId, 'out'), new DirectedList(nodeId, 'in')];
  }

  /** True once every relationship was read and taken. */
  get isDone(): boolean {
    return this.lists.every((list) => list.isRead && list.next === undefined);
  }

  /** The next relationships, as far as none that is still unread can come before them. */
  *known(order: MeetingOrder): Generator<Met> {
    const compare = compareMet(order);
    const [out, into] = this.lists;
    while (!out.isUnknown && !into.isUnknown) {
      const [a, b] = [out.next, into.next];
      const first = b === undefined || (a !== undefined && compare(a, b) < 0) ? out : into;
      const met = first.next;
      if (met === undefined) return;
      first.take();
      yield met;
    }
  }
}
