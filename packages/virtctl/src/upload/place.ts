/** Where an upload goes, and waiting for something there. */
import type { KubeClient } from '@podvisor/kube';
import type { Shell } from '../shell.ts';

/** API group and version of CDI. */
export const CDI = 'cdi.kubevirt.io/v1beta1';
/** Between two looks, and two tries. */
export const POLL_MS = 2000;

export interface Place {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly shell: Shell;
}

/** Throws `what` and how long it took when it is not ready in time, with the reason if there is one. */
export async function until(
  place: Place,
  timeoutMs: number,
  what: string,
  ready: () => Promise<boolean>,
  reason: () => string | undefined = () => undefined,
): Promise<void> {
  const over = place.shell.now() + timeoutMs;
  while (!(await ready())) {
    const why = reason() === undefined ? '' : `: ${reason()}`;
    if (place.shell.now() > over) throw new Error(`${what} after ${timeoutMs / 1000} s${why}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
