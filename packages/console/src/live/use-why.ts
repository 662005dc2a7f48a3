/** `virtctl why` of one VM, asked again whenever its objects change. */
import { useEffect, useState } from 'preact/hooks';
import { readOwnJson } from './requests.ts';

/** The parts of the report that the page shows (`virtctl why -o json`). */
export interface WhyReport {
  readonly status: string;
  readonly verdict: string;
  readonly waitingFor?: number;
  readonly handoffs: readonly {
    readonly number: number;
    readonly from: string;
    readonly to: string;
    readonly sight: string;
    readonly done: boolean;
    readonly sinceLastMs?: number;
  }[];
  readonly diagnoses: readonly {
    readonly id: string;
    readonly title: string;
    readonly cause: string;
    readonly fix: string;
    readonly evidence?: { readonly object: string; readonly reason?: string; readonly message?: string };
  }[];
}

/** While a VM is on its way its Pod changes too, which the page does not watch. */
const ON_ITS_WAY_MS = 1_000;
const AFTER_FAILURE_MS = 3_000;

export function useWhy(
  namespace: string,
  name: string,
  version: string,
): { readonly report?: WhyReport; readonly problem?: string } {
  const [state, setState] = useState<{ report?: WhyReport; problem?: string }>({});
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        const path = `/why/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
        const report = await readOwnJson<WhyReport>(path, stop.signal);
        setState({ report });
        if (report.waitingFor !== undefined) timer = setTimeout(() => void ask(), ON_ITS_WAY_MS);
      } catch (error) {
        if (stop.signal.aborted) return;
        setState({ problem: error instanceof Error ? error.message : String(error) });
        timer = setTimeout(() => void ask(), AFTER_FAILURE_MS);
      }
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [namespace, name, version]);
  return state;
}
