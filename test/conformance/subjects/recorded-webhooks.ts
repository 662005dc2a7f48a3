/**
 * Asks virt-api's webhooks as an API server does: the mutating ones that are registered for a request, then the
 * schema of the kind, then the validating ones. What was recorded has no say in the order.
 */
import {
  clusterConfig,
  crdFor,
  kindRegistry,
  type KubernetesObject,
  type KubeVirtConfiguration,
  schemaProblems,
  type VirtualMachineInstancePreset,
  type WebhookEntry,
  webhooks,
} from '@podvisor/api';
import { jsonPatch } from '../../../packages/apiserver/src/patch/json-patch.ts';
import { webhookContext } from '../../../packages/virt-api/src/webhooks/live-context.ts';
import { Webhooks } from '../../../packages/virt-api/src/webhooks/serve.ts';
import { webhookTable } from '../../../packages/virt-api/src/webhooks/table.ts';
import type { Assumed } from '../assumed.ts';
import { RecordedCluster } from './recorded-cluster.ts';

/** The KubeVirt object of a recording, as far as it was set. */
export interface RecordedConfig {
  readonly configuration?: KubeVirtConfiguration;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A request that the API server would ask webhooks about. */
export interface WebhookRequest {
  readonly kind: string;
  readonly operation: string;
  readonly object: KubernetesObject;
  readonly oldObject?: KubernetesObject | null | undefined;
  readonly clusterConfig: RecordedConfig | null;
  readonly user?: string | null | undefined;
  /** What the review says that it is about; the kind's own resource unless told. */
  readonly resource?: object | undefined;
}

/** What one webhook, or all of them, said. */
export interface Verdict {
  readonly allowed: boolean;
  readonly message: string;
  readonly code: number | undefined;
  readonly fields: readonly string[];
  readonly warnings: readonly string[];
  /** As it is after the mutating webhooks. */
  readonly object: KubernetesObject;
}

interface Response {
  readonly allowed: boolean;
  readonly patch?: string;
  readonly warnings?: readonly string[];
  readonly status?: {
    readonly message: string;
    readonly code: number;
    readonly details?: { readonly causes?: readonly { readonly field?: string }[] };
  };
}

const NAMESPACE = 'kubevirt';
/** A random part of a name. */
export const SUFFIX = '12345';

/** Mutating webhooks, schema, validating webhooks; the first refusal ends it. */
export async function admit(request: WebhookRequest, assumed: Assumed): Promise<Verdict> {
  const mutated = await ask(request, assumed, 'Mutating');
  if (!mutated.allowed) return mutated;
  const schema = crdFor(request.kind)?.spec.versions[0]?.schema.openAPIV3Schema ?? {};
  const problems = schemaProblems(mutated.object, schema);
  if (problems.length > 0)
    return { ...mutated, allowed: false, message: problems.join(', '), code: 422, fields: [] };
  const validated = await ask({ ...request, object: mutated.object }, assumed, 'Validating');
  return { ...validated, warnings: [...mutated.warnings, ...validated.warnings] };
}

/** Asks the webhooks of one type in the order of their registration. */
export async function ask(
  request: WebhookRequest,
  assumed: Assumed,
  type: WebhookEntry['type'],
): Promise<Verdict> {
  const server = serverFor(request, assumed);
  let object = request.object;
  const warnings: string[] = [];
  for (const path of pathsFor(request, type)) {
    const response = await send(server, path, { ...request, object }, assumed);
    warnings.push(...(response.warnings ?? []));
    if (!response.allowed) {
      const { message = '', code, details } = response.status ?? {};
      const fields = (details?.causes ?? []).flatMap(({ field }) => (field ? [field] : []));
      return { allowed: false, message, code, fields, warnings, object };
    }
    if (response.patch !== undefined) object = patched(object, response.patch);
  }
  return { allowed: true, message: '', code: undefined, fields: [], warnings, object };
}

function patched(object: KubernetesObject, patch: string): KubernetesObject {
  const operations = Buffer.from(patch, 'base64').toString();
  return jsonPatch(operations)(structuredClone(object) as never) as KubernetesObject;
}

async function send(
  server: Webhooks,
  path: string,
  { operation, object, oldObject, user, resource, kind }: WebhookRequest,
  { tokenNode }: Assumed,
): Promise<Response> {
  const { group, plural } = resourceOf(kind);
  const extra = tokenNode === undefined ? {} : { 'authentication.kubernetes.io/node-name': [tokenNode] };
  const review = {
    kind: 'AdmissionReview',
    request: {
      uid: 'review',
      operation,
      resource: resource ?? { group, version: 'v1', resource: plural },
      namespace: object.metadata?.namespace ?? 'default',
      name: object.metadata?.name ?? '',
      userInfo: { username: user ?? '', extra },
      object,
      oldObject: oldObject ?? null,
    },
  };
  const answer = await server.answer(path, async () => structuredClone(review));
  return (answer as { readonly response: Response }).response;
}

/** Paths that the installer registers for this kind and operation. */
function pathsFor({ kind, operation }: WebhookRequest, type: WebhookEntry['type']): readonly string[] {
  const { group, plural } = resourceOf(kind);
  const entries = webhooks.filter(
    (entry) =>
      entry.type === type &&
      entry.rules.some(
        ({ apiGroups, operations, resources }) =>
          apiGroups.includes(group) &&
          resources.includes(plural) &&
          operations.some((one) => one === operation),
      ),
  );
  return [...new Set(entries.map(({ path }) => path))];
}

function resourceOf(kind: string): { readonly group: string; readonly plural: string } {
  if (kind === 'Eviction') return { group: '', plural: 'pods/eviction' };
  const entry = kindRegistry.find((one) => one.kind === kind);
  if (entry === undefined) throw new Error(`there is no kind ${kind}`);
  return entry;
}

function serverFor({ clusterConfig: recorded }: WebhookRequest, assumed: Assumed): Webhooks {
  const config = recordedConfig(recorded, assumed);
  const cluster = new RecordedCluster({ objects: assumed.objects });
  const presets = (assumed.objects ?? []).filter(isPreset);
  const live = { config, presets: () => presets };
  const context = webhookContext({ client: cluster, live, namespace: NAMESPACE });
  return new Webhooks(webhookTable, () => ({ ...context(), newSuffix: () => SUFFIX }));
}

function isPreset(object: KubernetesObject): object is VirtualMachineInstancePreset {
  return object.kind === 'VirtualMachineInstancePreset';
}

/** The configuration of a recording. Without a KubeVirt object there is that of a fresh installation. */
export function recordedConfig(
  recorded: RecordedConfig | null,
  { configuration }: Assumed = {},
): ReturnType<typeof clusterConfig> {
  if (recorded === null && configuration === undefined) return clusterConfig(undefined);
  return clusterConfig({
    spec: { configuration: { ...recorded?.configuration, ...configuration } },
    metadata: { annotations: recorded?.annotations ?? {} },
  });
}
