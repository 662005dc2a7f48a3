/** The quality-of-service class of a Pod, from its containers' requests and limits. */
import { parseQuantity } from '@podvisor/base';
import { arrayAt, asString, objectAt } from '../../../wire/json.ts';

export function qosClass(spec: unknown): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [...arrayAt(spec, 'containers'), ...arrayAt(spec, 'initContainers')];
  const positive = (list: unknown): [string, bigint][] =>
    ['cpu', 'memory'].flatMap((name) => {
      const text = asString(objectAt(list)[name]);
      const value = text === '' ? 0n : parseQuantity(text).nano;
      return value > 0n ? [[name, value] as [string, bigint]] : [];
    });
  let any = false;
  let guaranteed = true;
  for (const container of containers) {
    const requests = positive(objectAt(container, 'resources', 'requests'));
    const limits = new Map(positive(objectAt(container, 'resources', 'limits')));
    if (requests.length > 0 || limits.size > 0) any = true;
    if (limits.size < 2 || requests.some(([name, value]) => limits.get(name) !== value)) guaranteed = false;
  }
  if (!any) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
