/** Credentials of registries from a Pod's imagePullSecrets. */
import type { Pod, Secret } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import type { KubeletClient } from '../client.ts';

type Auths = Readonly<Record<string, unknown>>;

/** A docker configuration with the credentials of all pull secrets; undefined when there are none. */
export async function pullCredentials(client: KubeletClient, pod: Pod): Promise<string | undefined> {
  const names = (pod.spec.imagePullSecrets ?? [])
    .map((reference) => reference.name)
    .filter((name) => name !== undefined);
  const namespace = pod.metadata.namespace;
  const secrets = await Promise.all(names.map((name) => client.find(resources.secrets, { namespace, name })));
  // A secret that does not exist is no error: the image may be public or here already.
  const auths = secrets.reduce<Auths>((sum, secret) => ({ ...sum, ...authsOf(secret) }), {});
  return Object.keys(auths).length === 0 ? undefined : JSON.stringify({ auths });
}

/** Both formats that Kubernetes knows; what cannot be read counts as empty. */
function authsOf(secret: Secret | undefined): Auths {
  const read = (key: string): unknown => {
    const data = secret?.data?.[key];
    if (data === undefined) return undefined;
    try {
      return JSON.parse(Buffer.from(data, 'base64').toString('utf8'));
    } catch {
      return undefined;
    }
  };
  const config = read('.dockerconfigjson') as { readonly auths?: Auths } | undefined;
  return config?.auths ?? (read('.dockercfg') as Auths | undefined) ?? {};
}
