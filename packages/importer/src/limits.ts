/** How much may come into a claim. Pure. */

/** A packed image may be larger than what it unpacks to, but not by much. */
export function packedLimit(capacityBytes: number): number {
  return Math.ceil(capacityBytes * 1.1) + 16 * 1024 * 1024;
}

/** Throws when a disk of this size does not fit. */
export function checkFits(sizeBytes: number, capacityBytes: number): void {
  if (sizeBytes > capacityBytes) throw tooLarge(sizeBytes, capacityBytes);
}

/** In CDI's words. */
export function tooLarge(sizeBytes: number, capacityBytes: number): Error {
  return new Error(
    `Virtual image size ${sizeBytes} is larger than the reported available storage ${capacityBytes}. A larger PVC is required.`,
  );
}
