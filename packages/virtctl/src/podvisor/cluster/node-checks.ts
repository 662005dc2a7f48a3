/** What `podvisor cluster doctor` says of nodes. Pure. */
import { hasImageVolumes, type Node } from '@podvisor/api';
import type { Check } from '../doctor/doctor.ts';

export interface NodeFacts {
  /** Software emulation is allowed by the KubeVirt object. */
  readonly isEmulated: boolean;
  /** Undefined: its kubelet did not say. */
  readonly cgroupVersion: string | undefined;
}

export function nodeChecks(node: Node, { isEmulated, cgroupVersion }: NodeFacts): Check[] {
  const kvm = Number(node.status?.allocatable?.['devices.kubevirt.io/kvm'] ?? 0);
  const isHandled = node.metadata.labels?.['kubevirt.io/schedulable'] !== undefined;
  return [
    readyCheck(node, cgroupVersion),
    ...(cgroupVersion === '1'
      ? [
          {
            level: 'WARN' as const,
            what: `control groups on ${node.metadata.name}`,
            found:
              'version 1, on which kubelets start only with failCgroupV1: false; VMs run there all the same',
            fix: 'start the node with version 2 (systemd.unified_cgroup_hierarchy=1)',
          },
        ]
      : []),
    ...seLinuxCheck(node),
    ...(isHandled && kvm === 0
      ? [
          {
            level: 'WARN' as const,
            what: `KVM on ${node.metadata.name}`,
            found: 'no /dev/kvm: VMs run there only by software emulation',
            fix: isEmulated
              ? 'enable virtualisation there; until then useEmulation, which is set, lets VMs run slowly'
              : 'enable virtualisation, or set spec.configuration.developerConfiguration.useEmulation',
          },
        ]
      : []),
  ];
}

/** Systems that enforce SELinux as they are installed, by the beginnings of their names. */
const SELINUX_SYSTEMS = [
  'AlmaLinux',
  'Bottlerocket',
  'CentOS',
  'Fedora',
  'openSUSE MicroOS',
  'Oracle Linux',
  'Red Hat',
  'Rocky',
  'SUSE Linux Micro',
];
/** As node-feature-discovery labels nodes. */
const SELINUX_LABEL = 'feature.node.kubernetes.io/kernel-selinux.enabled';

/** Nobody tells of a node whether it enforces SELinux; where it may, what is not known there is said. */
function seLinuxCheck({ metadata, status }: Node): Check[] {
  const { osImage = '' } = status?.nodeInfo ?? {};
  const isLabelled = metadata.labels?.[SELINUX_LABEL] === 'true';
  if (!isLabelled && !SELINUX_SYSTEMS.some((name) => osImage.startsWith(name))) return [];
  return [
    {
      level: 'WARN',
      what: `SELinux on ${metadata.name}`,
      found: `${osImage === '' ? 'the node' : osImage} comes with SELinux; labels are KubeVirt's, and VMs were not run there: taps of masquerade and bridge networks may be refused to QEMU (tun_socket)`,
      fix: 'when a VM does not start there, look on the node with: ausearch -m avc -ts recent; docs/cluster-install.md has what is needed',
    },
  ];
}

function readyCheck({ metadata, status }: Node, cgroupVersion: string | undefined): Check {
  const what = `node ${metadata.name}`;
  const { containerRuntimeVersion = '', kubeletVersion = '' } = status?.nodeInfo ?? {};
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const groups = cgroupVersion === undefined ? '' : `, cgroup v${cgroupVersion}`;
  if (ready?.status === 'True')
    return {
      level: 'PASS',
      what,
      found: `ready, kubelet ${kubeletVersion}, ${containerRuntimeVersion}${groups}`,
    };
  // A node without a network plugin says so here, and nowhere else.
  const message = ready?.message ?? '';
  const fix = /cni|network plugin|NetworkReady/i.test(message)
    ? `install a network plugin (CNI) there, then: kubectl describe node ${metadata.name}`
    : `kubectl describe node ${metadata.name}`;
  return { level: 'WARN', what, found: message === '' ? 'not ready' : `not ready: ${message}`, fix };
}

/** `gatesOff`: whose gate ImageVolume is off; `unwanted`: the KubeVirt object does not want image volumes. */
export function containerDisksCheck(
  nodes: readonly Node[],
  gatesOff: readonly string[],
  unwanted: boolean,
): Check {
  const what = 'container disks';
  const lacking = nodes.filter((node) => !hasImageVolumes(node)).map(({ metadata }) => metadata.name);
  if (unwanted) return { level: 'PASS', what, found: 'held by containers, as the KubeVirt object says' };
  if (lacking.length > 0)
    return {
      level: 'PASS',
      what,
      found: `held by containers, as ${lacking.slice(0, 3).join(', ')}${lacking.length > 3 ? ', …' : ''} ${lacking.length === 1 ? 'has' : 'have'} no image volumes (Kubernetes 1.35 with containerd 2.1 or CRI-O 1.31): a start takes longer`,
    };
  if (gatesOff.length > 0)
    return {
      level: 'WARN',
      what,
      found: `by its versions this cluster has image volumes, but the gate ImageVolume is off on ${gatesOff.slice(0, 3).join(', ')}${gatesOff.length > 3 ? ', …' : ''}, which will refuse or never start Pods of VMs with container disks`,
      fix: 'turn the gate on there, or name ImageVolume in spec.configuration.developerConfiguration.disabledFeatureGates of the KubeVirt object: containers hold the disks then',
    };
  return { level: 'PASS', what, found: 'image volumes, on every node' };
}
