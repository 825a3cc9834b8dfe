import { type Links } from '../domain/tool.js';

/** The addresses below that of a service. */
export const linksOf = (publicUrl: string): Links => ({
  node: (id) => `${publicUrl}/console/notes/${id}`,
  app: (id) => `${publicUrl}/console/apps${id === null ? '' : `/${id}`}`,
  proposal: (id) => `${publicUrl}/console/proposals/${id}`,
});
