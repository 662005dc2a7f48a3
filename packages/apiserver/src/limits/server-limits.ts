/** How much one server takes on at once, and how long anybody may keep it waiting. docs/cluster.md lists them. */

export interface ServerLimits {
  /** From the first byte of a request to the end of its headers, and for a TLS handshake. */
  readonly headersMs: number;
  /**
   * How long a connection stays open without a request. One with requests that is silent for so long must answer a
   * ping, if it is HTTP/2.
   */
  readonly keepAliveMs: number;
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
  /**
   * Requests that one HTTP/2 connection may have open; kube-apiserver's `--http2-max-streams-per-connection`. Higher
   * than its 250: right at the limit Node refuses a new stream while one that was reset is still being taken down,
   * with a code (ENHANCE_YOUR_CALM) that Go's clients do not try again.
   */
  readonly streamsPerConnection: number;
  /** Watches and other long-running requests, at once. */
  readonly longRunning: number;
  /** Requests that read, at once; kube-apiserver's `--max-requests-inflight`. */
  readonly readsInFlight: number;
  /** Requests that change something, at once; kube-apiserver's `--max-mutating-requests-inflight`. */
  readonly writesInFlight: number;
  /** The share of each of these that one user may have. */
  readonly shareOfUser: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headersMs: 15_000,
  keepAliveMs: 120_000,
  bodyMs: 60_000,
  requestMs: 60_000,
  headerBytes: 64 * 1024,
  connections: 6_000,
  connectionsPerAddress: 500,
  streamsPerConnection: 1_000,
  longRunning: 6_000,
  readsInFlight: 400,
  writesInFlight: 200,
  shareOfUser: 0.5,
};
