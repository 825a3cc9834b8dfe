/** A letter as it is sent: plain text. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** An order for a letter, stored until a worker writes it. */
export interface LetterOrder<T extends object = object> {
  kind: string;
  /** Null for an address named by the caller: looking up its account would show in the response time. */
  userId: string | null;
  about: T;
  /** The time after which the letter is useless. */
  lifetimeMs: number;
}

/** Writes the letters of one kind. A context registers its kinds when it starts. */
export interface LetterWriter<T extends object = object> {
  /** Called once, outside of any transaction: false drops the letter. */
  mayWrite?(about: T): Promise<boolean>;
  /**
   * Runs in a unit of work that also stores the letter, so anything created for it (a link) is created once, however
   * often the letter is sent. Null: there is nothing to send.
   */
  write(about: T): Promise<Letter | null>;
}
