/**
 * Where the clusters of a qcow2 file go while they arrive, one after the other. Images are mostly written with
 * their tables before the data that they speak of, so most clusters can go to their place in the disk at once;
 * the others are kept beside it until all tables are known. The same clusters always go the same way, so that
 * after a crash it can be found out again where each of them is. Pure.
 */
import { viewOf } from '@podvisor/base';
import { mappingAt, type Qcow2Layout, tableAt } from './layout.ts';

/** How many clusters may be waited for; the rest of what tables promise is kept until the end. */
const MAX_EXPECTED = 1_000_000;

export class Arrivals {
  readonly #layout: Qcow2Layout;
  readonly #maxExpected: number;
  /** Second tables that have not arrived: cluster of the file → index in the first table. */
  readonly #tables = new Map<number, number>();
  /** Data that has not arrived: cluster of the file → cluster of the disk. */
  readonly #expected = new Map<number, number>();
  /** By cluster of the file: cluster of the disk it went to, plus one; 0: it was kept. */
  #placed = new Uint32Array(1024);
  #next = 0;

  constructor(layout: Qcow2Layout, maxExpected = MAX_EXPECTED) {
    this.#layout = layout;
    this.#maxExpected = maxExpected;
  }

  /** Clusters of the file that have arrived. */
  get count(): number {
    return this.#next;
  }

  /** Whether the next cluster must be seen by `arrive`. */
  get nextIsTable(): boolean {
    return this.#l1Part(this.#next) !== undefined || this.#tables.has(this.#next);
  }

  /**
   * The next cluster of the file has come (`bytes` may be shorter at the end of the file, and are looked at only
   * when `nextIsTable`). Returns the cluster of the disk that it is, or undefined: keep it.
   */
  arrive(bytes: Uint8Array | undefined): number | undefined {
    const index = this.#next;
    this.#next += 1;
    const part = this.#l1Part(index);
    const l1Index = this.#tables.get(index);
    if (part !== undefined || l1Index !== undefined) {
      const view = viewOf(bytes ?? new Uint8Array());
      if (part !== undefined) this.#learnL1(view, part);
      else if (l1Index !== undefined) this.#learnL2(view, l1Index);
      return undefined;
    }
    const guest = this.#expected.get(index);
    if (guest === undefined) return undefined;
    this.#expected.delete(index);
    this.#remember(index, guest);
    return guest;
  }

  /** Cluster of the disk that this cluster of the file went to; undefined: it was kept. */
  placeOf(index: number): number | undefined {
    const place = this.#placed[index] ?? 0;
    return place === 0 ? undefined : place - 1;
  }

  /** Which part of the first table a cluster is, counted from 0. */
  #l1Part(index: number): number | undefined {
    const { l1Offset, l1Entries, clusterBytes } = this.#layout;
    const part = index - l1Offset / clusterBytes;
    return part >= 0 && part * clusterBytes < l1Entries * 8 ? part : undefined;
  }

  #learnL1(view: DataView, part: number): void {
    const { clusterBytes, l1Entries } = this.#layout;
    const first = (part * clusterBytes) / 8;
    for (let i = 0; i < entries(view) && first + i < l1Entries; i += 1) {
      const cluster = tableAt(view, i) / clusterBytes;
      if (cluster >= this.#next && Number.isInteger(cluster) && !this.#tables.has(cluster))
        this.#tables.set(cluster, first + i);
    }
  }

  #learnL2(view: DataView, l1Index: number): void {
    const { clusterBytes, virtualSizeBytes } = this.#layout;
    const first = l1Index * (clusterBytes / 8);
    const last = Math.ceil(virtualSizeBytes / clusterBytes);
    for (let i = 0; i < entries(view) && first + i < last; i += 1) {
      const mapping = mappingAt(this.#layout, view, i);
      if (mapping.kind !== 'data' || this.#expected.size >= this.#maxExpected) continue;
      const cluster = mapping.offset / clusterBytes;
      // Whoever is second gets a copy of what the first one got, at the end.
      if (cluster >= this.#next && Number.isInteger(cluster) && !this.#expected.has(cluster))
        this.#expected.set(cluster, first + i);
    }
  }

  #remember(index: number, guest: number): void {
    if (index >= this.#placed.length) {
      const larger = new Uint32Array(Math.max(index + 1, this.#placed.length * 2));
      larger.set(this.#placed);
      this.#placed = larger;
    }
    this.#placed[index] = guest + 1;
  }
}

function entries(view: DataView): number {
  return Math.floor(view.byteLength / 8);
}
