/** The folder of the console's pages, found from this script so that it is right behind any proxy. */
const HOME = new URL('..', import.meta.url);

/** The address of the service, without a slash at its end. */
export const SERVICE = new URL('..', HOME).href.replace(/\/$/, '');

/** The link to a page of the console, such as `apps`; the home page without a name. */
export const linkTo = (page = ''): string => `${HOME.pathname.replace(/\/$/, '')}${page && `/${page}`}`;

/** The part of a path behind the console's home; null for a path outside of it. */
export function pageIn(pathname: string): string | null {
  const home = linkTo();
  if (pathname !== home && !pathname.startsWith(`${home}/`)) return null;
  return pathname.slice(home.length).replace(/^\/|\/$/g, '');
}
