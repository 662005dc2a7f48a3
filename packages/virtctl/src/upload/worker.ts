/** What becomes of an image after it was sent: the Pod that takes it writes it, or ends and says why it does not. */
import { messageOf } from '@podvisor/base';
import { at, textOf } from '../plain.ts';
import { findJson, objectPath } from '../requests.ts';
import { type Place, POLL_MS, until } from './place.ts';

/** How long the end of a Pod takes to be told. */
const REASON_MS = 20_000;
const PROCESSING_TIMEOUT_MS = 24 * 3_600_000;

/** How the Pod that takes the upload is doing, as the claim tells it. */
export interface UploadWorker {
  readonly phase: string;
  readonly isReady: boolean;
  readonly restarts: number;
  /** Why it ended last time. */
  readonly problem: string;
}

export async function workerOf({ client, namespace }: Place, name: string): Promise<UploadWorker> {
  const claim = await findJson(client, objectPath('v1', namespace, 'persistentvolumeclaims', name));
  const note = (key: string): string =>
    textOf(at(claim, 'metadata', 'annotations', `cdi.kubevirt.io/storage.${key}`)) ?? '';
  return {
    phase: note('pod.phase'),
    isReady: note('pod.ready') === 'true',
    restarts: Number(note('pod.restarts') || 0),
    problem: note('condition.running.message'),
  };
}

/** Throws when the image is refused. */
export function waitForProcessing(place: Place, name: string, before: UploadWorker): Promise<void> {
  return until(place, PROCESSING_TIMEOUT_MS, `the upload of ${name} is not processed`, async () => {
    const worker = await workerOf(place, name);
    throwIfRefused(name, before, worker);
    return worker.phase === 'Succeeded';
  });
}

/** A server that has heard enough may close the connection before it is asked why: the claim knows. */
export async function brokenOff(
  place: Place,
  name: string,
  before: UploadWorker,
  error: unknown,
): Promise<never> {
  const isCut = /EPIPE|ECONNRESET|other side closed|socket hang up/.test(messageOf(error));
  const over = place.shell.now() + (isCut ? REASON_MS : 0);
  while (place.shell.now() < over) {
    throwIfRefused(name, before, await workerOf(place, name));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw error;
}

/** The image arrived and is no good: whoever waits for it shall hear why. */
function throwIfRefused(name: string, before: UploadWorker, now: UploadWorker): void {
  if (hasRefused(before, now)) throw new Error(`the upload of ${name} was not accepted: ${now.problem}`);
}

/**
 * Its last words stay when it starts anew, so they count only once it has ended since. That is told before it is
 * started again, for which the kubelet waits longer each time. Pure.
 */
export function hasRefused(before: UploadWorker, now: UploadWorker): boolean {
  const hasEnded = before.isReady && !now.isReady && now.phase !== 'Succeeded';
  return now.problem !== '' && (hasEnded || now.restarts > before.restarts);
}
