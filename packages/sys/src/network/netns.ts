/** Named network namespaces (`/run/netns/NAME`) and tools run inside one. */
import { existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { checked } from '../libc.ts';
import { setLoopbackUp } from '../link-flags.ts';
import { mountTree, unmountNow } from '../files/mapped-mounts.ts';
import { listMounts } from '../files/mounts.ts';
import { CLONE_NEWNET, withNetns } from './netns-socket.ts';
import { OwnedFd } from '../files/owned-fd.ts';
import { type RunOptions, type RunResult, run } from '../processes/run.ts';

const DIRECTORY = '/run/netns';

/** Where a namespace of this name is bound. */
export function netnsPath(name: string): string {
  return `${DIRECTORY}/${name}`;
}

/** Creates the namespace with loopback up; one that exists already is fine. */
export async function createNetns(name: string): Promise<string> {
  const path = netnsPath(name);
  if (!existsSync(path)) {
    await prepareDirectory(name);
    makeNetns(path);
  }
  withNetns(path, setLoopbackUp);
  return path;
}

/** Gives the network namespace of process `pid` a name that is not taken. */
export async function nameNetns(name: string, pid: number): Promise<void> {
  await prepareDirectory(name);
  bind(`/proc/${pid}/ns/net`, netnsPath(name));
}

/** Removes the namespace; one that does not exist is fine. */
export function removeNetns(name: string): void {
  unmountNow(netnsPath(name));
  rmSync(netnsPath(name), { force: true });
}

/** This thread enters a new namespace for the moment in which it gets its name. */
function makeNetns(path: string): void {
  using home = new OwnedFd(openSync('/proc/thread-self/ns/net', 'r'));
  checked('unshare', path, (c) => c.unshare(CLONE_NEWNET));
  try {
    bind('/proc/thread-self/ns/net', path);
  } finally {
    checked('setns', 'our own network namespace', (c) => c.setns(home.fd, CLONE_NEWNET));
  }
}

function bind(namespace: string, path: string): void {
  writeFileSync(path, '', { mode: 0o444, flag: 'wx' });
  try {
    mountTree(namespace, path);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

let isPrepared = false;

/** `ip` makes the directory what everybody on the machine expects it to be: a mount that others see what is bound in. */
async function prepareDirectory(name: string): Promise<void> {
  isPrepared ||= listMounts().some(({ mountPoint }) => mountPoint === DIRECTORY);
  if (isPrepared) return;
  await run('ip', ['netns', 'add', `${name}-first`]);
  removeNetns(`${name}-first`);
  isPrepared = true;
}

/** Runs a tool inside the network namespace at `nsPath` (any path: `/run/netns/x`, `/proc/N/ns/net`). */
export function runInNetns(
  nsPath: string | undefined,
  tool: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<RunResult> {
  return nsPath === undefined
    ? run(tool, args, options)
    : run('nsenter', [`--net=${nsPath}`, '--', tool, ...args], options);
}
