/**
 * Where the time of a warm copy goes: when each step of it was first seen, by watches, and when its node did its part
 * (handoffs of the VMI). A step that was never seen is left out.
 */
import {
  HANDOFFS_ANNOTATION,
  type KubernetesObject,
  type PersistentVolumeClaim,
  type Pod,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { Informer, resources } from '@podvisor/kube';
import type { Instance } from '../test/support/instance.ts';
import { vmRestores } from '../test/support/storage-resources.ts';

export const WARM_STEPS = [
  'restore made',
  'VM made',
  'memory claim made',
  'VMI made',
  'memory claim bound',
  'Pod made',
  'Pod on a node',
  'Pod running',
  'launcher takes commands',
  'VMI scheduled',
  'launcher asked to start it',
  'guest loaded and made distinct',
  'VMI running',
] as const;
export type WarmStep = (typeof WARM_STEPS)[number];

/** Milliseconds of `performance.now()`. */
export type StepTimes = ReadonlyMap<WarmStep, number>;

const BY_HANDOFF: readonly (readonly [string, WarmStep])[] = [
  ['6', 'launcher takes commands'],
  ['9', 'launcher asked to start it'],
  ['10', 'guest loaded and made distinct'],
];

export class WarmSteps implements Disposable {
  readonly #seen = new Map<string, Map<WarmStep, number>>();
  readonly #handoffs = new Map<string, Readonly<Record<string, number>>>();
  readonly #end = new AbortController();
  readonly #informers: readonly Informer<KubernetesObject>[];

  constructor({ client }: Instance) {
    const follow = <T extends KubernetesObject>(
      resource: ConstructorParameters<typeof Informer<T>>[0]['resource'],
      tell: (object: T) => readonly (readonly [copy: string | undefined, step: WarmStep])[],
    ): Informer<KubernetesObject> => {
      const informer = new Informer<T>({ client, resource });
      const hear = (object: T): void => {
        for (const [copy, step] of tell(object)) this.#note(copy, step);
      };
      informer.on({ add: hear, update: hear });
      return informer as unknown as Informer<KubernetesObject>;
    };
    this.#informers = [
      follow(vmRestores, ({ spec }) => [[spec.target.name, 'restore made']]),
      follow(resources.virtualMachines, ({ metadata }) => [[metadata?.name, 'VM made']]),
      follow(resources.persistentVolumeClaims, claimSteps),
      follow(resources.virtualMachineInstances, (vmi) => {
        const told = vmi.metadata?.annotations?.[HANDOFFS_ANNOTATION];
        if (told !== undefined)
          this.#handoffs.set(vmi.metadata?.name ?? '', JSON.parse(told) as Record<string, number>);
        return vmiSteps(vmi);
      }),
      follow(resources.pods, podSteps),
    ];
    for (const informer of this.#informers) informer.start(this.#end.signal);
  }

  async ready(): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer.synced()));
  }

  of(copy: string): StepTimes {
    const handoffs = this.#handoffs.get(copy) ?? {};
    const ofNode = BY_HANDOFF.flatMap(([number, step]) => {
      const epochMs = handoffs[number];
      return epochMs === undefined ? [] : [[step, epochMs - performance.timeOrigin] as const];
    });
    return new Map([...(this.#seen.get(copy) ?? []), ...ofNode]);
  }

  #note(copy: string | undefined, step: WarmStep): void {
    if (copy === undefined) return;
    const times = this.#seen.get(copy) ?? new Map<WarmStep, number>();
    if (!times.has(step)) times.set(step, performance.now());
    this.#seen.set(copy, times);
  }

  [Symbol.dispose](): void {
    this.#end.abort();
  }
}

type Told = readonly (readonly [string | undefined, WarmStep])[];

/** Claims of a copy's memory are owned by its VM. */
function claimSteps({ metadata, status }: PersistentVolumeClaim): Told {
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'VirtualMachine')?.name;
  return [
    [owner, 'memory claim made'],
    [status?.phase === 'Bound' ? owner : undefined, 'memory claim bound'],
  ];
}

function vmiSteps({ metadata, status }: VirtualMachineInstance): Told {
  const name = metadata?.name;
  return [
    [name, 'VMI made'],
    [status?.phase === 'Scheduled' || status?.phase === 'Running' ? name : undefined, 'VMI scheduled'],
    [status?.phase === 'Running' ? name : undefined, 'VMI running'],
  ];
}

function podSteps({ metadata, spec, status }: Pod): Told {
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'VirtualMachineInstance')?.name;
  return [
    [owner, 'Pod made'],
    [spec.nodeName === undefined ? undefined : owner, 'Pod on a node'],
    [status?.phase === 'Running' ? owner : undefined, 'Pod running'],
  ];
}

/** Milliseconds of each step after the one before; the last is the guest's answer. */
export function durations(
  times: StepTimes,
  fromMs: number,
  answeredMs: number,
): readonly (readonly [WarmStep | 'guest answers', number])[] {
  const seen = WARM_STEPS.flatMap((step) => {
    const atMs = times.get(step);
    return atMs === undefined ? [] : [[step, atMs] as const];
  }).toSorted(([, a], [, b]) => a - b);
  return [...seen, ['guest answers', answeredMs] as const].map(([step, atMs], index) => [
    step,
    atMs - (seen[index - 1]?.[1] ?? fromMs),
  ]);
}
