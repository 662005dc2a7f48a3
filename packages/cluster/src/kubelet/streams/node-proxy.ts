/** How the API server reaches this node's containers. */
import { addAbortSignal, type Duplex } from 'node:stream';
import { messageOf, StatusError } from '@podvisor/base';
import { connectLoopback } from '@podvisor/sys';
import type { NodeProxy, PodRef } from '../../node-door/node-proxy.ts';
import type { KubeletContext } from '../context.ts';
import { podNetns } from '../network/sandbox.ts';
import { readContainers, readPodRecord } from '../pod/records.ts';
import type { ContainerRun } from '../pod/types.ts';
import { attachProcess, execProcess } from './exec.ts';
import { readUsage } from '../usage.ts';
import { containerLogs } from './logs.ts';

export function nodeProxy(context: KubeletContext): NodeProxy {
  return {
    async *logs(pod, container, options, signal) {
      const history = readContainers(context, pod.uid).get(container) ?? [];
      const run = history[options.previous ? 1 : 0];
      if (run === undefined) {
        const which = options.previous
          ? `previous terminated container "${container}"`
          : `container "${container}"`;
        throw new StatusError('BadRequest', `${which} in pod "${pod.name}" not found`);
      }
      yield* containerLogs(context, run.record, options, signal);
    },
    exec: (pod, container, command, options, signal) =>
      execProcess(context, running(context, pod, container).record, command, options, signal),
    attach: (pod, container, options, signal) =>
      attachProcess(context, running(context, pod, container).record, options, signal),
    portForward: (pod, port, signal) => portForward(context, pod, port, signal),
    usage: () => Promise.resolve([readUsage(context)]),
  };
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
