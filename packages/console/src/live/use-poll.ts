/** What nothing announces (figures, counters) is asked for again and again while somebody looks. */
import { useEffect, useState } from 'preact/hooks';
import { readJson } from './requests.ts';

export interface Polled<T> {
  readonly value?: T;
  /** The answer before, and how long ago that was; rates come from the two. */
  readonly before?: T;
  readonly betweenMs?: number;
  readonly problem?: string;
}

/** The newest answer of `path`; one question at a time. A failure keeps what was known, and is told. */
export function usePoll<T>(path: string, everyMs: number): Polled<T> {
  const [state, setState] = useState<Polled<T>>({});
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last: { readonly value: T; readonly atMs: number } | undefined;
    const ask = async (): Promise<void> => {
      try {
        const value = await readJson<T>(path, stop.signal);
        const atMs = performance.now();
        setState({
          value,
          ...(last === undefined ? {} : { before: last.value, betweenMs: atMs - last.atMs }),
        });
        last = { value, atMs };
      } catch (error) {
        if (stop.signal.aborted) return;
        const problem = error instanceof Error ? error.message : String(error);
        setState((known) => ({ ...known, problem }));
      }
      timer = setTimeout(() => void ask(), everyMs);
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [path, everyMs]);
  return state;
}
