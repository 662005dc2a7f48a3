/** What plugging and unplugging would make of the specs. */
import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../../types/index.ts';
import { plugRequested } from '../../storage/volume-requests.ts';
import { type Cause, notSupported, runRules, when } from '../rule.ts';
import { vmiSpecRules } from '../vmi/index.ts';

/** What would be wrong with the specs if the requests, which are sound, were carried out. */
export function pluggedSpecProblems(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  config: ClusterConfig,
): readonly Cause[] {
  const requests = vm.status?.volumeRequests ?? [];
  if (requests.length === 0) return [];
  const context = { config, path: 'spec.template.spec' };
  for (const spec of [vm.spec.template.spec, vmi?.spec]) {
    if (spec === undefined) continue;
    const { disks, volumes } = plugRequested(spec, requests);
    const devices = { ...spec.domain.devices, disks };
    const plugged = { ...spec, volumes, domain: { ...spec.domain, devices } };
    const causes = runRules(vmiSpecRules, plugged, context);
    if (causes.length > 0) return causes;
  }
  const { startTimestamp, endTimestamp } = vmi?.status?.migrationState ?? {};
  return when(startTimestamp && !endTimestamp, () =>
    notSupported('spec', 'Cannot handle volume requests while VMI migration is in progress'),
  );
}
