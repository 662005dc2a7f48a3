/** The Pod that watches the lease of a lost guest from a live node: its claim read-only, no rights, no credentials. Pure. */
import { labels, parseLeaseReport, type Pod, type VirtualMachineInstance, isPodEnded } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { helperSecurity, LAUNCHER_USER } from '@podvisor/translate';
import { nameSuffix } from '../vmi/pod-name.ts';
import type { LossFacts } from './decide.ts';

export const LEASE_WATCH = 'lease-watch';
const NODE_LABEL = 'podvisor.io/lost-node';
const SILENT_SINCE = '--silent-since';

export interface WatchPodInput {
  readonly vmi: VirtualMachineInstance;
  /** The Pod of the runner that is lost. */
  readonly launcher: Pod;
  readonly claim: string;
  readonly nodeName: string;
  /** How long the node has been silent at least when it is made. */
  readonly silentMs: number;
  /** The node's last sign of life: what is seen after it holds for this silence alone. */
  readonly silentSince: string | undefined;
  readonly image: string;
}

/** Named after the runner that it watches: one for each, whoever makes it. */
export function watchPodName({ metadata }: Pod): string {
  return `lease-watch-${nameSuffix(metadata.uid ?? '')}`;
}

/** The lost node that a watcher is about. */
export function lostNodeOf({ metadata }: Pod): string | undefined {
  return metadata.labels?.[NODE_LABEL];
}

export function watchPod(input: WatchPodInput): Pod {
  const { vmi, launcher, claim, nodeName, silentMs, silentSince, image } = input;
  const { name = '', namespace, uid = '' } = vmi.metadata ?? {};
  // As for the launcher: this node may not have its image yet, nor room for one without its priority.
  const { imagePullSecrets, priorityClassName, containers } = launcher.spec;
  const imagePullPolicy = containers.find((container) => container.image === image)?.imagePullPolicy;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: watchPodName(launcher),
      namespace,
      labels: { 'kubevirt.io': LEASE_WATCH, [NODE_LABEL]: nodeName },
      ownerReferences: [
        { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name, uid, controller: true },
      ],
    },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 0,
      enableServiceLinks: false,
      automountServiceAccountToken: false,
      securityContext: {
        runAsUser: LAUNCHER_USER,
        runAsGroup: LAUNCHER_USER,
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: 'kubernetes.io/hostname', operator: 'NotIn', values: [nodeName] },
                  // Others may have been lost with it.
                  { key: labels.schedulable, operator: 'In', values: ['true'] },
                ],
              },
            ],
          },
        },
      },
      ...(vmi.spec.tolerations === undefined ? {} : { tolerations: vmi.spec.tolerations }),
      ...(imagePullSecrets === undefined ? {} : { imagePullSecrets }),
      ...(priorityClassName === undefined ? {} : { priorityClassName }),
      containers: [
        {
          name: LEASE_WATCH,
          image,
          ...(imagePullPolicy === undefined ? {} : { imagePullPolicy }),
          command: ['/usr/bin/tini', '-s', '--', '/usr/lib/podvisor/virt-lease-watch'],
          args: [
            ...['--image', '/claim/disk.img', '--uid', uid, '--pod', launcher.metadata.name ?? ''],
            ...['--silent-ms', String(silentMs)],
            ...(silentSince === undefined ? [] : [SILENT_SINCE, silentSince]),
          ],
          resources: { requests: { cpu: '10m', memory: '32M' }, limits: { cpu: '500m', memory: '160M' } },
          securityContext: helperSecurity,
          volumeMounts: [{ name: 'claim', mountPath: '/claim', readOnly: true }],
        },
      ],
      volumes: [{ name: 'claim', persistentVolumeClaim: { claimName: claim } }],
    },
  };
}

/** The silence that a watcher is of, by its own words. */
export function silentSinceOf({ spec }: Pod): string | undefined {
  const { args = [] } = spec.containers[0] ?? {};
  return args.includes(SILENT_SINCE) ? args[args.indexOf(SILENT_SINCE) + 1] : undefined;
}

/**
 * Whoever may make Pods in the namespace can make one of this name. What counts runs this very program with these
 * very arguments, environment and volumes, and nothing beside it. One of an earlier silence has other arguments: the
 * node was heard of since, so its guest may run whatever that one saw.
 */
export function isWatchPod(pod: Pod, wanted: Pod): boolean {
  return deepEqual(whatRuns(pod), whatRuns(wanted));
}

/** Set by API servers in every container, and of no weight for what a program does and says. */
const DEFAULTED: readonly (readonly [field: string, isPlain: (value: unknown) => boolean])[] = [
  ['resources', () => true],
  ['securityContext', () => true],
  ['imagePullPolicy', () => true],
  ['terminationMessagePath', (path) => path === '/dev/termination-log'],
  ['terminationMessagePolicy', (policy) => policy === 'File'],
];

/** Everything of a Pod that has a say in what its program reads and says: also what this version knows nothing of. */
function whatRuns({ spec }: Pod): object {
  const { containers, initContainers = [], volumes = [] } = spec;
  return {
    containers: containers.map((container) =>
      Object.fromEntries(
        Object.entries(container).filter(
          ([field, value]) => !DEFAULTED.some(([name, isPlain]) => name === field && isPlain(value)),
        ),
      ),
    ),
    others: [initContainers, 'ephemeralContainers' in spec ? spec.ephemeralContainers : undefined],
    volumes,
  };
}

/**
 * How the watcher stands. `runsForMs`: since this process first saw it run. `isLostToo`: so is its own node, and nobody
 * will ever hear of it; what it said before that counts.
 */
export function watchState(
  pod: Pod | undefined,
  runsForMs: number,
  leaseMs: number,
  isLostToo = false,
): LossFacts['watch'] {
  if (pod === undefined) return { kind: 'none' };
  const phase = pod.status?.phase;
  if (isPodEnded(pod)) {
    const ended = pod.status?.containerStatuses?.[0]?.state?.terminated;
    return { kind: 'ended', report: parseLeaseReport(ended?.message ?? '') };
  }
  if (isLostToo) return { kind: 'none' };
  if (phase === 'Running') return { kind: 'running', forMs: runsForMs, leaseMs };
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return { kind: 'pending', why: scheduled?.message ?? 'it is being started' };
}
