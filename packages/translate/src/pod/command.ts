/** Command line of the launcher. Flag names are KubeVirt's where it has them. */
import {
  annotations,
  architectureDefaults,
  LAUNCHER_DIRECTORY_FLAGS,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import type { LauncherPodOptions } from './options.ts';
import { mountPaths } from './mount-paths.ts';
import { isNonRoot } from './security.ts';

/** The guest gets its whole grace period; the launcher needs some time around it. */
const LAUNCHER_GRACE_SECONDS = 15;

/** `tini` reaps orphans: without it QEMU stays a zombie after a migration. */
const INIT = ['/usr/bin/tini', '-s', '--', '/usr/lib/podvisor/virt-launcher'] as const;

/** Directories that the command line names; the launcher knows the others. */
const TOLD = ['shareDir', 'ephemeralDir', 'containerDisks', 'imageVolumes'] as const;

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
    ...TOLD.flatMap((directory) => [`--${LAUNCHER_DIRECTORY_FLAGS[directory]}`, mountPaths[directory]]),
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
    ...(config.gates.has('CrossArchitectureVirtualization') ? ['--allow-cross-arch-emulation'] : []),
    ...(keep ? ['--keep-after-failure'] : []),
    ...(vmi.metadata?.annotations?.[annotations.launcherFailFast] === undefined ? [] : ['--simulate-crash']),
    ...(filters ? ['--libvirt-log-filters', filters] : []),
  ];
}
