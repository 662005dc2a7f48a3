/** What a node's counters show at one moment. */

export interface Reading {
  /** CPU time used so far. */
  readonly cpuNanoseconds: number;
  readonly workingSetBytes: number;
}

export interface ContainerReading extends Reading {
  readonly name: string;
  /** Of the run: a restarted container begins to count anew. */
  readonly id: string;
}

export interface PodReading {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly containers: readonly ContainerReading[];
}

export interface NodeReading extends Reading {
  readonly node: string;
  readonly atMs: number;
  readonly pods: readonly PodReading[];
}
