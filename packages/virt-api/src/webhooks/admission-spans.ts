/** The validation of a new VMI as a span of its start; before it, a VMI has no UID and hence no trace. Pure. */
import type { KubernetesObject } from '@podvisor/api';
import { type Span, startTrace } from '@podvisor/kube';
import type { AdmissionRequest } from './review.ts';

export function admissionSpans(
  { operation, resource, dryRun, namespace, object }: AdmissionRequest,
  fromMs: number,
  toMs: number,
): readonly Span[] {
  if (operation !== 'CREATE' || resource.resource !== 'virtualmachineinstances' || dryRun) return [];
  const { uid, name = '' } = (object as KubernetesObject).metadata ?? {};
  if (uid === undefined) return [];
  const trace = startTrace(uid);
  return [{ trace, service: 'virt-api', name: 'admit-vmi', fromMs, toMs, namespace, object: name }];
}
