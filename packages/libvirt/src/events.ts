/** Domain events as libvirtd tells them, decoded. They are hints: what is true is asked for afterwards. */
import { type DomainRef, readDomain } from './protocol/domain-ref.ts';
import { LIMITS } from './protocol/limits.ts';
import { EVENT } from './protocol/procedures.ts';
import { type ParamRecord, paramRecord, readParam } from './protocol/typed-param.ts';
import type { XdrReader } from './xdr/reader.ts';

export type DomainEventKind = keyof typeof EVENT;

interface Of<K extends DomainEventKind> {
  readonly kind: K;
  readonly domain: DomainRef;
}

export type DomainEvent =
  /** `event` is one of LIFECYCLE_EVENT. */
  | (Of<'lifecycle'> & { readonly event: number; readonly detail: number })
  | Of<'reboot'>
  | (Of<'ioError'> & {
      readonly path: string;
      readonly alias: string;
      readonly action: number;
      readonly reason: string;
    })
  | (Of<'deviceAdded' | 'deviceRemoved' | 'deviceRemovalFailed'> & { readonly alias: string })
  | (Of<'blockJob'> & { readonly disk: string; readonly type: number; readonly status: number })
  | (Of<'agentLifecycle'> & { readonly connected: boolean; readonly reason: number })
  /** The guest has taken, or given back, memory of a device that may grow (virtio-mem). */
  | (Of<'memoryDeviceSizeChange'> & { readonly alias: string; readonly bytes: bigint })
  | (Of<'migrationIteration'> & { readonly iteration: number })
  | (Of<'jobCompleted'> & { readonly stats: ParamRecord });

type Body = (input: XdrReader, domain: DomainRef) => DomainEvent;

const alias =
  (kind: 'deviceAdded' | 'deviceRemoved' | 'deviceRemovalFailed'): Body =>
  (input, domain) => ({ kind, domain, alias: input.string() });

const BODIES: Readonly<Record<DomainEventKind, Body>> = {
  lifecycle: (input, domain) => ({ kind: 'lifecycle', domain, event: input.int(), detail: input.int() }),
  reboot: (_, domain) => ({ kind: 'reboot', domain }),
  ioError: (input, domain) => ({
    kind: 'ioError',
    domain,
    path: input.string(),
    alias: input.string(),
    action: input.int(),
    reason: input.string(),
  }),
  deviceAdded: alias('deviceAdded'),
  deviceRemoved: alias('deviceRemoved'),
  deviceRemovalFailed: alias('deviceRemovalFailed'),
  blockJob: (input, domain) => ({
    kind: 'blockJob',
    domain,
    disk: input.string(),
    type: input.int(),
    status: input.int(),
  }),
  agentLifecycle: (input, domain) => ({
    kind: 'agentLifecycle',
    domain,
    connected: input.int() === 1,
    reason: input.int(),
  }),
  memoryDeviceSizeChange: (input, domain) => ({
    kind: 'memoryDeviceSizeChange',
    domain,
    alias: input.string(),
    bytes: input.uhyper(),
  }),
  migrationIteration: (input, domain) => ({ kind: 'migrationIteration', domain, iteration: input.int() }),
  jobCompleted: (input, domain) => ({
    kind: 'jobCompleted',
    domain,
    stats: paramRecord(input.list(LIMITS.jobStats, () => readParam(input))),
  }),
};

const BY_MESSAGE = new Map(
  Object.entries(EVENT).map(([kind, { message }]) => [message as number, kind as DomainEventKind] as const),
);

/** The event in a notice, or nothing when it is of a kind we never registered for. */
export function decodeEvent(procedure: number, input: XdrReader): DomainEvent | undefined {
  const kind = BY_MESSAGE.get(procedure);
  if (kind === undefined) return undefined;
  input.int(); // callback id: one registration per kind, so the kind says it all
  return BODIES[kind](input, readDomain(input));
}
