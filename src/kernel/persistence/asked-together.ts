import { AsyncResource } from 'node:async_hooks';

interface Asked<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Answers questions of one turn of the event loop with one statement. Requests that waited for the same counters go on in
 * the same turn, so under load most of them share the price of a statement; who is alone waits for nobody.
 */
export class AskedTogether<Question, Answer> {
  private asked: Asked<Question, Answer>[] = [];
  /** Bound to no request: the first caller must not lend its context and its share of the database to later ones. */
  private readonly sendAll = AsyncResource.bind(() => void this.send());

  /** @param answer gives the answers in the order of the questions; it must not depend on who asked first */
  constructor(private readonly answer: (questions: readonly Question[]) => Promise<readonly Answer[]>) {}

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      // Comes after all that this turn of the event loop has to do.
      if (this.asked.length === 0) setImmediate(() => this.sendAll());
      this.asked.push({ question, resolve, reject });
    });
  }

  private async send(): Promise<void> {
    const asked = this.asked;
    this.asked = [];
    try {
      const answers = await this.answer(asked.map(({ question }) => question));
      asked.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
