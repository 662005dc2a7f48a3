/** Pid files that cannot be fooled by a reused pid: they hold the start time of the process too. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAlive, startTicks } from '../processes/process.ts';

export function writePidFile(path: string, pid: number): void {
  writeFileSync(path, `${pid} ${startTicks(pid) ?? ''}\n`, { mode: 0o600 });
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
