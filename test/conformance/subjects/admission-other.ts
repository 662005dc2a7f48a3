/** Recorded admissions of further kinds and operations: the validating webhooks that are registered for them. */
import type { KubernetesObject, Pod, VirtualMachineInstance } from '@podvisor/api';
import type { Assumed, EvictedPod } from '../assumed.ts';
import { jsonCases } from '../records.ts';
import { subject } from '../subject.ts';
import { verdictDifferences } from './admission.ts';
import { ask, type RecordedConfig, type Verdict } from './recorded-webhooks.ts';

interface Input {
  readonly kind: string;
  readonly operation: string;
  readonly resource: object;
  readonly clusterConfig: RecordedConfig | null;
  readonly object: KubernetesObject;
  readonly oldObject: KubernetesObject | null;
  readonly user?: string;
}

interface Expected {
  readonly allowed: boolean;
  readonly message?: string;
  readonly causes?: readonly { readonly field?: string }[];
  /** Null where the webhook gave none: the API server makes it 403. */
  readonly code?: number | null;
  readonly warnings?: readonly string[];
}

export const admissionOther = subject<Input, Expected, Verdict>(
  'admission of other kinds',
  /^admission-other\.jsonl$/,
  {
    load: jsonCases<Input, Expected>(
      {
        kind: 'input',
        operation: 'input',
        resource: 'input',
        clusterConfig: 'input',
        object: 'input',
        oldObject: 'input',
        user: 'input',
        allowed: 'expected',
        message: 'expected',
        causes: 'expected',
        code: 'expected',
        warnings: 'expected',
      },
      ['test', 'dependsOnOtherObjects', 'field', 'rawWebhookOnly'],
    ),
    answer: (input, assumed) => {
      const evicted = assumed.evicted === undefined ? [] : evictedObjects(input.object, assumed.evicted);
      const state: Assumed = { ...assumed, objects: [...(assumed.objects ?? []), ...evicted] };
      // Reviews were recorded without the kind that every stored object carries.
      return ask({ ...input, object: { kind: input.kind, ...input.object } }, state, 'Validating');
    },
    compare: ({ causes, code, ...expected }, verdict) =>
      verdictDifferences(
        { ...expected, code: code ?? undefined, fields: causes?.map(({ field }) => field ?? null) },
        verdict,
      ),
  },
);

const NODE = 'node01';
const LAUNCHER = 'virt-launcher';

/** The Pod that the request names, and the guest that it belongs to. */
function evictedObjects({ metadata }: KubernetesObject, evicted: EvictedPod): readonly KubernetesObject[] {
  const { name = '', namespace } = metadata ?? {};
  const launcherName = name.replace(/^hp-volume-/, '');
  const vmi: VirtualMachineInstance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: launcherName.replace(LAUNCHER, ''), namespace, uid: 'guest' },
    spec: {
      domain: { devices: {} },
      ...(evicted.evictionStrategy && { evictionStrategy: evicted.evictionStrategy }),
    },
    status: {
      nodeName: NODE,
      conditions: evicted.migratable ? [{ type: 'LiveMigratable', status: 'True' }] : [],
      ...(evicted.marked && { evacuationNodeName: NODE }),
    },
  };
  const pod = (podName: string, app: string, owner: { kind: string; name: string; uid: string }): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podName,
      namespace,
      uid: `pod-${app}`,
      labels: { 'kubevirt.io': app },
      ownerReferences: [{ apiVersion: 'v1', controller: true, ...owner }],
    },
    spec: { containers: [], nodeName: NODE },
    status: { phase: evicted.phase ?? 'Running' },
  });
  const guest = { kind: 'VirtualMachineInstance', name: vmi.metadata?.name ?? '', uid: 'guest' };
  if (evicted.app === 'other') return [pod(name, 'other', { kind: 'ReplicaSet', name: 'set', uid: 'set' })];
  const launcher = pod(launcherName, LAUNCHER, guest);
  if (evicted.app === LAUNCHER) return [vmi, launcher];
  const uid = launcher.metadata.uid ?? '';
  return [vmi, launcher, pod(name, evicted.app, { kind: 'Pod', name: launcherName, uid })];
}
