/** The words that callers search for and that things are named by. */
export const WORDS = ['sea', 'plan', 'quiet', 'note', 'sail', 'a', 'example.org'];
