/** Named network namespaces (`/run/netns/NAME`) and tools run inside one. */
import { existsSync } from 'node:fs';
import { type RunOptions, type RunResult, run } from './run.ts';

/** Where a namespace of this name is bound. */
export function netnsPath(name: string): string {
  return `/run/netns/${name}`;
}

/** Creates the namespace with loopback up; one that exists already is fine. */
export async function createNetns(name: string): Promise<string> {
  if (!existsSync(netnsPath(name))) await run('ip', ['netns', 'add', name]);
  await run('ip', ['-n', name, 'link', 'set', 'lo', 'up']);
  return netnsPath(name);
}

/** Removes the namespace; one that does not exist is fine. */
export async function removeNetns(name: string): Promise<void> {
  if (existsSync(netnsPath(name))) await run('ip', ['netns', 'del', name]);
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
