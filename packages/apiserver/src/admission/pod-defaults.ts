/** What Kubernetes' own admission adds to Pods: service account, tolerations, priority. */
import type { Store } from '../object-store.ts';
import { keyOf } from '@podvisor/store';
import {
  arrayAt,
  asString,
  at,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../wire/json.ts';
import { forbiddenObject } from '../wire/status.ts';
import type { Attributes } from './attributes.ts';
import type { Plugin } from './chain.ts';

const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';

export function podDefaults(store: Store): Plugin {
  return {
    mutate: (attributes) => {
      const { definition, operation, subresource, object } = attributes;
      if (
        definition.group !== '' ||
        definition.plural !== 'pods' ||
        subresource !== '' ||
        object === undefined
      )
        return undefined;
      const spec: JsonObject = { ...objectAt(object, 'spec') };
      if (operation === 'UPDATE') {
        tolerations(spec);
        return { ...object, spec };
      }
      priority(store, attributes, spec);
      tolerations(spec);
      serviceAccount(store, attributes, object, spec);
      return { ...object, spec };
    },
  };
}

/** The number behind a priority class, and whether it may preempt. */
function priority(store: Store, { definition, name, object }: Attributes, spec: JsonObject): void {
  const classes = store.list('scheduling.k8s.io/priorityclasses').map((stored) => stored.object);
  const asked = stringAt(spec, 'priorityClassName');
  const found =
    asked === ''
      ? classes.find((c) => c['globalDefault'] === true)
      : classes.find((c) => c.metadata.name === asked);
  if (asked !== '' && found === undefined)
    throw forbiddenObject(
      definition,
      name || stringAt(object, 'metadata', 'name'),
      `no PriorityClass with name ${asked} was found`,
    );
  if (found !== undefined) spec['priorityClassName'] = found.metadata.name ?? '';
  // A Pod may say what its class says, and nothing else: priority is the administrator's to give.
  const value = Number(found?.['value'] ?? 0);
  const policy = stringAt(found, 'preemptionPolicy') || 'PreemptLowerPriority';
  const refuse = (what: string, computed: string): never => {
    throw forbiddenObject(
      definition,
      name || stringAt(object, 'metadata', 'name'),
      `${what} must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`,
    );
  };
  const given = at(spec, 'priority') ?? value;
  if (given !== value) refuse(`the integer value of priority (${Number(given)})`, String(value));
  const preemption = stringAt(spec, 'preemptionPolicy') || policy;
  if (preemption !== policy) refuse(`the string value of PreemptionPolicy (${preemption})`, policy);
  spec['priority'] = value;
  spec['preemptionPolicy'] = policy;
}

/** A Pod stays for five minutes on a node that is not ready or not reachable. */
function tolerations(spec: JsonObject): void {
  const list = [...arrayAt(spec, 'tolerations')];
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    const tolerated = list.some(
      (t) =>
        (stringAt(t, 'key') === key || stringAt(t, 'key') === '') &&
        ['', 'NoExecute'].includes(stringAt(t, 'effect')) &&
        (stringAt(t, 'key') === key || stringAt(t, 'operator') === 'Exists'),
    );
    if (!tolerated) list.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
  }
  spec['tolerations'] = list;
}

/** Names the account, and mounts a token of it unless that is switched off. */
function serviceAccount(
  store: Store,
  { definition, namespace, name }: Attributes,
  object: KubeObject,
  spec: JsonObject,
): void {
  const account = stringAt(spec, 'serviceAccountName') || 'default';
  const podName = name || stringAt(object, 'metadata', 'name');
  const found = store.latest(keyOf('', 'serviceaccounts', namespace, account))?.object;
  if (found === undefined) {
    throw forbiddenObject(
      definition,
      podName,
      `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`,
    );
  }
  spec['serviceAccountName'] = account;
  spec['serviceAccount'] = account;
  if (arrayAt(spec, 'imagePullSecrets').length === 0 && arrayAt(found, 'imagePullSecrets').length > 0)
    spec['imagePullSecrets'] = arrayAt(found, 'imagePullSecrets');
  const mounts =
    at(spec, 'automountServiceAccountToken') ?? at(found, 'automountServiceAccountToken') ?? true;
  if (mounts === true && stringAt(object, 'metadata', 'annotations', 'kubernetes.io/config.mirror') === '')
    mountToken(spec);
}

function mountToken(spec: JsonObject): void {
  const volume = `kube-api-access-${randomSuffix()}`;
  let used = false;
  const mount = (container: Json): Json => {
    const own = objectAt({ container }, 'container');
    const mounts = arrayAt(own, 'volumeMounts');
    if (mounts.some((m) => stringAt(m, 'mountPath') === TOKEN_PATH)) return container;
    used = true;
    return { ...own, volumeMounts: [...mounts, { name: volume, readOnly: true, mountPath: TOKEN_PATH }] };
  };
  for (const key of ['containers', 'initContainers'])
    if (arrayAt(spec, key).length > 0) spec[key] = arrayAt(spec, key).map(mount);
  if (used) spec['volumes'] = [...arrayAt(spec, 'volumes'), tokenVolume(volume)];
}

function randomSuffix(): string {
  const letters = 'bcdfghjklmnpqrstvwxz2456789';
  return [...crypto.getRandomValues(new Uint8Array(5))]
    .map((byte) => asString(letters[byte % letters.length]))
    .join('');
}

/** Token, CA and namespace, as every Pod finds them. */
function tokenVolume(name: string): JsonObject {
  return {
    name,
    projected: {
      defaultMode: 420,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
    },
  };
}
