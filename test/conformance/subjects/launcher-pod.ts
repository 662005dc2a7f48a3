/**
 * Recorded launcher Pods. Compared: all that clients and the scheduler see. Left out, because it is ours: images and
 * command lines, and the init containers and helper volumes that serve only to learn image digests.
 */
import {
  type Container,
  clusterConfig,
  type KubeVirtConfiguration,
  type Pod,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { kubevirtOverhead, type LauncherPodOptions, renderLauncherPod } from '@podvisor/translate';
import type { Assumed } from '../assumed.ts';
import { differences } from '../differences.ts';
import { jsonCases } from '../records.ts';
import { subject } from '../subject.ts';
import { type Attempt, attempt, attemptDifferences } from './attempt.ts';

interface Input {
  readonly clusterConfig: { readonly configuration?: KubeVirtConfiguration } | null;
  readonly vmi: VirtualMachineInstance;
  readonly imageIDs: Readonly<Record<string, string>> | null;
}
interface Expected {
  readonly error: string | null;
  readonly pod: Pod | null;
}

/** Volumes and mounts that exist only for KubeVirt's way of resolving image digests. */
const HELPER_VOLUMES: readonly string[] = ['launcher-volume'];

export const launcherPod = subject<Input, Expected, Attempt<Pod>>(
  'launcher Pod',
  /^launcher-pod\/cases\.jsonl$/,
  {
    load: jsonCases<Input, Expected>(
      { clusterConfig: 'input', vmi: 'input', imageIDs: 'input', error: 'expected', pod: 'expected' },
      ['test', 'memoryOverhead', 'tempPod'],
    ),
    answer: (input, assumed) => attempt(() => renderLauncherPod(input.vmi, optionsOf(input, assumed))),
    compare: ({ error, pod }, answer) =>
      attemptDifferences(error, answer, (ours) =>
        pod === null
          ? ['the record has neither a Pod nor an error']
          : differences(comparable(pod), comparable(ours)),
      ),
  },
);

function optionsOf(
  { clusterConfig: recorded, imageIDs }: Input,
  { claims = {}, stateClaim, podAnnotations, defaultArchitecture = 'amd64' }: Assumed,
): LauncherPodOptions {
  const config = clusterConfig({ spec: { configuration: recorded?.configuration ?? {} } });
  return {
    launcherImage: 'kubevirt/virt-launcher',
    config: { ...config, defaultArchitecture },
    claims,
    overheadTable: kubevirtOverhead,
    // The recording ran with one secret for images.
    imagePullSecrets: [{ name: 'pull-secret-1' }],
    ...(stateClaim === undefined ? {} : { stateClaim }),
    ...(imageIDs === null || Object.keys(imageIDs).length === 0
      ? {}
      : { migrationTarget: { migrationUid: '', migrationName: '', imageIds: imageIDs } }),
    ...(podAnnotations === undefined ? {} : { annotations: podAnnotations }),
  };
}

/** The Pod without what is ours, in a canonical order. */
function comparable(pod: Pod): unknown {
  const { initContainers = [], containers, volumes = [], ...spec } = pod.spec;
  const { namespace: _namespace, labels, annotations, ...metadata } = pod.metadata;
  return JSON.parse(
    JSON.stringify({
      metadata: {
        ...metadata,
        labels: without(labels, 'kubevirt.io/migrationJobUID'),
        annotations: without(annotations, 'kubevirt.io/migrationJobName'),
      },
      spec: {
        ...spec,
        containers: containers.map(comparableContainer),
        initContainers: initContainers
          .filter(({ restartPolicy }) => restartPolicy === 'Always')
          .map(comparableContainer),
        volumes: byName(volumes.filter(({ name }) => !HELPER_VOLUMES.includes(name))),
      },
    }),
  );
}

function comparableContainer({
  command: _command,
  args: _args,
  image: _image,
  ...container
}: Container): unknown {
  return {
    ...container,
    volumeMounts: byName(container.volumeMounts ?? []),
    env: byName(container.env ?? []),
    securityContext: {
      ...container.securityContext,
      capabilities: {
        add: container.securityContext?.capabilities?.add ?? [],
        drop: container.securityContext?.capabilities?.drop ?? [],
      },
    },
  };
}

function byName<T extends { readonly name: string }>(list: readonly T[]): readonly T[] {
  return list
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .filter((item, i, all) => !deepEqual(item, all[i - 1]));
}

function keyOf(item: { readonly name: string }): string {
  return `${item.name} ${JSON.stringify(item)}`;
}

function without(map: Readonly<Record<string, string>> | undefined, key: string): Record<string, string> {
  return Object.fromEntries(Object.entries(map ?? {}).filter(([name]) => name !== key));
}
