/** Who uses an image of this machine. Pure. */
import type { KubernetesObject, Pod } from '@podvisor/api';
import { imagesOf } from './local-images.ts';

/** `VM default/hello`, `Pod default/x`, each once; launchers are told as their VMs. */
export function usersOf(
  image: string,
  objects: readonly KubernetesObject[],
  pods: readonly Pod[],
): readonly string[] {
  const named = objects
    .filter((object) => [...imagesOf([object])].some((one) => sameImage(one, image)))
    .map((object) => textOf(SHORT[object.kind ?? ''] ?? object.kind ?? '', object));
  const running = pods
    .filter((pod) => pod.metadata.labels?.['kubevirt.io'] !== 'virt-launcher')
    .filter((pod) => pod.spec.containers.some((container) => sameImage(container.image ?? '', image)))
    .map((pod) => textOf('Pod', pod));
  return [...new Set([...named, ...running])];
}

const SHORT: Readonly<Record<string, string>> = { VirtualMachine: 'VM', VirtualMachineInstance: 'VMI' };

function textOf(kind: string, { metadata }: KubernetesObject): string {
  return `${kind} ${metadata?.namespace ?? 'default'}/${metadata?.name ?? ''}`;
}

/** As the store names images: with registry and tag. */
function sameImage(a: string, stored: string): boolean {
  const tagged = /[:@][^/]*$/.test(a) ? a : `${a}:latest`;
  return [tagged, `docker.io/${tagged}`, `docker.io/library/${tagged}`].includes(stored);
}
