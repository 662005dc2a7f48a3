/** Runs one container of a Pod that is set up, and tidies up after its earlier runs. */
import type { Container, Pod } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import type { PodEvents } from '../client.ts';
import { createRun, removeRun, startRun } from '../container/create.ts';
import { ContainerConfigError } from '../container/environment.ts';
import { serviceEnvironment } from '../container/service-environment.ts';
import { ContainerUserError } from '../container/user.ts';
import { pullCredentials } from '../images/pull-secrets.ts';
import { ImageError } from '../images/types.ts';
import { podNetns } from '../network/sandbox.ts';
import type { PodMemory } from './memory.ts';
import { writePodFiles } from './pod-files.ts';
import { readContainers, readPodRecord } from './records.ts';
import { podFacts, refreshVolumes, type SetUpOptions } from './set-up.ts';
import { type ContainerRun, uidOf } from './types.ts';

/** Runs of a container that are kept: the current one and the one before, for `logs --previous`. */
const KEPT_RUNS = 2;

export interface RunContainerOptions extends SetUpOptions {
  readonly events: PodEvents;
}

export interface RunContainerRequest {
  readonly container: Container;
  readonly attempt: number;
  readonly backoffLevel: number;
}

/** Resolves with the started run. */
export async function runContainer(
  options: RunContainerOptions,
  memory: PodMemory,
  pod: Pod,
  { container, attempt, backoffLevel }: RunContainerRequest,
): Promise<ContainerRun> {
  const { context, client, devices, events, images } = options;
  const uid = uidOf(pod);
  const image = await images.ensure(container.image ?? '', {
    policy: container.imagePullPolicy,
    signal: memory.ending.signal,
    credentials: () => pullCredentials(client, pod),
    onProgress: ({ reason, message }) => events.event(pod, 'Normal', reason, message),
  });
  if (memory.volumes === undefined) await refreshVolumes(options, memory, pod);
  await devices.preStart(pod, container);
  const { namespace } = pod.metadata;
  const facts = podFacts(options, pod);
  const record = await createRun(context, {
    pod,
    container,
    attempt,
    backoffLevel,
    image,
    netns: pod.spec.hostNetwork === true ? context.nodeNetns : podNetns(context, uid),
    userRange: readPodRecord(context, uid)?.userRange,
    volumes: memory.volumes ?? new Map(),
    podFiles: writePodFiles(context, pod, facts.ips),
    devices: devices.grantFor(pod, container),
    facts,
    serviceEnv: await serviceEnvironment(context, client, pod),
    objects: {
      configMap: (name) => client.find(resources.configMaps, { namespace, name }),
      secret: (name) => client.find(resources.secrets, { namespace, name }),
    },
  });
  await startRun(context, record);
  const [started, ...earlier] = readContainers(context, uid).get(container.name) ?? [];
  if (started === undefined) throw new Error(`the record of container ${container.name} vanished`);
  for (const [i, run] of earlier.entries())
    await removeRun(context, run.record, i + 1 < KEPT_RUNS ? 'log' : 'nothing');
  return started;
}

/** The word for a container's status when it could not be started. */
export function startFailureReason(error: unknown): string {
  if (error instanceof ImageError) return error.reason;
  if (error instanceof ContainerConfigError || error instanceof ContainerUserError)
    return 'CreateContainerConfigError';
  return messageOf(error).startsWith('runc ') ? 'RunContainerError' : 'CreateContainerError';
}
