/** Pid files that cannot be fooled by a reused pid: they hold the start time of the process too. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isAlive, startTicks } from '../processes/process.ts';

export function writePidFile(path: string, pid: number): void {
  writeFileSync(path, `${pid} ${startTicks(pid) ?? ''}\n`, { mode: 0o600 });
}

/**
 * Writes the file unless it names another process that is alive, whose pid is then returned. Of two that claim at once
 * one gets it; only a file that a dead process left may be taken by both, within the same few microseconds.
 */
export function claimPidFile(path: string, pid: number): number | undefined {
  const own = `${path}.${pid}`;
  writePidFile(own, pid);
  try {
    linkSync(own, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const other = readPidFile(path);
    if (other !== undefined && other !== pid) return other;
    renameSync(own, path);
  } finally {
    rmSync(own, { force: true });
  }
  return undefined;
}

/** The pid in the file if that very process is alive. */
export function readPidFile(path: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined; // no file: never started, or cleanly ended
  }
  const [pid = '', ticks] = text.trim().split(' ');
  return isAlive(Number(pid)) && startTicks(Number(pid)) === ticks ? Number(pid) : undefined;
}

export function removePidFile(path: string): void {
  rmSync(path, { force: true });
}
