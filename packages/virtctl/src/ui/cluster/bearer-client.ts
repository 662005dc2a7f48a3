/** Asks the API server as the owner of one token, over connections that all users of the page share. */
import {
  type ClusterAccess,
  type DialOptions,
  fixedCredentials,
  type HttpRequest,
  KubeClient,
} from '@podvisor/kube';

export class BearerClient extends KubeClient {
  readonly #shared: KubeClient;
  readonly #headers: Readonly<Record<string, string>>;

  /** `shared` has no credentials of its own. */
  constructor(shared: KubeClient, access: ClusterAccess, token: string) {
    super({ credentials: fixedCredentials(access) });
    this.#shared = shared;
    this.#headers = { authorization: `Bearer ${token}` };
  }

  override raw(request: HttpRequest, signal?: AbortSignal): ReturnType<KubeClient['raw']> {
    return this.#shared.raw(this.#with(request), signal);
  }

  override stream(request: HttpRequest, signal?: AbortSignal): ReturnType<KubeClient['stream']> {
    return this.#shared.stream(this.#with(request), signal);
  }

  override dial(
    path: string,
    options: DialOptions = {},
    signal?: AbortSignal,
  ): ReturnType<KubeClient['dial']> {
    return this.#shared.dial(path, { ...options, headers: { ...options.headers, ...this.#headers } }, signal);
  }

  #with(request: HttpRequest): HttpRequest {
    return { ...request, headers: { ...request.headers, ...this.#headers } };
  }
}
