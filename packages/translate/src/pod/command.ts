/** Command line of the launcher. Flag names are KubeVirt's where it has them. */
import { annotations, architectureDefaults, type VirtualMachineInstance } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import type { LauncherPodOptions } from './options.ts';
import { mountPaths } from './paths.ts';
import { isNonRoot } from './security.ts';

/** The guest gets its whole grace period; the launcher needs some time around it. */
const LAUNCHER_GRACE_SECONDS = 15;

/** `tini` reaps orphans: without it QEMU stays a zombie after a migration. */
const INIT = ['/usr/bin/tini', '-s', '--', '/usr/lib/podvisor/virt-launcher'] as const;

/** Seconds that the guest has to shut down. */
export function gracePeriodSeconds(vmi: VirtualMachineInstance): number {
  return vmi.spec.terminationGracePeriodSeconds ?? 30;
}

/** The whole command of the compute container. */
export function launcherCommand(
  vmi: VirtualMachineInstance,
  hookSidecars: number,
  { config }: LauncherPodOptions,
): readonly string[] {
  const { name = '', namespace = '', uid = '' } = vmi.metadata ?? {};
  const filters = vmi.metadata?.annotations?.[annotations.libvirtLogFilters];
  const keep = Object.entries(vmi.metadata?.annotations ?? {}).some(
    ([key, value]) =>
      key.startsWith(annotations.keepLauncherAlive) && (value === '' || value.startsWith('true')),
  );
  return [
    ...INIT,
    '--name',
    name,
    '--uid',
    uid,
    '--namespace',
    namespace,
    '--kubevirt-share-dir',
    mountPaths.share,
    '--ephemeral-disk-dir',
    mountPaths.ephemeralDisks,
    '--container-disk-dir',
    mountPaths.containerDisks,
    '--image-volume-dir',
    mountPaths.imageVolumes,
    '--grace-period-seconds',
    String(gracePeriodSeconds(vmi) + LAUNCHER_GRACE_SECONDS),
    '--hook-sidecars',
    String(hookSidecars),
    '--ovmf-path',
    architectureDefaults(config, vmi.spec.architecture).ovmfPath,
    '--disk-memory-limit',
    String(parseQuantity(config.diskVerificationMemoryLimit).value()),
    ...(isNonRoot(vmi) ? ['--run-as-nonroot'] : []),
    ...(config.useEmulation ? ['--allow-emulation'] : []),
    ...(keep ? ['--keep-after-failure'] : []),
    ...(vmi.metadata?.annotations?.[annotations.launcherFailFast] === undefined ? [] : ['--simulate-crash']),
    ...(filters ? ['--libvirt-log-filters', filters] : []),
  ];
}
