import { ConfigurationError, type Environment } from './environment.js';

/** The service that computes vectors of texts, by the protocol of OpenAI. */
export interface EmbeddingsSettings {
  /** The address before `/embeddings`. */
  url: string;
  model: string;
  apiKey: string | null;
  /** True if the address may be plain http, on this machine or in a private network. */
  allowPrivate: boolean;
}

/** The longest name of a model that nodes carry (rule 4.13). */
const MAX_MODEL = 200;

/** No message holds the address: it may contain a secret that does not belong there. */
export function readEmbeddings(read: Environment): EmbeddingsSettings | null {
  const [text, model] = [read.url('EMBEDDINGS_URL', ['http:', 'https:']), read.text('EMBEDDINGS_MODEL')];
  const apiKey = read.text('EMBEDDINGS_API_KEY');
  const allowPrivate = read.oneOf('EMBEDDINGS_ALLOW_PRIVATE', ['true', 'false'], 'false') === 'true';
  if (text === null) return null;
  if (model === null || model.length > MAX_MODEL)
    throw new ConfigurationError(
      `EMBEDDINGS_MODEL must be a name of at most ${MAX_MODEL} characters if EMBEDDINGS_URL is set`,
    );
  const { protocol, username, password, hash, search } = new URL(text);
  if (username !== '' || password !== '' || hash !== '' || search !== '')
    throw new ConfigurationError(
      'EMBEDDINGS_URL must have no user, query or fragment; the key is EMBEDDINGS_API_KEY',
    );
  if (protocol !== 'https:' && !allowPrivate)
    throw new ConfigurationError(
      'EMBEDDINGS_URL must begin with https:// unless EMBEDDINGS_ALLOW_PRIVATE is true',
    );
  if (apiKey !== null && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new ConfigurationError('EMBEDDINGS_API_KEY must consist of visible ASCII characters');
  return { url: text.replace(/\/+$/, ''), model, apiKey, allowPrivate };
}
