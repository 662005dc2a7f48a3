/**
 * Faults that a person caused on a node of the embedded home, to see what happens: a note per node, which
 * the command line writes and the supervisor and the node agent obey, also after a restart.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { InstancePaths } from './instance.ts';

/** `cut`: the cable to the other nodes is unplugged. `killed`: the power is off. */
export type NodeFault = 'cut' | 'killed';

/** The fault of a node; undefined: it is well. */
export function nodeFault(paths: InstancePaths, node: string): NodeFault | undefined {
  try {
    const text = readFileSync(noteOf(paths, node), 'utf8').trim();
    return text === 'cut' || text === 'killed' ? text : undefined;
  } catch {
    return undefined; // no note: nobody harmed it
  }
}

export function setNodeFault(paths: InstancePaths, node: string, fault: NodeFault): void {
  writeFileSync(noteOf(paths, node), `${fault}\n`, { mode: 0o600 });
}

export function clearNodeFault(paths: InstancePaths, node: string): void {
  rmSync(noteOf(paths, node), { force: true });
}

function noteOf(paths: InstancePaths, node: string): string {
  return `${paths.run}/${node}.fault`;
}
