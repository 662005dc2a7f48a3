/** Tokens bound to a Pod, asked of the API and renewed after four fifths of their life. */
import { pathOf, resources } from '@podvisor/kube';
import { uidOf } from '../pod/types.ts';
import type { VolumeContext } from './types.ts';

interface TokenSource {
  readonly audience?: string;
  readonly expirationSeconds?: number;
  readonly path: string;
}

interface Token {
  readonly text: string;
  readonly renewAtMs: number;
}

const DEFAULT_SECONDS = 3600;
const RENEW_AT = 0.8;

/** One per kubelet. A restart asks for new tokens, which is harmless. */
export class ServiceAccountTokens {
  readonly #tokens = new Map<string, Token>();

  async get(source: TokenSource, context: VolumeContext): Promise<string> {
    const { pod, kubelet, client } = context;
    const id = `${uidOf(pod)}/${source.path}`;
    const now = kubelet.clock.now();
    const known = this.#tokens.get(id);
    if (known !== undefined && known.renewAtMs > now) return known.text;
    const seconds = source.expirationSeconds ?? DEFAULT_SECONDS;
    const answer = await client.request<{ readonly status?: { readonly token?: string } }>({
      method: 'POST',
      path: pathOf(resources.serviceAccounts, {
        namespace: pod.metadata.namespace,
        name: pod.spec.serviceAccountName ?? 'default',
        subresource: 'token',
      }),
      body: JSON.stringify({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {
          ...(source.audience === undefined || source.audience === ''
            ? {}
            : { audiences: [source.audience] }),
          expirationSeconds: seconds,
          boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name, uid: uidOf(pod) },
        },
      }),
    });
    const text = answer.status?.token ?? '';
    this.#tokens.set(id, { text, renewAtMs: now + seconds * 1000 * RENEW_AT });
    return text;
  }

  forget(uid: string): void {
    for (const id of this.#tokens.keys()) if (id.startsWith(`${uid}/`)) this.#tokens.delete(id);
  }
}
