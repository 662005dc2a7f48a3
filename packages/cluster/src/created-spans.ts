/** The write of a new VMI in the embedded API server, as a span of its start. Pure. */
import type { KubernetesObject } from '@podvisor/api';
import { type Span, startTrace } from '@podvisor/kube';

export function vmiCreatedSpans(
  { kind, metadata }: KubernetesObject,
  fromMs: number,
  toMs: number,
): readonly Span[] {
  if (kind !== 'VirtualMachineInstance') return [];
  const { namespace = '', name: object = '', uid = '' } = metadata ?? {};
  const trace = startTrace(uid);
  return [{ trace, service: 'kube-apiserver', name: 'write-vmi', fromMs, toMs, namespace, object }];
}
