import { useEffect, useState } from 'preact/hooks';
import { pageIn } from './address.js';

const listeners = new Set<() => void>();
const announce = (): void => listeners.forEach((listener) => listener());

/** Opens a page of the console without loading it again. */
export function go(href: string): void {
  history.pushState(null, '', href);
  announce();
  scrollTo(0, 0);
}

/** The address that is shown, now and after each navigation. */
export function useAddress(): URL {
  const [address, setAddress] = useState(() => new URL(location.href));
  useEffect(() => {
    const update = (): void => setAddress(new URL(location.href));
    listeners.add(update);
    addEventListener('popstate', update);
    return () => {
      listeners.delete(update);
      removeEventListener('popstate', update);
    };
  }, []);
  return address;
}

/** Follows plain clicks on links to pages of the console; all others are the browser's. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.origin !== location.origin) return;
  if (link.hash !== '' || pageIn(link.pathname) === null) return;
  event.preventDefault();
  go(link.href);
}
