const PAGES = /^(?:log-in|register|consent|device|account|(?:apps|proposals)(?:\/[^/]+)?|notes\/[^/]+)?$/;

/** True for a page of the console, named by its path behind `/console/`; the console itself asks the same. */
export const isPage = (page: string): boolean => PAGES.test(page);
