/**
 * Numbers of VMI specs that count something. Definitions of kinds let negative ones pass, KubeVirt cannot read them: its
 * webhooks refuse the whole object, after they have looked at its schema and before any rule.
 */
import { type Admission, refusal } from './admission.ts';
import { unreadableMetadata } from './embedded-metadata.ts';
import { fitsUnsigned, type UnsignedType, unreadableNumber } from './go-unsigned.ts';
import { valuesAt } from './values-at.ts';

const DOMAIN: readonly (readonly [path: string, size: UnsignedType])[] = [
  ...['cores', 'maxSockets', 'sockets', 'threads'].map((name) => [`cpu.${name}`, 'uint32'] as const),
  ['features.hyperv.spinlocks.spinlocks', 'uint32'],
  ['ioThreads.supplementalPoolThreadCount', 'uint32'],
  ['devices.disks.bootOrder', 'uint64'],
  ['devices.disks.blockSize.custom.discardGranularity', 'uint64'],
  ['devices.disks.blockSize.custom.logical', 'uint64'],
  ['devices.disks.blockSize.custom.physical', 'uint64'],
  ['devices.interfaces.bootOrder', 'uint64'],
];

/** Where kinds have a domain. */
const DOMAINS = {
  VirtualMachine: 'spec.template.spec.domain',
  VirtualMachineInstance: 'spec.domain',
  VirtualMachineInstancePreset: 'spec.domain',
  VirtualMachineInstanceReplicaSet: 'spec.template.spec.domain',
  VirtualMachinePool: 'spec.virtualMachineTemplate.spec.template.spec.domain',
} as const;

/** Kinds that have a domain. */
export type DomainKind = keyof typeof DOMAINS;

/** The refusal of an object with a number that cannot be read; undefined when there is none. */
export function unsignedRefusal(kind: DomainKind, object: unknown): Admission | undefined {
  const domain = valuesAt(object, DOMAINS[kind].split('.'))[0];
  if (domain === undefined) return undefined;
  for (const [path, size] of DOMAIN) {
    const bad = valuesAt(domain, path.split('.')).find(
      (value) => typeof value === 'number' && !fitsUnsigned(value, size),
    );
    if (bad !== undefined)
      return refusal(unreadableNumber(bad, `${kind}.${DOMAINS[kind]}.${path}`, size), 400);
  }
  return undefined;
}

const POOL_METADATA = [
  'spec.virtualMachineTemplate.metadata',
  'spec.virtualMachineTemplate.spec.template.metadata',
];

/** The same for a pool, whose schema nobody asks about before: metadata that cannot be read is refused here, too. */
export function unreadablePoolRefusal(pool: unknown): Admission | undefined {
  for (const path of POOL_METADATA) {
    const problem = unreadableMetadata(valuesAt(pool, path.split('.'))[0], path);
    if (problem !== undefined) return refusal(problem, 400);
  }
  return unsignedRefusal('VirtualMachinePool', pool);
}
