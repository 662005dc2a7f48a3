/** Environment of the compute container. */
import { type EnvVar, logVerbosity, type VirtualMachineInstance } from '@podvisor/api';
import { LauncherPodError, type LauncherPodOptions } from './options.ts';
import { mountPaths } from './mount-paths.ts';
import { isNonRoot } from './security.ts';

const DEFAULT_VERBOSITY = 2;
/** From above this verbosity on, libvirt and virtiofsd log too. */
const DEBUG_VERBOSITY = 5;

/** How much the launcher logs: the VMI's label, else the cluster's setting. Throws LauncherPodError. */
export function launcherVerbosity(vmi: VirtualMachineInstance, { config }: LauncherPodOptions): number {
  const own = vmi.metadata?.labels?.logVerbosity;
  if (own === undefined) return logVerbosity(config, 'virtLauncher');
  if (!/^[+-]?\d+$/.test(own)) {
    throw new LauncherPodError(
      'invalid',
      `verbosity ${own} cannot cast to int: strconv.Atoi: parsing "${own}": invalid syntax`,
    );
  }
  return Number(own);
}

/** Where programs of a user without a home keep their files: every container of the launcher's user has these. */
export function userDirectories(vmi: VirtualMachineInstance): readonly EnvVar[] {
  if (!isNonRoot(vmi)) return [];
  return [
    { name: 'XDG_CACHE_HOME', value: mountPaths.privateDir },
    { name: 'XDG_CONFIG_HOME', value: mountPaths.privateDir },
    { name: 'XDG_RUNTIME_DIR', value: '/var/run' },
  ];
}

/** The variables. */
export function environmentOf(vmi: VirtualMachineInstance, options: LauncherPodOptions): readonly EnvVar[] {
  const { labels = {} } = vmi.metadata ?? {};
  const verbosity = launcherVerbosity(vmi, options);
  const shared = sharedFilesystemPaths(vmi, options);
  const told = labels.logVerbosity !== undefined || verbosity !== DEFAULT_VERBOSITY;
  const debugs = (label: string): boolean =>
    labels[label]?.toLowerCase() === 'true' || verbosity > DEBUG_VERBOSITY;
  return [
    ...userDirectories(vmi),
    ...(shared.length === 0 ? [] : [{ name: 'SHARED_FILESYSTEM_PATHS', value: shared.join(':') }]),
    ...(told
      ? [{ name: 'VIRT_LAUNCHER_LOG_VERBOSITY', value: labels.logVerbosity ?? String(verbosity) }]
      : []),
    ...(debugs('debugLogs') ? [{ name: 'LIBVIRT_DEBUG_LOGS', value: '1' }] : []),
    ...(debugs('virtiofsdDebugLogs') ? [{ name: 'VIRTIOFSD_DEBUG_LOGS', value: '1' }] : []),
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ];
}

/** Mounted directories that another node may write to at the same time; libvirt must not relabel them. */
function sharedFilesystemPaths(
  { spec }: VirtualMachineInstance,
  { claims }: LauncherPodOptions,
): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, dataVolume, ephemeral }) => {
    // What is plugged into a running guest comes by another Pod.
    if (persistentVolumeClaim?.hotpluggable || dataVolume?.hotpluggable) return [];
    const claim = persistentVolumeClaim ?? ephemeral?.persistentVolumeClaim;
    const facts = claims?.[claim?.claimName ?? dataVolume?.name ?? ''];
    return facts?.shared && !facts.block ? [mountPaths.volumeDirectory(name)] : [];
  });
}
