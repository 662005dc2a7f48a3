/** The time that an answer may take, but of a long-running request. */
import { type Clock, StatusError } from '@podvisor/base';
import type { ApiResponse } from '../wire/exchange.ts';

/**
 * Calls `onLate` with Kubernetes' 504 when nothing was answered in time; an answer that has begun is cut off, as its
 * client does not read it. Ends by itself with the response.
 */
export function limitTime(
  response: ApiResponse,
  clock: Clock,
  timeMs: number,
  onLate: (error: StatusError) => void,
): void {
  const cancel = clock.after(timeMs, () => {
    if (response.headersSent) response.destroy();
    else onLate(timedOut());
  });
  response.once('close', cancel);
}

function timedOut(): StatusError {
  return new StatusError('Timeout', 'Timeout: request did not complete within the allotted timeout', {
    details: {},
  });
}
