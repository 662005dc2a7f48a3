/** What was read of the cluster, and what is taken from it as evidence. */
import type { DiskPicture, InterfacePicture, Node } from '@podvisor/api';
import { textOf } from '../plain.ts';
import type { PipelineObjects } from '../handoffs/handoffs.ts';
import type { MissingReference } from './references.ts';

/** Where a piece of evidence comes from. */
export type Source =
  | 'vm'
  | 'vmi'
  | 'pod'
  | 'container'
  | 'event'
  | 'log'
  | 'node'
  | 'claim'
  | 'reference'
  | 'server';

export interface Evidence {
  readonly source: Source;
  /** For people: `VMI hello`, `container compute`, `event of Pod virt-launcher-…`. */
  readonly object: string;
  readonly reason: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly atMs?: number;
}

/** All that was read about one VM. Absent means: there is none, or it could not be read. */
export interface Observed extends PipelineObjects {
  readonly events: readonly unknown[];
  readonly node?: unknown;
  /** Set when the VMI names a node that the API does not know. */
  readonly nodeMissing?: string;
  readonly claims: readonly unknown[];
  /** What the VM names and is not there. */
  readonly missing?: readonly MissingReference[];
  /** All nodes, when none takes the Pod. */
  readonly nodes?: readonly Node[];
  /** Last lines of the launcher. */
  readonly log: readonly string[];
  /** What went wrong when virt-api was asked for its version. */
  readonly serverTrouble?: string;
  /** The way of packets to a guest that runs. */
  readonly network?: readonly InterfacePicture[];
  /** Absent: the guest does not run, or nobody answers. */
  readonly disks?: readonly DiskPicture[];
  readonly nowMs: number;
}

export function time(value: unknown): { readonly atMs?: number } {
  const atMs = Date.parse(textOf(value) ?? '');
  return Number.isNaN(atMs) ? {} : { atMs };
}
