/**
 * What a VM or VMI depends on, as a tree: backup and disaster-recovery tools read it to know what to take along.
 * It is read from the object itself, so it names also what does not exist (yet). Pure.
 */
import { memberOf } from '@podvisor/base';
import {
  claimName,
  isGateEnabled,
  type LabelSelector,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VMISpec,
  type Volume,
  matchesSelector,
} from '@podvisor/api';
import { optionsOf } from './body.ts';
import { badRequest, type Decider, required, type StoredState, VM_KIND, VMI_KIND } from './decision.ts';

export interface ObjectGraphNode {
  readonly objectReference: {
    readonly apiGroup: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
  };
  readonly labels?: Readonly<Record<string, string>>;
  readonly optional?: boolean;
  readonly children?: readonly ObjectGraphNode[];
}

const DEPENDENCY = 'kubevirt.io/dependency-type';
type Dependency = 'compute' | 'config' | 'network' | 'storage';

const KUBEVIRT = 'kubevirt.io';
const INSTANCETYPES = 'instancetype.kubevirt.io';
const CLUSTER_KINDS: Readonly<Record<string, string>> = {
  virtualmachineclusterinstancetype: 'VirtualMachineClusterInstancetype',
  virtualmachineinstancetype: 'VirtualMachineInstancetype',
  virtualmachineclusterpreference: 'VirtualMachineClusterPreference',
  virtualmachinepreference: 'VirtualMachinePreference',
};

export const vmObjectGraph: Decider = ({ name, body }, state) => {
  requireGate(state);
  const vm = required(state.vm, VM_KIND, name);
  const vmi = state.vmi.kind === 'found' ? state.vmi.object : undefined;
  return { kind: 'answer', body: selected(graphOfVm(vm, vmi), body) };
};

export const vmiObjectGraph: Decider = ({ name, body }, state) => {
  requireGate(state);
  return { kind: 'answer', body: selected(graphOfVmi(required(state.vmi, VMI_KIND, name)), body) };
};

function requireGate({ config }: StoredState): void {
  if (!isGateEnabled(config, 'ObjectGraph'))
    throw badRequest('ObjectGraph feature gate not enabled: Unable to return object graph.');
}

function node(
  apiGroup: string,
  kind: string,
  name: string,
  namespace: string | undefined,
  dependency: Dependency,
  more: Pick<ObjectGraphNode, 'children' | 'optional'> = {},
): ObjectGraphNode {
  return {
    objectReference: { apiGroup, kind, name, ...(namespace === undefined ? {} : { namespace }) },
    labels: { [DEPENDENCY]: dependency },
    ...more,
  };
}

function graphOfVm(vm: VirtualMachine, vmi: VirtualMachineInstance | undefined): ObjectGraphNode {
  const { name = '', namespace } = vm.metadata ?? {};
  const { instancetype, preference, template } = vm.spec;
  const matcher = (
    found: typeof instancetype,
    cluster: string,
    revision: string | undefined,
  ): readonly ObjectGraphNode[] => {
    if (found?.name === undefined) return [];
    const kind = memberOf(CLUSTER_KINDS, (found.kind ?? cluster).toLowerCase()) ?? found.kind ?? cluster;
    const scope = kind.includes('Cluster') ? undefined : namespace;
    const captured = revision ?? found.revisionName;
    return [
      node(INSTANCETYPES, kind, found.name, scope, 'compute'),
      ...(captured === undefined || captured === ''
        ? []
        : [node('apps', 'ControllerRevision', captured, namespace, 'compute')]),
    ];
  };
  const { instancetypeRef, preferenceRef } = vm.status ?? {};
  const children = [
    ...matcher(
      instancetype,
      'VirtualMachineClusterInstancetype',
      instancetypeRef?.controllerRevisionRef?.name,
    ),
    ...matcher(preference, 'VirtualMachineClusterPreference', preferenceRef?.controllerRevisionRef?.name),
    // A VM is whole without it: it is made anew at the next start.
    ...(vmi === undefined ? [] : [{ ...graphOfVmi(vmi), optional: true }]),
    ...(vmi === undefined && template?.spec !== undefined ? specNodes(template.spec, namespace) : []),
  ];
  return node(KUBEVIRT, 'VirtualMachine', name, namespace, 'compute', { children });
}

