/** What it means for those who wait for a DataVolume that the API server refused its claim or Pod. Pure. */
import { isStatus, messageOf } from '@podvisor/base';

export interface Refusal {
  readonly reason: 'ErrExceededQuota' | 'FailedCreate';
  readonly message: string;
}

/** What an API server says of a volume whose only source it does not know. */
const NO_IMAGE_VOLUMES = /volumes\[\d+\]: Required value: must specify a volume type/;
const WITHOUT_IMAGE_VOLUMES =
  'this cluster has no image volumes (Kubernetes 1.35, or the gate ImageVolume of 1.31): serve the image over http, or install CDI';

const FOR_GOOD = ['Forbidden', 'Invalid', 'BadRequest'] as const;

/** Undefined: it may be different in a moment, and nobody needs to know. `what`: kind and name of the object. */
export function refusalOf(what: string, error: unknown): Refusal | undefined {
  if (!FOR_GOOD.some((reason) => isStatus(error, reason))) return undefined;
  const cause = messageOf(error);
  const hint = NO_IMAGE_VOLUMES.test(cause) ? `; ${WITHOUT_IMAGE_VOLUMES}` : '';
  return {
    reason: cause.includes('exceeded quota') ? 'ErrExceededQuota' : 'FailedCreate',
    message: `${what} could not be created: ${cause}${hint}`,
  };
}
