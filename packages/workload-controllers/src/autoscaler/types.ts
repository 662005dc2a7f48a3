/** A Pod of the target, and what it uses; `usage` is undefined while nothing was measured. */
export interface MeasuredPod {
  readonly ready: boolean;
  /** In nano units, by resource; a resource that is not requested is absent. */
  readonly requests: ReadonlyMap<string, bigint>;
  readonly usage: ReadonlyMap<string, bigint> | undefined;
}
