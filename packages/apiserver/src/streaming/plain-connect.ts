/** Exec, attach and port-forward without an upgrade: the request cannot be served, and says why. */
import type { VerbContext } from '../core.ts';
import type { Answer } from '../verbs/answer.ts';
import { find } from '../verbs/read/get.ts';
import { badRequest } from '../wire/status.ts';
import { containerOf, podRef } from './pod-log.ts';

export function plainConnect(context: VerbContext): Answer {
  const pod = find({ ...context, info: { ...context.info, subresource: '' } }).object;
  // Ports belong to the Pod, not to a container.
  if (context.info.subresource !== 'portforward') containerOf(pod, context.info.query.get('container') ?? '');
  if (podRef(pod).nodeName === '') throw badRequest(`pod ${context.info.name} does not have a host assigned`);
  throw badRequest('Upgrade request required');
}
