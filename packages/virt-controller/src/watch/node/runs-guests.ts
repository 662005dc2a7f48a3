import { labels, type Node } from '@podvisor/api';

/** The node's virt-handler is well, and nobody keeps new Pods away from it. */
export function runsGuests({ metadata, spec }: Node): boolean {
  return metadata.labels?.[labels.schedulable] === 'true' && spec?.unschedulable !== true;
}
