/**
 * Keeps the processes of the embedded home running: starts them, starts one again when it ends, ends them
 * on SIGTERM. VMs are not its children and do not notice any of this.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, watch } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@podvisor/base';
import {
  claimPidFile,
  type InstanceConfig,
  type InstancePaths,
  instancePaths,
  netnsPath,
  nodeFault,
  readInstanceConfig,
  readPidFile,
  removePidFile,
  type StartedProcess,
  startProcess,
  writePidFile,
} from '@podvisor/sys';
import { endProcess } from './end-process.ts';
import { isMonitored, monitoringProcesses } from '../monitoring/processes.ts';
import { type ProcessNode, type ProcessSpec, processesOf } from '../home/processes.ts';
import { localCollector, traceEnvironment } from './trace-environment.ts';
import { relayTraces } from './trace-relay.ts';

const STEADY_MS = 10_000;

/** Runs until SIGTERM or SIGINT. */
export async function supervise(home: string): Promise<void> {
  const paths = instancePaths(home);
  for (const dir of [paths.logs, paths.run, paths.pki]) mkdirSync(dir, { recursive: true, mode: 0o700 });
  // Two `up` at once start two of us; both would end and start the processes of the other for ever.
  const other = claimPidFile(`${paths.run}/supervisor.pid`, process.pid);
  if (other !== undefined) {
    console.log(
      JSON.stringify({
        time: new Date().toISOString(),
        pid: other,
        msg: 'another supervisor keeps this home',
      }),
    );
    return;
  }
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort());
  const drain = new AbortController();
  process.on('SIGUSR2', () => drain.abort()); // `down` empties the node: nobody may start VMs again
  process.on('SIGHUP', () => {}); // the terminal of `up` went away; we stay

  for (const name of readdirSync(paths.run)) if (isNetworkFile(name)) rmSync(`${paths.run}/${name}`);
  const ready = `${paths.run}/machine.network`;
  const config = readInstanceConfig(home);
  const [nodeAgent, ...others] = processesOf(config, paths);
  if (nodeAgent === undefined) throw new Error('no processes are planned');
  const running = [keepRunning(nodeAgent, paths, stop.signal)];
  const collector = localCollector(process.env);
  if (collector !== undefined) running.push(relayTraces(traceSocket(paths), collector, stop.signal));
  await until(paths.run, () => existsSync(ready), stop.signal);
  for (const spec of others) {
    const signal = AbortSignal.any([stop.signal, ...(spec.name === 'virt-controller' ? [drain.signal] : [])]);
    running.push(
      spec.node === undefined ? keepRunning(spec, paths, signal) : keepOnNode(spec, spec.node, paths, signal),
    );
  }
  await Promise.all([...running, keepMonitoring(config, paths, stop.signal)]);
  removePidFile(`${paths.run}/supervisor.pid`);
}

/** Where nodes in network namespaces of their own bring their traces. */
function traceSocket({ run }: InstancePaths): string {
  return `${run}/otlp.sock`;
}

const POWER_CUT = 'power cut';

/** Written by the node agent when a network, and with the machine's own all keys, are as they should be. */
function isNetworkFile(name: string): boolean {
  return name.endsWith('.network');
}

/** Runs part of a node while the node has its network and its power. */
async function keepOnNode(
  spec: ProcessSpec,
  node: ProcessNode,
  paths: InstancePaths,
  signal: AbortSignal,
): Promise<void> {
  const isOff = (): boolean => nodeFault(paths, node.name) === 'killed';
  const isThere = (): boolean => !node.awaitsNetwork || existsSync(`${paths.run}/${node.name}.network`);
  while (!signal.aborted) {
    await until(paths.run, () => isThere() && !isOff(), signal);
    const power = new AbortController();
    const both = AbortSignal.any([signal, power.signal]);
    void until(paths.run, isOff, both).then(() => power.abort(POWER_CUT));
    await keepRunning(spec, paths, both);
    power.abort();
  }
}

/** From when `up --monitoring` has written what they read; then like all others. */
async function keepMonitoring(
  config: InstanceConfig,
  paths: InstancePaths,
  signal: AbortSignal,
): Promise<void> {
  mkdirSync(paths.monitoring, { recursive: true, mode: 0o711 });
  await until(paths.monitoring, () => isMonitored(paths), signal);
  await Promise.all(monitoringProcesses(config, paths).map((spec) => keepRunning(spec, paths, signal)));
}

async function keepRunning(spec: ProcessSpec, paths: InstancePaths, signal: AbortSignal): Promise<void> {
  const pidFile = `${paths.run}/${spec.name}.pid`;
  const left = readPidFile(pidFile);
  // Left over from a supervisor that was killed: two of a kind must never run.
  if (left !== undefined) await endProcess(left, 5_000);
  let failures = 0;
  while (!signal.aborted) {
    const startedAt = Date.now();
    const [program, ...args] = commandOf(spec, paths);
    const child = await startProcess(program, args, {
      logFile: `${paths.logs}/${spec.name}.log`,
      cwd: paths.home,
      env: traceEnvironment(spec, process.env, traceSocket(paths)),
    });
    writePidFile(pidFile, child.pid);
    const how = await waitOrEnd(child, signal);
    removePidFile(pidFile);
    if (signal.aborted) return;
    console.log(
      JSON.stringify({
        time: new Date().toISOString(),
        process: spec.name,
        ...how,
        msg: 'process ended, starting it again',
      }),
    );
    failures = Date.now() - startedAt > STEADY_MS ? 1 : failures + 1;
    if (failures > 1)
      await delay(backoffMs(failures - 1, { firstMs: 100, maxMs: 10_000 }), undefined, { signal }).catch(
        () => {},
      );
  }
}

/** nsenter and component-exec become the program that they start, so that the pid is the program's. */
function commandOf(spec: ProcessSpec, paths: InstancePaths): [string, ...string[]] {
  const node = `${paths.lib}/node`;
  const program = spec.program.startsWith('/')
    ? [spec.program]
    : [node, ...spec.nodeFlags, `--import=${paths.lib}/trim-when-quiet.mjs`, `${paths.lib}/${spec.program}`];
  const own: [string, ...string[]] = [
    node,
    `${paths.lib}/component-exec.mjs`,
    JSON.stringify(spec.confinement),
    ...program,
    ...spec.args,
  ];
  const netns = spec.node?.netns;
  return netns === undefined ? own : ['nsenter', `--net=${netnsPath(netns)}`, '--', ...own];
}

async function waitOrEnd(
  child: StartedProcess,
  signal: AbortSignal,
): Promise<{ code: number | null; signal: string | null }> {
  const end = (): void => {
    if (signal.reason === POWER_CUT) return child.kill('SIGKILL');
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 8_000).unref();
  };
  signal.addEventListener('abort', end, { once: true });
  const how = await child.exited;
  signal.removeEventListener('abort', end);
  return how;
}

/** Resolves when `isSo` holds, looked at whenever something changes in `dir`, or when the signal ends it. */
async function until(dir: string, isSo: () => boolean, signal: AbortSignal): Promise<void> {
  const seen = Promise.withResolvers<void>();
  const look = (): void => {
    if (signal.aborted || isSo()) seen.resolve();
  };
  const watcher = watch(dir, look);
  signal.addEventListener('abort', look, { once: true });
  look();
  await seen.promise;
  signal.removeEventListener('abort', look);
  watcher.close();
}
