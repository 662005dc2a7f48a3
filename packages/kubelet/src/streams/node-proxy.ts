/** How the API server reaches this node's containers. */
import { addAbortSignal, type Duplex } from 'node:stream';
import { messageOf, StatusError } from '@podvisor/base';
import { connectLoopback } from '@podvisor/sys';
import {
  COMPONENT_PORT,
  type HomeComponent,
  type LogOptions,
  type NodeProxy,
  type PodRef,
} from '@podvisor/home-contract';
import type { ComponentPods } from '../components/component-pods.ts';
import { dialComponent } from '../components/dial.ts';
import { processLogs } from '../components/process-logs.ts';
import type { KubeletContext } from '../context.ts';
import { podNetns } from '../network/sandbox.ts';
import { readContainers, readPodRecord } from '../pod/records.ts';
import type { ContainerRun } from '../pod/types.ts';
import { attachProcess, execProcess } from './exec.ts';
import { readUsage } from '../usage.ts';
import { containerLogs } from './logs.ts';

/** Component Pods have a process in place of containers: logs and one port, nothing to run a command in. */
export function nodeProxy(context: KubeletContext, components: ComponentPods): NodeProxy {
  const withContainers = (pod: PodRef): void => {
    const process = components.componentOf(pod)?.process;
    if (process !== undefined)
      throw new StatusError(
        'BadRequest',
        `pod "${pod.name}" stands for the process "${process}" of this home and has no container to enter`,
      );
  };
  return {
    async *logs(pod, container, options, signal) {
      const component = components.componentOf(pod);
      if (component !== undefined) {
        if (options.previous && !components.hasPrevious(component)) throw noSuchRun(pod, container, true);
        yield* componentLogs(context, components, component, options, signal);
        return;
      }
      const history = readContainers(context, pod.uid).get(container) ?? [];
      const run = history[options.previous ? 1 : 0];
      if (run === undefined) throw noSuchRun(pod, container, options.previous);
      yield* containerLogs(context, run.record, options, signal);
    },
    exec: async (pod, container, command, options, signal) => {
      withContainers(pod);
      return execProcess(context, running(context, pod, container).record, command, options, signal);
    },
    attach: async (pod, container, options, signal) => {
      withContainers(pod);
      return attachProcess(context, running(context, pod, container).record, options, signal);
    },
    portForward: async (pod, port, signal) => {
      const component = components.componentOf(pod);
      return component === undefined
        ? portForward(context, pod, port, signal)
        : addAbortSignal(signal, componentPort(context, pod, component, port));
    },
    usage: () => Promise.resolve([readUsage(context)]),
  };
}

function noSuchRun(pod: PodRef, container: string, previous: boolean): StatusError {
  const which = previous ? `previous terminated container "${container}"` : `container "${container}"`;
  return new StatusError('BadRequest', `${which} in pod "${pod.name}" not found`);
}

function componentLogs(
  { paths, clock }: KubeletContext,
  components: ComponentPods,
  component: HomeComponent,
  options: LogOptions,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const startedAtMs = components.runOf(component)?.startedAtMs;
  const path = `${paths.logs}/${component.process}.log`;
  return processLogs({ path, runDirectory: paths.run, startedAtMs, clock }, options, signal);
}

function componentPort(
  context: KubeletContext,
  { name }: PodRef,
  { endpoint, process }: HomeComponent,
  asked: number,
): Duplex {
  if (asked === COMPONENT_PORT || asked === endpoint.port) return dialComponent(endpoint, context);
  throw new StatusError(
    'BadRequest',
    `port ${asked} of pod "${name}": the process "${process}" is reached at ${COMPONENT_PORT} only`,
  );
}

function running(context: KubeletContext, pod: PodRef, container: string): ContainerRun {
  const run = readContainers(context, pod.uid).get(container)?.[0];
  if (run?.state.kind === 'running') return run;
  throw new StatusError('BadRequest', `container "${container}" in pod "${pod.name}" is not running`);
}

/** A connection to the Pod's own loopback, from inside its network namespace. */
async function portForward(
  context: KubeletContext,
  pod: PodRef,
  port: number,
  signal: AbortSignal,
): Promise<Duplex> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new StatusError('BadRequest', `invalid port ${port}`);
  const record = readPodRecord(context, pod.uid);
  const netns = record?.hostNetwork === true ? context.nodeNetns : podNetns(context, pod.uid);
  if (record === undefined || (netns === undefined && !record.hostNetwork)) {
    throw new StatusError('BadRequest', `pod "${pod.name}" has no network on this node`);
  }
  try {
    return addAbortSignal(signal, connectLoopback(netns, port));
  } catch (error) {
    throw new StatusError('BadRequest', `port ${port} of pod "${pod.name}": ${messageOf(error)}`, {
      cause: error,
    });
  }
}
