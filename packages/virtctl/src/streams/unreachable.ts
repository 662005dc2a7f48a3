/** Why no tunnel to a guest could be opened, in words for who typed its name. Pure. */
import { messageOf } from '@podvisor/base';
import type { Target } from '../target.ts';

/** virt-api's own words, which are KubeVirt's. */
const NO_INTERFACE = 'no network interfaces are present';
/** What Kubernetes puts before whatever is not the client's fault; the sentence after it says more. */
const PREFIX = 'Internal error occurred: ';

export function unreachable(error: unknown, { kind, name }: Pick<Target, 'kind' | 'name'>): Error {
  const text = messageOf(error);
  const words = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  const isWithout = words.includes(NO_INTERFACE);
  const told = isWithout
    ? `${kind}/${name} cannot be reached: ${NO_INTERFACE}; virtctl console ${name} needs none`
    : words;
  return new Error(told, { cause: error });
}
