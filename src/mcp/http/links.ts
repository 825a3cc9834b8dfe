import { VERSION_PREFIX } from '../../kernel/http/version-prefix.js';
import { type Links } from '../domain/tool.js';

/** The addresses below that of a service. */
export const linksOf = (publicUrl: string): Links => ({
  node: (id) => `${publicUrl}/${VERSION_PREFIX}/nodes/${id}`,
  app: (id) => `${publicUrl}/console/apps${id === null ? '' : `/${id}`}`,
});
