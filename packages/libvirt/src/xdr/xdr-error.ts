/** Bytes or values that the wire protocol does not allow. */
export class XdrError extends Error {
  override readonly name = 'XdrError';
}
