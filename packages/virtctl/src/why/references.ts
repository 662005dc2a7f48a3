/** The objects that a VM names, and those among them that are not there. Deciding is pure; `missingOf` asks the API. */
import { nearest } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import type { PipelineObjects } from '../handoffs/handoffs.ts';
import { at, listOf, plainOf, textOf } from '../plain.ts';
import { findJson, getJson, nameOf, objectPath } from '../requests.ts';

export interface Reference {
  /** `Secret`. */
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespace: string;
  readonly name: string;
  /** Where the VM names it: `volume seed`. */
  readonly by: string;
}

/** A reference to nothing, and the names of that kind that there are. */
export interface MissingReference extends Reference {
  readonly present: readonly string[];
}

const KINDS = {
  Secret: ['v1', 'secrets'],
  ConfigMap: ['v1', 'configmaps'],
  ServiceAccount: ['v1', 'serviceaccounts'],
  PersistentVolumeClaim: ['v1', 'persistentvolumeclaims'],
  DataVolume: ['cdi.kubevirt.io/v1beta1', 'datavolumes'],
  NetworkAttachmentDefinition: ['k8s.cni.cncf.io/v1', 'network-attachment-definitions'],
} as const;
type Kind = keyof typeof KINDS;

/** All that the spec names and cannot do without, each once. A missing pull secret is passed over by kubelets. */
export function referencesOf({ vm, vmi }: PipelineObjects): readonly Reference[] {
  const declared = vmi ?? vm;
  const home = declared?.metadata?.namespace ?? 'default';
  const spec = vmi?.spec ?? vm?.spec.template?.spec;
  const templates = new Set((vm?.spec.dataVolumeTemplates ?? []).map(nameOf));
  const found: Reference[] = [];
  const add = (kind: Kind, name: unknown, by: string, namespace = home): void => {
    const text = textOf(name);
    if (text === undefined || found.some((one) => one.kind === kind && one.name === text)) return;
    const [apiVersion, plural] = KINDS[kind];
    found.push({ kind, apiVersion, plural, namespace, name: text, by });
  };
  for (const volume of listOf(spec?.volumes)) {
    const by = `volume ${nameOf({ metadata: volume })}`;
    const source = plainOf(volume);
    for (const key of ['cloudInitNoCloud', 'cloudInitConfigDrive'] as const)
      for (const part of ['secretRef', 'networkDataSecretRef'])
        add('Secret', at(source[key], part, 'name'), by);
    if (at(source['secret'], 'optional') !== true) add('Secret', at(source['secret'], 'secretName'), by);
    if (at(source['configMap'], 'optional') !== true) add('ConfigMap', at(source['configMap'], 'name'), by);
    for (const part of ['configMap', 'secret'] as const)
      add(part === 'secret' ? 'Secret' : 'ConfigMap', at(source['sysprep'], part, 'name'), by);
    add('ServiceAccount', at(source['serviceAccount'], 'serviceAccountName'), by);
    add('PersistentVolumeClaim', at(source['persistentVolumeClaim'], 'claimName'), by);
    const dataVolume = textOf(at(source['dataVolume'], 'name'));
    // One of a template is made by virt-controller; a claim of that name does as well.
    if (dataVolume !== undefined && !templates.has(dataVolume)) add('DataVolume', dataVolume, by);
  }
  for (const network of listOf(spec?.networks)) {
    const [first = '', second] = (textOf(at(network, 'multus', 'networkName')) ?? '').split('/');
    const by = `network ${nameOf({ metadata: network })}`;
    if (second === undefined) add('NetworkAttachmentDefinition', first, by);
    else add('NetworkAttachmentDefinition', second, by, first);
  }
  return found;
}

/** `there is no Secret "x" in namespace default, which volume seed names; there are: a, b (did you mean "a"?)`. */
export function missingText({ kind, name, namespace, by, present }: MissingReference): string {
  const near = nearest(name, present);
  const others =
    present.length === 0
      ? `there is no ${kind} in this namespace at all`
      : `there are: ${present.slice(0, 8).join(', ')}${present.length > 8 ? ', …' : ''}`;
  const meant = near === undefined ? '' : ` (did you mean "${near}"?)`;
  return `${kind} "${name}" does not exist in namespace ${namespace}; ${by} names it; ${others}${meant}`;
}

/** Those that certainly are not there. What may not be read is not missing. */
export async function missingOf(
  client: KubeClient,
  references: readonly Reference[],
): Promise<readonly MissingReference[]> {
  const asked = await Promise.all(
    references.map(async (reference): Promise<MissingReference[]> => {
      const { apiVersion, plural, namespace, name, kind } = reference;
      try {
        if ((await findJson(client, objectPath(apiVersion, namespace, plural, name))) !== undefined)
          return [];
        const claim = objectPath('v1', namespace, 'persistentvolumeclaims', name);
        if (kind === 'DataVolume' && (await findJson(client, claim)) !== undefined) return [];
        const list = await getJson(client, objectPath(apiVersion, namespace, plural)).catch(() => undefined);
        return [{ ...reference, present: listOf(at(list, 'items')).map(nameOf) }];
      } catch {
        return []; // not everybody may read everything
      }
    }),
  );
  return asked.flat();
}
