import { AsyncResource } from 'node:async_hooks';

interface Asked<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * A batch loader: answers the questions of one turn of the event loop with one statement. Requests that waited for the
 * same counters resume in the same turn, so under load most of them share the cost of a statement; a single request
 * waits for no other.
 */
export class AskedTogether<Question, Answer> {
  private asked: Asked<Question, Answer>[] = [];
  /** Bound to no request: the first caller's context and read share must not apply to later callers. */
  private readonly sendAll = AsyncResource.bind(() => void this.send());

  /**
   * @param answer returns the answers in the order of the questions; it must not depend on the first caller
   * @param most the maximum number of questions in a statement; further ones follow in statements of their own
   */
  constructor(
    private readonly answer: (questions: readonly Question[]) => Promise<readonly Answer[]>,
    private readonly most: number,
  ) {}

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      // Runs after everything else in this turn of the event loop.
      if (this.asked.length === 0) setImmediate(() => this.sendAll());
      this.asked.push({ question, resolve, reject });
    });
  }

  private async send(): Promise<void> {
    const asked = this.asked;
    this.asked = [];
    for (let from = 0; from < asked.length; from += this.most)
      await this.sendSome(asked.slice(from, from + this.most));
  }

  private async sendSome(asked: readonly Asked<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.answer(asked.map(({ question }) => question));
      asked.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
