/** A letter as it is sent: plain text. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** An order for a letter, stored until a worker writes it. */
export interface LetterOrder<T extends object = object> {
  kind: string;
  /** Null: an address was named, and whose it is shall not show in the time of the answer. */
  userId: string | null;
  about: T;
  /** After this nobody needs it any more. */
  lifetimeMs: number;
}

/** Writes the letters of one kind. A context registers its kinds when it starts. */
export interface LetterWriter<T extends object = object> {
  /** Asked once, outside of any transaction: false drops the letter. */
  mayWrite?(about: T): Promise<boolean>;
  /**
   * In a unit of work, which stores the letter too: whatever is made for it (a link) is made once, however often the
   * letter is sent. Null: there is nothing to send.
   */
  write(about: T): Promise<Letter | null>;
}
