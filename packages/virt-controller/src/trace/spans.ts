/**
 * An operation that ended as one OpenTelemetry trace: a span for the whole, below it one for each handoff, each of the
 * component that did it, in OTLP's JSON form (opentelemetry.io/docs/specs/otlp). Pure; the same operation gives the
 * same ids, so that a trace that is sent twice is one trace.
 */
import { createHash } from 'node:crypto';

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

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 1;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly unknown[];
  readonly status: { readonly code: 0 | 2 };
}

/** The body of a request to `/v1/traces`. */
export function traceOf(ended: EndedOperation): unknown {
  const { operation, id, beganMs, handoffs, succeeded } = ended;
  const digest = createHash('sha256').update(`${operation}/${id}/${beganMs}`).digest('hex');
  const traceId = digest.slice(0, 32);
  const rootId = digest.slice(32, 48);
  const attributes = [text('k8s.namespace.name', ended.namespace), text('podvisor.name', ended.name)];
  const span = (name: string, spanId: string, fromMs: number, toMs: number): Span => ({
    traceId,
    spanId,
    name,
    kind: 1,
    startTimeUnixNano: nanos(fromMs),
    endTimeUnixNano: nanos(Math.max(fromMs, toMs)),
    attributes,
    status: { code: 0 },
  });
  const endMs = Math.max(beganMs, ...handoffs.map(({ atMs }) => atMs));
  const whole: Span = {
    ...span(operation, rootId, beganMs, endMs),
    status: { code: succeeded ? 0 : 2 },
  };
  const parts = handoffs.map(({ name, atMs }, i) => {
    const fromMs = Math.max(beganMs, ...handoffs.slice(0, i).map((one) => one.atMs));
    const spanId = createHash('sha256').update(`${digest}/${name}`).digest('hex').slice(0, 16);
    return [
      DOERS[name] ?? 'virt-controller',
      { ...span(name, spanId, fromMs, atMs), parentSpanId: rootId },
    ] as const;
  });
  const byDoer = Map.groupBy([['virt-controller', whole] as const, ...parts], ([doer]) => doer);
  return {
    resourceSpans: [...byDoer].map(([doer, spans]) => ({
      resource: { attributes: [text('service.name', doer), text('service.namespace', 'podvisor')] },
      scopeSpans: [{ scope: { name: 'podvisor.handoffs' }, spans: spans.map(([, one]) => one) }],
    })),
  };
}

function text(key: string, value: string): unknown {
  return { key, value: { stringValue: value } };
}

/** Fixed-point, because nanoseconds since the epoch are more than a number can hold. */
function nanos(ms: number): string {
  return String(BigInt(Math.round(ms)) * 1_000_000n);
}
