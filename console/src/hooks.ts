import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Cancelled, textOf } from './errors.js';

/** A fetched value, or the reason why it is missing. */
export interface Loaded<T> {
  value: T | null;
  error: string | null;
  reload: () => void;
}

/** Fetches when one of the keys changes. The former value stays until the next one is there. */
export function useLoaded<T>(load: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<{ value: T | null; error: string | null }>({
    value: null,
    error: null,
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (value) => isCurrent && setLoaded({ value, error: null }),
      (error: unknown) => isCurrent && setLoaded({ value: null, error: textOf(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [...keys, turn]);
  const reload = useCallback(() => setTurn((last) => last + 1), []);
  return { ...loaded, reload };
}

export interface Work {
  isBusy: boolean;
  error: string | null;
  /** Runs one piece of work at a time; the error of it is shown until the next one. */
  run: (work: () => Promise<void>) => Promise<void>;
}

export function useWork(): Work {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const running = useRef(false);
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (caught) {
      if (!(caught instanceof Cancelled)) setError(textOf(caught));
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}

/** The value as it was a moment ago, so that typing does not send a request for each letter. */
export function useSettled<T>(value: T, ms = 250): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [JSON.stringify(value), ms]);
  return settled;
}
