/**
 * Spans of OpenTelemetry traces, in OTLP's JSON form (opentelemetry.io/docs/specs/otlp). Pure. Ids follow from what a
 * trace is of and from the names of its spans: every process that works at the start of a VMI knows them from the
 * VMI's UID, so that nothing has to be handed on and a span that is sent twice is one span.
 */
import { createHash } from 'node:crypto';

/** What a trace is of, by its ids. */
export interface Trace {
  readonly traceId: string;
  /** Span of the whole. */
  readonly rootId: string;
}

export interface Span {
  readonly trace: Trace;
  /** Who did it: `service.name`. */
  readonly service: string;
  /** Unique in its trace. */
  readonly name: string;
  /** Name of the span that it is part of; absent: of the whole; `null`: it is the whole. */
  readonly parent?: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly namespace: string;
  /** Of the object. */
  readonly object: string;
  readonly failed?: boolean;
}

export function traceOf(what: string): Trace {
  const digest = createHash('sha256').update(what).digest('hex');
  return { traceId: digest.slice(0, 32), rootId: digest.slice(32, 48) };
}

/** The trace of a VMI's start: a VMI starts once. */
export function startTrace(vmiUid: string): Trace {
  return traceOf(`start/${vmiUid}`);
}

/** The body of a request to `/v1/traces`. */
export function otlpBody(spans: readonly Span[]): unknown {
  return {
    resourceSpans: [...Map.groupBy(spans, ({ service }) => service)].map(([service, own]) => ({
      resource: { attributes: [text('service.name', service), text('service.namespace', 'podvisor')] },
      scopeSpans: [{ scope: { name: 'podvisor' }, spans: own.map(otlpSpan) }],
    })),
  };
}

function otlpSpan({ trace, name, parent, fromMs, toMs, namespace, object, failed }: Span): unknown {
  const isWhole = parent === null;
  const parentSpanId = parent === undefined || parent === null ? trace.rootId : spanId(trace, parent);
  return {
    traceId: trace.traceId,
    spanId: isWhole ? trace.rootId : spanId(trace, name),
    ...(isWhole ? {} : { parentSpanId }),
    name,
    kind: 1,
    startTimeUnixNano: nanos(fromMs),
    endTimeUnixNano: nanos(Math.max(fromMs, toMs)),
    attributes: [text('k8s.namespace.name', namespace), text('podvisor.name', object)],
    status: { code: failed === true ? 2 : 0 },
  };
}

function spanId({ traceId, rootId }: Trace, name: string): string {
  return createHash('sha256').update(`${traceId}/${rootId}/${name}`).digest('hex').slice(0, 16);
}

function text(key: string, value: string): unknown {
  return { key, value: { stringValue: value } };
}

/** Fixed-point, because nanoseconds since the epoch are more than a number can hold. */
function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}
