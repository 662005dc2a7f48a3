/**
 * The one error of the API surface: what a Kubernetes `Status` object says, as something that can be
 * thrown. Servers turn it into the response body, clients turn the response body back into it.
 */

/** Machine-readable reason of a Status, as in Kubernetes' metav1.StatusReason. */
export type StatusReason =
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Expired'
  | 'Invalid'
  | 'ServerTimeout'
  | 'Timeout'
  | 'TooManyRequests'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'ServiceUnavailable'
  | 'Unknown';

/** One broken rule: which field, why, and a machine-readable reason. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** A `v1.Status` as it goes over the wire. */
export interface StatusBody {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Record<string, unknown>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

const CODES: Record<StatusReason, number> = {
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  Invalid: 422,
  ServerTimeout: 500,
  Timeout: 504,
  TooManyRequests: 429,
  BadRequest: 400,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  InternalError: 500,
  ServiceUnavailable: 503,
  Unknown: 500,
};

export interface StatusErrorOptions {
  readonly code?: number;
  readonly details?: StatusDetails;
  readonly cause?: unknown;
}

/** An API answer that is not success. `code` follows from `reason` unless given. */
export class StatusError extends Error {
  readonly reason: StatusReason;
  readonly code: number;
  readonly details: StatusDetails | undefined;

  constructor(reason: StatusReason, message: string, options: StatusErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StatusError';
    this.reason = reason;
    this.code = options.code ?? CODES[reason];
    this.details = options.details;
  }

  /** The wire form. */
  toBody(): StatusBody {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      // A webhook may refuse without a reason; then the answer has none.
      ...(String(this.reason) === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }

  /** Reads a Status body (or anything else that a server answered) back into an error. */
  static fromBody(body: unknown, httpCode: number): StatusError {
    const status = (typeof body === 'object' && body !== null ? body : {}) as Partial<StatusBody>;
    const reason = (status.reason ?? reasonOfCode(httpCode)) as StatusReason;
    const message = status.message ?? (typeof body === 'string' && body !== '' ? body : `HTTP ${httpCode}`);
    return new StatusError(reason, message, {
      code: status.code ?? httpCode,
      ...(status.details === undefined ? {} : { details: status.details }),
    });
  }
}

function reasonOfCode(code: number): StatusReason {
  const found = Object.entries(CODES).find(([, c]) => c === code);
  return found === undefined ? 'Unknown' : (found[0] as StatusReason);
}

/** True when `error` is a StatusError with this reason. */
export function isStatus(error: unknown, reason: StatusReason): error is StatusError {
  return error instanceof StatusError && error.reason === reason;
}

/** The sentence of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
