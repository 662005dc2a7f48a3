/**
 * The name under which the key of a guest is kept. A machine that is made anew under an old name is another machine:
 * were its key kept by name alone, ssh would cry that somebody listens, and people would learn to ignore that. The UID
 * tells the two apart, and a key that changes on the *same* VM is still refused.
 */
import { controllerOfKind, type KubernetesObject, ownerKinds } from '@podvisor/api';
import { type KubeClient, resources } from '@podvisor/kube';
import type { Target } from '../../target.ts';

/** ssh works without it: who waits for longer waits for the tunnel anyway, and that says what is wrong. */
const PATIENCE_MS = 5_000;

/** Undefined where the object cannot be read: the guest is then known by its name. */
export async function hostKeyName(
  client: KubeClient,
  { kind, name, namespace }: Required<Target>,
): Promise<string | undefined> {
  const resource = kind === 'vm' ? resources.virtualMachines : resources.virtualMachineInstances;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const found = await client
    .get<KubernetesObject>(resource, { name, namespace }, signal)
    .catch(() => undefined);
  const uid = ownerUid(found) ?? found?.metadata?.uid;
  return uid === undefined ? undefined : `vm.${name}.${namespace}.${uid}`;
}

/** A VMI of a VM is known as the VM is: it has the VM's disks, and with them its key. */
function ownerUid(found: KubernetesObject | undefined): string | undefined {
  return found === undefined ? undefined : controllerOfKind(found, ownerKinds.vm)?.uid;
}
