/** `cluster.mjs teardown [--purge]`: no Pod, and with --purge nothing of the instance's host set-up, is left. */
import type { Log } from '@podvisor/kube';
import { type InstancePaths, readInstanceConfig, unmountBelow } from '@podvisor/sys';
import { removeServiceNetwork } from '@podvisor/service-network';
import { emptyMachine, restoreHost, restoreHostNetwork } from '@podvisor/kubelet';

export async function teardownCommand(paths: InstancePaths, purge: boolean, log: Log): Promise<number> {
  const config = readInstanceConfig(paths.home);
  await emptyMachine(config, paths, log);
  await unmountBelow(paths.volumes);
  await removeServiceNetwork(config);
  if (purge) await restoreHost(config, paths);
  else await restoreHostNetwork(config);
  return 0;
}
