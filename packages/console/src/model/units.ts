/** Numbers as people read them. Pure. */
import { isQuantity, parseQuantity } from '@podvisor/base';

const STEPS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

export function bytesText(bytes: number): string {
  let value = bytes;
  let step = 0;
  while (value >= 1024 && step < STEPS.length - 1) {
    value /= 1024;
    step += 1;
  }
  return `${value >= 100 || step === 0 ? Math.round(value) : value.toFixed(1)} ${STEPS[step]}`;
}

/** A quantity of Kubernetes' as a number; 0 for what is none. */
export function amountOf(quantity: string | undefined): number {
  return isQuantity(quantity) ? Number(parseQuantity(quantity ?? '0').nano) / 1e9 : 0;
}

export function secondsText(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** Where a subresource of a VMI is. */
export function vmiPath(namespace: string, name: string, subresource: string): string {
  const [place, object] = [namespace, name].map(encodeURIComponent);
  return `/apis/subresources.kubevirt.io/v1/namespaces/${place}/virtualmachineinstances/${object}/${subresource}`;
}
