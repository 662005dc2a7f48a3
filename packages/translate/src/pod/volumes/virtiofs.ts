/** virtiofs: one container for each shared file system, which serves a volume of the VMI to QEMU over a socket. */
import type {
  Container,
  PodResources,
  VirtualMachineInstance,
  VMISpec,
  Volume,
  VolumeMount,
} from '@podvisor/api';
import { isGuaranteed } from '../resources/memory-overhead.ts';
import { type Mounted, NOTHING } from './mounted.ts';
import { imagePullPolicy, type LauncherPodOptions } from '../options.ts';
import { mountPaths } from '../mount-paths.ts';
import { LAUNCHER_USER } from '../security.ts';
import { supportResources } from '../resources/support-resources.ts';

const SOCKETS = 'virtiofs-containers';
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount/';

/** The volume of sockets, in the compute container. */
export function virtiofsSockets({ spec }: VirtualMachineInstance): Mounted {
  if ((spec.domain.devices.filesystems ?? []).length === 0) return NOTHING;
  return {
    volumes: [{ name: SOCKETS, emptyDir: {} }],
    mounts: [{ name: SOCKETS, mountPath: mountPaths.virtiofsSockets }],
  };
}

/** One container for each volume that is shared as a file system. */
export function virtiofsContainers(
  { spec }: VirtualMachineInstance,
  options: LauncherPodOptions,
): readonly Container[] {
  return sharedVolumes(spec).map((volume) => ({
    name: `virtiofs-${volume.name}`,
    image: options.launcherImage,
    imagePullPolicy: imagePullPolicy(options),
    command: ['/usr/lib/podvisor/virtiofsd'],
    args: [
      `--socket-path=${mountPaths.virtiofsSocket(volume.name)}`,
      `--shared-dir=${sharedDirectory(volume)}`,
      '--sandbox=none',
      '--cache=auto',
      // A file that cannot be found again is the guest's error; the migration goes on.
      '--migration-on-error=guest-error',
      '--migration-mode=find-paths',
    ],
    resources: resourcesOf(spec, options),
    volumeMounts: [{ name: SOCKETS, mountPath: mountPaths.virtiofsSockets }, ...sharedMount(volume)],
    securityContext: {
      runAsUser: LAUNCHER_USER,
      runAsGroup: LAUNCHER_USER,
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      // Where virtiofsd is QEMU's older one, it makes itself a root directory in namespaces of its own.
      ...(options.virtiofsSeccompProfile === undefined
        ? {}
        : { seccompProfile: { type: 'Localhost', localhostProfile: options.virtiofsSeccompProfile } }),
    },
  }));
}

/** In the order of the volumes. */
function sharedVolumes({ volumes = [], domain }: VMISpec): readonly Volume[] {
  const names = new Set(domain.devices.filesystems?.map(({ name }) => name));
  return volumes.filter(({ name, containerPath }) => names.has(name) && containerPath === undefined);
}

function sharedDirectory(volume: Volume): string {
  const { name } = volume;
  if (volume.configMap !== undefined) return mountPaths.configDisk('configMap', name).source;
  if (volume.secret !== undefined) return mountPaths.configDisk('secret', name).source;
  if (volume.downwardAPI !== undefined) return mountPaths.configDisk('downwardAPI', name).source;
  return volume.serviceAccount === undefined ? `/${name}` : SERVICE_ACCOUNT;
}

/** Kubernetes itself mounts the service account, into every container. */
function sharedMount(volume: Volume): readonly VolumeMount[] {
  return volume.serviceAccount === undefined
    ? [{ name: volume.name, mountPath: sharedDirectory(volume) }]
    : [];
}

/** Small, unless the cluster says otherwise; all of it guaranteed where the Pod must be. */
function resourcesOf(spec: VMISpec, { config }: LauncherPodOptions): PodResources {
  const own = supportResources(config.configuration, 'virtiofs');
  const limits = { cpu: '100m', memory: '80M', ...own.limits };
  const requests = isGuaranteed(spec) ? limits : { cpu: '10m', memory: '1M', ...own.requests };
  return { limits, requests };
}
