import { type JSX } from 'preact';
import { useState } from 'preact/hooks';

/** The last thing that was done here, which is read out when it appears. */
export function Said({ text }: { text: string | null }): JSX.Element {
  return <div role="status">{text !== null && <p class="done">{text}</p>}</div>;
}

/** The text about what was done, and the function that sets it and loads what has changed. */
export function useSaid(reload: () => void): [said: string | null, done: (text: string) => void] {
  const [said, setSaid] = useState<string | null>(null);
  const done = (text: string): void => {
    setSaid(text);
    reload();
  };
  return [said, done];
}
