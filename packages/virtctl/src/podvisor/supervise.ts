/**
 * Keeps the processes of the embedded home running: starts them, starts one again when it ends, ends them
 * on SIGTERM. VMs are not its children and do not notice any of this.
 */
import { existsSync, mkdirSync, watch } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@podvisor/base';
import {
  type InstancePaths,
  instancePaths,
  readInstanceConfig,
  readPidFile,
  removePidFile,
  type StartedProcess,
  startProcess,
  writePidFile,
} from '@podvisor/sys';
import { endProcess } from './end-process.ts';
import { type ProcessSpec, processesOf } from './processes.ts';

const STEADY_MS = 10_000;

/** Runs until SIGTERM or SIGINT. */
export async function supervise(home: string): Promise<void> {
  const paths = instancePaths(home);
  for (const dir of [paths.logs, paths.run, paths.pki]) mkdirSync(dir, { recursive: true, mode: 0o750 });
  writePidFile(`${paths.run}/supervisor.pid`, process.pid);
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort());
  const drain = new AbortController();
  process.on('SIGUSR2', () => drain.abort()); // `down` empties the node: nobody may start VMs again
  process.on('SIGHUP', () => {}); // the terminal of `up` went away; we stay

  const [cluster, ...others] = processesOf(readInstanceConfig(home), paths);
  if (cluster === undefined) throw new Error('no processes are planned');
  const running = [keepRunning(cluster, paths, stop.signal)];
  await fileAppears(paths.pki, 'virt-handler.kubeconfig', stop.signal);
  for (const spec of others)
    running.push(
      keepRunning(
        spec,
        paths,
        AbortSignal.any([stop.signal, ...(spec.name === 'virt-controller' ? [drain.signal] : [])]),
      ),
    );
  await Promise.all(running);
  removePidFile(`${paths.run}/supervisor.pid`);
}

async function keepRunning(spec: ProcessSpec, paths: InstancePaths, signal: AbortSignal): Promise<void> {
  const pidFile = `${paths.run}/${spec.name}.pid`;
  const left = readPidFile(pidFile);
  // Left over from a supervisor that was killed: two of a kind must never run.
  if (left !== undefined) await endProcess(left, 5_000);
  let failures = 0;
  while (!signal.aborted) {
    const startedAt = Date.now();
    const child = await startProcess(
      `${paths.lib}/node`,
      [...spec.nodeFlags, `${paths.lib}/${spec.program}`, ...spec.args],
      {
        logFile: `${paths.logs}/${spec.name}.log`,
        cwd: paths.home,
      },
    );
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

async function waitOrEnd(
  child: StartedProcess,
  signal: AbortSignal,
): Promise<{ code: number | null; signal: string | null }> {
  const end = (): void => {
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 8_000).unref();
  };
  signal.addEventListener('abort', end, { once: true });
  const how = await child.exited;
  signal.removeEventListener('abort', end);
  return how;
}

/** Resolves when `dir/name` exists. */
async function fileAppears(dir: string, name: string, signal: AbortSignal): Promise<void> {
  const seen = Promise.withResolvers<void>();
  const watcher = watch(dir, () => existsSync(`${dir}/${name}`) && seen.resolve());
  signal.addEventListener('abort', () => seen.resolve(), { once: true });
  if (existsSync(`${dir}/${name}`)) seen.resolve();
  await seen.promise;
  watcher.close();
}
