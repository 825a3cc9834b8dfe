/** Waiting items of several persons. Persons take turns, one item each; the items of one person keep their order. */
export class TurnQueue<Item> {
  private readonly waiting = new Map<string, Item[]>();

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  add(person: string, item: Item): void {
    const own = this.waiting.get(person);
    if (own === undefined) this.waiting.set(person, [item]);
    else own.push(item);
  }

  /** Removes the first item of the person who has waited longest since their last turn; undefined if none may come. */
  take(mayCome: (person: string) => boolean = () => true): Item | undefined {
    for (const [person, items] of this.waiting) {
      if (!mayCome(person)) continue;
      const item = items.shift();
      this.waiting.delete(person);
      if (items.length > 0) this.waiting.set(person, items);
      return item;
    }
    return undefined;
  }
}
