/** Labels, annotations and owner of the launcher Pod. */
import { annotations, labels, type ObjectMeta, type VirtualMachineInstance } from '@podvisor/api';
import { hostnameOf, vmiIdOf } from './names.ts';
import type { LauncherPodOptions } from './options.ts';
import { reservationLabels } from './resources/reservations.ts';

/** Annotations of the VMI, by how they begin, that say something about the VMI object alone. */
const NOT_FOR_PODS: readonly string[] = [
  'kubectl.kubernetes.io',
  annotations.latestObservedApiVersion,
  annotations.storageObservedApiVersion,
];

/** Metadata of the Pod. `overheadBytes` is told to whoever must tell guest from overhead later. */
export function podMetadata(
  vmi: VirtualMachineInstance,
  overheadBytes: number,
  options: LauncherPodOptions,
): ObjectMeta {
  const { name = '', namespace, uid = '' } = vmi.metadata ?? {};
  const target = options.migrationTarget;
  return {
    generateName: `virt-launcher-${name}-`,
    ...(namespace === undefined ? {} : { namespace }),
    labels: {
      ...vmi.metadata?.labels,
      [labels.app]: 'virt-launcher',
      [labels.createdBy]: uid,
      [labels.vmName]: hostnameOf(vmi),
      [labels.vmiId]: vmiIdOf(name),
      ...reservationLabels(vmi, options),
      ...meshLabel(vmi),
      ...(target === undefined ? {} : { [labels.migrationJobUID]: target.migrationUid }),
    },
    annotations: {
      [annotations.domain]: name,
      ...Object.fromEntries(
        Object.entries(vmi.metadata?.annotations ?? {}).filter(
          ([key]) => !NOT_FOR_PODS.some((prefix) => key.startsWith(prefix)),
        ),
      ),
      'kubectl.kubernetes.io/default-container': 'compute',
      [annotations.migrationTransportUnix]: 'true',
      'descheduler.alpha.kubernetes.io/request-evict-only': '',
      [annotations.memoryOverheadBytes]: String(overheadBytes),
      ...(target === undefined ? {} : { [annotations.migrationJobName]: target.migrationName }),
      ...options.annotations,
    },
    ownerReferences: [
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        name,
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
}

/** A service mesh's injector looks at labels, whereas users annotate their VMIs. */
function meshLabel({ metadata }: VirtualMachineInstance): Record<string, string> {
  const inject = metadata?.annotations?.[annotations.istioInject];
  return inject === undefined ? {} : { [labels.istioInject]: inject };
}
