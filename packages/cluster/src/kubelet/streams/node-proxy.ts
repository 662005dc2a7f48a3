/** How the API server reaches this node's containers. */
import { Duplex } from 'node:stream';
import { StatusError } from '@podvisor/base';
import { type InteractiveProcess, startInteractive } from '@podvisor/sys';
import type { NodeProxy, PodRef } from '../../apiserver/streaming/node-proxy.ts';
import type { KubeletContext } from '../context.ts';
import { podNetns } from '../network/sandbox.ts';
import { readContainers, readPodRecord } from '../pod/records.ts';
import type { ContainerRun } from '../pod/types.ts';
import { attachProcess, execProcess } from './exec.ts';
import { containerLogs } from './logs.ts';

export function nodeProxy(context: KubeletContext): NodeProxy {
  return {
    async *logs(pod, container, options, signal) {
      const history = readContainers(context, pod.uid).get(container) ?? [];
      const run = history[options.previous ? 1 : 0];
      if (run === undefined) {
        const which = options.previous ? `previous terminated container "${container}"` : `container "${container}"`;
        throw new StatusError('BadRequest', `${which} in pod "${pod.name}" not found`);
      }
      yield* containerLogs(context, run.record, options, signal);
    },
    exec: (pod, container, command, options, signal) =>
      execProcess(context, running(context, pod, container).record, command, options, signal),
    attach: (pod, container, options, signal) =>
      attachProcess(context, running(context, pod, container).record, options, signal),
    portForward: (pod, port, signal) => portForward(context, pod, port, signal),
  };
}

function running(context: KubeletContext, pod: PodRef, container: string): ContainerRun {
  const run = readContainers(context, pod.uid).get(container)?.[0];
  if (run?.state.kind === 'running') return run;
  throw new StatusError('BadRequest', `container "${container}" in pod "${pod.name}" is not running`);
}

/** A connection to the Pod's own loopback, from inside its network namespace. */
async function portForward(context: KubeletContext, pod: PodRef, port: number, signal: AbortSignal): Promise<Duplex> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new StatusError('BadRequest', `invalid port ${port}`);
  const record = readPodRecord(context, pod.uid);
  const netns = record?.hostNetwork === true ? context.nodeNetns : podNetns(context, pod.uid);
  if (record === undefined || (netns === undefined && !record.hostNetwork)) {
    throw new StatusError('BadRequest', `pod "${pod.name}" has no network on this node`);
  }
  const enter = netns === undefined ? [] : ['nsenter', `--net=${netns}`, '--'];
  const [tool = '', ...args] = [...enter, 'socat', '-', `TCP:localhost:${port}`];
  const process = await startInteractive(tool, args, { signal });
  let complaint = '';
  process.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-1024);
  });
  const duplex = duplexOf(process);
  void process.exited.then((code) => {
    if (code !== 0 && !duplex.destroyed) duplex.destroy(new Error(`port ${port} of pod "${pod.name}": ${complaint.trim()}`));
  });
  return duplex;
}

/** Both directions of a process as one stream; whoever destroys it ends the process. */
function duplexOf({ stdin, stdout, kill }: InteractiveProcess): Duplex {
  const duplex = new Duplex({
    allowHalfOpen: true,
    read: () => void stdout.resume(),
    // The process may be gone already: its exit tells, not the broken pipe.
    write: (chunk, _encoding, done) => void stdin.write(chunk, () => done()),
    final: (done) => void stdin.end(() => done()),
    destroy: (error, done) => {
      kill();
      done(error);
    },
  });
  stdout.on('data', (chunk: Buffer) => {
    if (!duplex.push(chunk)) stdout.pause();
  });
  stdout.once('end', () => duplex.push(null));
  return duplex;
}
