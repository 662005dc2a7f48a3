/** Tells how far the import is, as JSON lines, seldom enough to be no load. */
import type { ImportProgress } from '@podvisor/api';
export declare class Progress {
  #private;
  /** Set once the image is known to need a conversion. */
  converts: boolean;
  constructor(tell: (line: ImportProgress) => void, now: () => number);
  /** Bytes that were there before this run: they count for the part done, not for the rate. */
  resumeAt(bytes: number): void;
  arrived(count: number, totalBytes: number | undefined): void;
  converted(percent: number): void;
}