function graphOfVmi(vmi: VirtualMachineInstance): ObjectGraphNode {
  const { name = '', namespace } = vmi.metadata ?? {};
  const children = specNodes(vmi.spec, namespace);
  return node(KUBEVIRT, 'VirtualMachineInstance', name, namespace, 'compute', { children });
}

function specNodes(spec: VMISpec, namespace: string | undefined): readonly ObjectGraphNode[] {
  const secrets = (spec.accessCredentials ?? []).flatMap(({ sshPublicKey, userPassword }) => {
    const name = (sshPublicKey ?? userPassword)?.source.secret?.secretName;
    return name === undefined ? [] : [node('', 'Secret', name, namespace, 'config')];
  });
  const networks = (spec.networks ?? []).flatMap(({ multus }) => {
    const [name = '', from] = (multus?.networkName ?? '').split('/').toReversed();
    return name === ''
      ? []
      : [node('k8s.cni.cncf.io', 'NetworkAttachmentDefinition', name, from ?? namespace, 'network')];
  });
  const all = [
    ...(spec.volumes ?? []).flatMap((volume) => volumeNodes(volume, namespace)),
    ...secrets,
    ...networks,
  ];
  const seen = new Set<string>();
  return all.filter(({ objectReference: { kind, name } }) => {
    const key = `${kind}/${name}`;
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
}

function volumeNodes(volume: Volume, namespace: string | undefined): readonly ObjectGraphNode[] {
  const of = (kind: string, name: string | undefined, dependency: Dependency): readonly ObjectGraphNode[] =>
    name === undefined || name === '' ? [] : [node('', kind, name, namespace, dependency)];
  const claim = claimName(volume);
  const seed = volume.cloudInitNoCloud ?? volume.cloudInitConfigDrive;
  return [
    ...(volume.dataVolume === undefined
      ? []
      : [node('cdi.kubevirt.io', 'DataVolume', volume.dataVolume.name, namespace, 'storage')]),
    ...of('PersistentVolumeClaim', claim, 'storage'),
    ...of('Secret', volume.secret?.secretName, 'config'),
    ...of('Secret', volume.sysprep?.secret?.name, 'config'),
    ...of('Secret', seed?.secretRef?.name, 'config'),
    ...of('Secret', seed?.networkDataSecretRef?.name, 'config'),
    ...of('ConfigMap', volume.configMap?.name, 'config'),
    ...of('ConfigMap', volume.sysprep?.configMap?.name, 'config'),
    ...of('ServiceAccount', volume.serviceAccount?.serviceAccountName, 'config'),
  ];
}

/** Without the nodes that the caller did not ask for; the root always stays. */
function selected(root: ObjectGraphNode, body: unknown): ObjectGraphNode {
  const { includeOptionalNodes, labelSelector } = optionsOf(body);
  const selector = isSelector(labelSelector) ? labelSelector : undefined;
  const kept = (children: readonly ObjectGraphNode[]): readonly ObjectGraphNode[] =>
    children.flatMap((child) => {
      // What hangs below a node that is left out is still needed.
      const below = kept(child.children ?? []);
      const isOut =
        (includeOptionalNodes === false && child.optional === true) ||
        (selector !== undefined && !matchesSelector(selector, child.labels));
      return isOut ? below : [withChildren(child, below)];
    });
  return withChildren(root, kept(root.children ?? []));
}

function withChildren(
  { children: _children, ...rest }: ObjectGraphNode,
  children: readonly ObjectGraphNode[],
): ObjectGraphNode {
  return children.length === 0 ? rest : { ...rest, children };
}

function isSelector(value: unknown): value is LabelSelector {
  return typeof value === 'object' && value !== null;
}
