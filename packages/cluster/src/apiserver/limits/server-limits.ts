/** How much one server takes on at once, and how long anybody may keep it waiting. docs/cluster.md lists them. */

export interface ServerLimits {
  /** From the first byte of a request to the end of its headers, and for a TLS handshake. */
  readonly headersMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly bodyMs: number;
  /** From the request to the whole answer, but of long-running ones; kube-apiserver's `--request-timeout`. */
  readonly requestMs: number;
  /** Request line and headers together. */
  readonly headerBytes: number;
  /** Open connections of everybody together. */
  readonly connections: number;
  /** Open connections from one address of another machine or Pod. */
  readonly connectionsPerAddress: number;
  /** Requests that read, at once; kube-apiserver's `--max-requests-inflight`. */
  readonly readsInFlight: number;
  /** Requests that change something, at once; kube-apiserver's `--max-mutating-requests-inflight`. */
  readonly writesInFlight: number;
  /** The share of either that one user may have. */
  readonly shareOfUser: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headersMs: 15_000,
  bodyMs: 60_000,
  requestMs: 60_000,
  headerBytes: 64 * 1024,
  connections: 6_000,
  connectionsPerAddress: 500,
  readsInFlight: 400,
  writesInFlight: 200,
  shareOfUser: 0.5,
};
