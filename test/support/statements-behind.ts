const BEHIND = /^(usage-add|access-log-(owners|owners-last|busy-owners|add|count-by-hour))$/;

/** True for the name of a statement that runs at intervals after the answers, for the logs of accesses and of use. */
export const isBehindAnswers = (name: string): boolean => BEHIND.test(name);
