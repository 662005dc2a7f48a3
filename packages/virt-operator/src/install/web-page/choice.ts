/** Whether the web page is installed. Pure. */
import type { KubeVirt } from '@podvisor/api';

/** The gate of the KubeVirt object that asks for it. */
const GATE = 'WebPage';

export function wantsWebPage({ spec }: Pick<KubeVirt, 'spec'>): boolean {
  return spec.configuration?.developerConfiguration?.featureGates?.includes(GATE) === true;
}
