/** The API client of a command line: acts as somebody else when told to, and gives up when told to. */
import { goDurationMs } from '@podvisor/base';
import {
  type ClusterAccess,
  type DialOptions,
  fixedCredentials,
  type HttpRequest,
  KubeClient,
} from '@podvisor/kube';
import type { AccessFlags } from './flags.ts';

const UNREACHABLE = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
];

export class CommandClient extends KubeClient {
  readonly #access: ClusterAccess;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;

  constructor(access: ClusterAccess, flags: AccessFlags) {
    super({ credentials: fixedCredentials(access), userAgent: 'virtctl' });
    this.#access = access;
    this.#headers = impersonation(flags);
    this.#timeoutMs = durationMs(flags.requestTimeout ?? '0', '--request-timeout');
  }

  override raw(request: HttpRequest, signal?: AbortSignal): ReturnType<KubeClient['raw']> {
    return this.#reaching(super.raw(this.#with(request), this.#bounded(signal)));
  }

  override stream(request: HttpRequest, signal?: AbortSignal): ReturnType<KubeClient['stream']> {
    return this.#reaching(super.stream(this.#with(request), signal));
  }

  override dial(
    path: string,
    options: DialOptions = {},
    signal?: AbortSignal,
  ): ReturnType<KubeClient['dial']> {
    const headers = { ...this.#headers, ...options.headers };
    return this.#reaching(super.dial(path, { ...options, headers }, signal));
  }

  /** A server that does not answer is named, and what to look at. */
  #reaching<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      const { server } = this.#access;
      if (error instanceof DOMException && error.name === 'TimeoutError' && this.#timeoutMs > 0)
        throw new Error(`${server} did not answer within the --request-timeout`, { cause: error });
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (typeof code !== 'string' || !UNREACHABLE.includes(code)) throw error;
      throw new Error(
        `the API server ${server} cannot be reached: is it running, and is this the right kubeconfig?`,
        {
          cause: error,
        },
      );
    });
  }

  #with(request: HttpRequest): HttpRequest {
    return { ...request, headers: { ...this.#headers, ...request.headers } };
  }

  #bounded(signal: AbortSignal | undefined): AbortSignal | undefined {
    if (this.#timeoutMs === 0) return signal;
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  }
}

function impersonation(flags: AccessFlags): Readonly<Record<string, string>> {
  if (flags.as === undefined) {
    if (flags.asGroup === undefined && flags.asUid === undefined) return {};
    throw new Error('--as-group and --as-uid need --as: say which user to act as');
  }
  if ((flags.asGroup ?? []).length > 1) throw new Error('only one --as-group can be given');
  return {
    'impersonate-user': flags.as,
    ...(flags.asGroup?.[0] === undefined ? {} : { 'impersonate-group': flags.asGroup[0] }),
    ...(flags.asUid === undefined ? {} : { 'impersonate-uid': flags.asUid }),
  };
}

/** `90`, `90s`, `1m30s`, `2h` in milliseconds. A number alone is seconds. */
export function durationMs(text: string, flag: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const ms = goDurationMs(text);
  if (ms === undefined || ms < 0)
    throw new Error(`${flag} must be a time such as 30s, 2m or 1h, not "${text}"`);
  return ms;
}
