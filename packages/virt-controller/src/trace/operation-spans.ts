/**
 * An operation that ended as spans of one trace: one for the whole, below it one for each handoff, each of the
 * component that did it. What the components did within a handoff they tell themselves. Pure.
 */
import { type Span, startTrace, traceOf } from '@podvisor/kube';

/** An operation from its beginning to its end. */
export interface EndedOperation {
  readonly operation: string;
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly beganMs: number;
  readonly succeeded: boolean;
  /** In order; each lasted since the one before. */
  readonly handoffs: readonly { readonly name: string; readonly atMs: number }[];
}

/** Who brings a handoff about; those of a migration are phases, which virt-controller sets. */
const DOERS: Readonly<Record<string, string>> = {
  'pod-created': 'virt-controller',
  'pod-running': 'kubelet',
  'launcher-ready': 'virt-launcher',
  scheduled: 'virt-controller',
  'network-ready': 'virt-handler',
  'launcher-asked': 'virt-handler',
  'domain-running': 'virt-launcher',
  running: 'virt-handler',
  'guest-ended': 'virt-launcher',
  'pod-gone': 'kubelet',
  'vmi-gone': 'virt-controller',
  attached: 'kubelet',
  mounted: 'virt-handler',
};

export function operationSpans(ended: EndedOperation): readonly Span[] {
  const { operation, id, namespace, beganMs, handoffs, succeeded } = ended;
  const trace = operation === 'start' ? startTrace(id) : traceOf(`${operation}/${id}/${beganMs}`);
  const common = { trace, namespace, object: ended.name };
  const endMs = Math.max(beganMs, ...handoffs.map(({ atMs }) => atMs));
  const whole: Span = {
    ...common,
    service: 'virt-controller',
    name: operation,
    parent: null,
    fromMs: beganMs,
    toMs: endMs,
    failed: !succeeded,
  };
  const parts = handoffs.map(({ name, atMs }, i): Span => {
    const fromMs = Math.max(beganMs, ...handoffs.slice(0, i).map((one) => one.atMs));
    return { ...common, service: DOERS[name] ?? 'virt-controller', name, fromMs, toMs: atMs };
  });
  return [whole, ...parts];
}
