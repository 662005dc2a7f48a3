/** Who knows from outside which run of a guest has written what. */
export interface Witness {
  /** How often the guest was seen to write since a time. */
  writesSince(atMs: number): number;
  /** Entries that were acknowledged and are not on the disk, and runs that overlap. */
  problems(): readonly string[];
  close(): void;
}

/** Where guests begin, if it is there. */
export const FIRST_NODE = 'node-1';
