/**
 * What a VM or VMI depends on, as a tree: backup and disaster-recovery tools read it to know what to take along. It
 * is KubeVirt's tree (`pkg/virt-api/rest/objectgraph.go`), and what the objects name stands in it also when it does
 * not exist (yet). Ours in addition: ConfigMap and Secret of a sysprep volume, and the claim of a memory dump. Pure.
 */
import {
  isGateEnabled,
  isOwnedBy,
  type LabelSelector,
  matchesSelector,
  ownerKinds,
  type PersistentVolumeClaim,
  type Pod,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VMISpec,
  type Volume,
} from '@podvisor/api';
import { memberOf } from '@podvisor/base';
import { optionsOf } from './body.ts';
import {
  badRequest,
  type Decider,
  internalError,
  optionalAsTold,
  required,
  type StoredState,
  VM_KIND,
  VMI_KIND,
} from './decision.ts';
import { keepsState } from './graph-facts.ts';

export interface ObjectGraphNode {
  readonly objectReference: {
    readonly apiGroup: string;
    readonly kind: string;
    readonly name: string;
    /** Empty for what is in no namespace. */
    readonly namespace: string;
  };
  readonly labels: Readonly<Record<string, string>>;
  readonly optional?: true;
  readonly children?: readonly ObjectGraphNode[];
}

const DEPENDENCY = 'kubevirt.io/dependency-type';

/** Group of each kind, and what kind of dependency it is. */
const KINDS = {
  ConfigMap: ['', 'config'],
  ControllerRevision: ['apps', 'config'],
  DataVolume: ['cdi.kubevirt.io', 'storage'],
  NetworkAttachmentDefinition: ['k8s.cni.cncf.io', 'network'],
  PersistentVolumeClaim: ['', 'storage'],
  Pod: ['', 'compute'],
  Secret: ['', 'config'],
  ServiceAccount: ['', 'config'],
  VirtualMachine: ['kubevirt.io', 'compute'],
  VirtualMachineClusterInstancetype: ['instancetype.kubevirt.io', 'config'],
  VirtualMachineClusterPreference: ['instancetype.kubevirt.io', 'config'],
  VirtualMachineInstance: ['kubevirt.io', 'compute'],
  VirtualMachineInstancetype: ['instancetype.kubevirt.io', 'config'],
  VirtualMachinePreference: ['instancetype.kubevirt.io', 'config'],
} as const;
type Kind = keyof typeof KINDS;

/** Kinds of instance types and preferences, as matchers name them in any case. */
const MATCHED: Readonly<Record<string, Kind>> = {
  virtualmachineclusterinstancetype: 'VirtualMachineClusterInstancetype',
  virtualmachineinstancetype: 'VirtualMachineInstancetype',
  virtualmachineclusterpreference: 'VirtualMachineClusterPreference',
  virtualmachinepreference: 'VirtualMachinePreference',
};

export const vmObjectGraph: Decider = ({ name, body }, state) => {
  requireGate(state);
  const vm = required(state.vm, VM_KIND, name);
  const namespace = vm.metadata?.namespace ?? '';
  const root = node('VirtualMachine', name, namespace, { children: vmNodes(vm, state, namespace) });
  return { kind: 'answer', body: selected(root, body) };
};

export const vmiObjectGraph: Decider = ({ name, body }, state) => {
  requireGate(state);
  const vmi = required(state.vmi, VMI_KIND, name);
  const namespace = vmi.metadata?.namespace ?? '';
  const [claim] = youngest(stateClaims(vmi, state));
  const children = [
    ...launcherNodes(vmi, state, namespace),
    ...specNodes(vmi.spec, claim?.metadata.name, namespace),
  ];
  return {
    kind: 'answer',
    body: selected(node('VirtualMachineInstance', name, namespace, { children }), body),
  };
};

function requireGate({ config }: StoredState): void {
  if (!isGateEnabled(config, 'ObjectGraph'))
    throw badRequest('ObjectGraph feature gate not enabled: Unable to return object graph.');
}

function node(
  kind: Kind,
  name: string,
  namespace: string,
  more: Pick<ObjectGraphNode, 'children' | 'optional'> = {},
): ObjectGraphNode {
  const [apiGroup, dependency] = KINDS[kind];
  return {
    objectReference: { apiGroup, kind, name, namespace },
    labels: { [DEPENDENCY]: dependency },
    ...more,
  };
}

function vmNodes(vm: VirtualMachine, state: StoredState, namespace: string): readonly ObjectGraphNode[] {
  const { instancetype, preference, template } = vm.spec;
  const { created, instancetypeRef, preferenceRef } = vm.status ?? {};
  const vmi = optionalAsTold(state.vmi);
  const name = vm.metadata?.name ?? '';
  const children = vmi === undefined ? [] : launcherNodes(vmi, state, namespace);
  return [
    ...(created === true ? [node('VirtualMachineInstance', name, namespace, { children })] : []),
    ...matcherNodes(instancetype, instancetypeRef, namespace),
    ...matcherNodes(preference, preferenceRef, namespace),
    ...(template.spec === undefined ? [] : specNodes(template.spec, stateClaimOfVm(vm, state), namespace)),
  ];
}

/** The Pod that the VMI's guest runs in: one that we made for it. */
function launcherNodes(
  vmi: VirtualMachineInstance,
  { graph }: StoredState,
  namespace: string,
): readonly ObjectGraphNode[] {
  const pods = graph === undefined ? [] : (optionalAsTold<readonly Pod[]>(graph.launchers) ?? []);
  const pod = pods.find((one) => isOwnedBy(one, vmi, ownerKinds.vmi));
  return pod === undefined ? [] : [node('Pod', pod.metadata.name ?? '', namespace)];
}

/** An instance type or a preference, and the revision that the VM keeps of it. */
function matcherNodes(
  matcher: VirtualMachine['spec']['instancetype'],
  ref: NonNullable<VirtualMachine['status']>['instancetypeRef'],
  namespace: string,
): readonly ObjectGraphNode[] {
  if (!matcher) return [];
  const kind = memberOf(MATCHED, (matcher.kind ?? '').toLowerCase());
  const scope = kind?.includes('Cluster') === true ? '' : namespace;
  // While the status does not tell, the name in the spec is the best that is known.
  const revision = ref === undefined ? matcher.revisionName : ref.controllerRevisionRef?.name;
  return [
    ...(kind === undefined ? [] : [node(kind, matcher.name ?? '', scope, { optional: true })]),
    ...(revision === undefined || revision === '' ? [] : [node('ControllerRevision', revision, namespace)]),
  ];
}

/** Throws where there should be a claim and is none, as KubeVirt does: the VM is not made yet. */
function stateClaimOfVm(vm: VirtualMachine, state: StoredState): string | undefined {
  if (!keepsState(vm)) return undefined;
  const claims = stateClaims(vm, state);
  if (claims.length === 0)
    throw internalError(
      'failed to get backend volume (no backend PVC when there should be one), VM might still be provisioning. Proceeding with the remaining volumes',
    );
  const [claim] = claims.length === 1 ? claims : youngest(claims);
  if (claim === undefined) throw internalError('no non-terminating PVC found');
  return claim.metadata.name;
}

function stateClaims(
  object: VirtualMachine | VirtualMachineInstance,
  { graph }: StoredState,
): readonly PersistentVolumeClaim[] {
  if (graph === undefined || !keepsState(object)) return [];
  return optionalAsTold<readonly PersistentVolumeClaim[]>(graph.stateClaims) ?? [];
}

function youngest(claims: readonly PersistentVolumeClaim[]): readonly PersistentVolumeClaim[] {
  const age = ({ metadata }: PersistentVolumeClaim): string => metadata.creationTimestamp ?? '';
  return claims
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .toSorted((one, other) => age(other).localeCompare(age(one)));
}

function specNodes(
  spec: VMISpec,
  stateClaim: string | undefined,
  namespace: string,
): readonly ObjectGraphNode[] {
  const secrets = (spec.accessCredentials ?? []).flatMap(({ sshPublicKey, userPassword }) => {
    const name = (sshPublicKey?.source.secret ?? userPassword?.source.secret)?.secretName;
    return name === undefined ? [] : [node('Secret', name, namespace)];
  });
  const networks = (spec.networks ?? []).flatMap(({ multus }) => {
    const named = multus?.networkName ?? '';
    if (named === '') return [];
    const parts = named.split('/');
    const [from = '', name = ''] = parts.length === 2 ? parts : [namespace, named];
    return [node('NetworkAttachmentDefinition', name, from, { optional: true })];
  });
  return [
    ...secrets,
    ...(spec.volumes ?? []).flatMap((volume) => volumeNodes(volume, namespace)),
    ...(stateClaim === undefined ? [] : [node('PersistentVolumeClaim', stateClaim, namespace)]),
    ...networks,
  ];
}

function volumeNodes(volume: Volume, namespace: string): readonly ObjectGraphNode[] {
  const of = (kind: Kind, name: string | undefined): readonly ObjectGraphNode[] =>
    name === undefined || name === '' ? [] : [node(kind, name, namespace)];
  const { cloudInitConfigDrive, cloudInitNoCloud, dataVolume, persistentVolumeClaim, sysprep } = volume;
  const seed = cloudInitNoCloud ?? cloudInitConfigDrive;
  if (dataVolume !== undefined) {
    const children = [node('PersistentVolumeClaim', dataVolume.name, namespace)];
    return [node('DataVolume', dataVolume.name, namespace, { children })];
  }
  return [
    ...of('PersistentVolumeClaim', persistentVolumeClaim?.claimName ?? volume.memoryDump?.claimName),
    ...of('ConfigMap', volume.configMap?.name ?? sysprep?.configMap?.name),
    ...of('Secret', volume.secret?.secretName ?? sysprep?.secret?.name),
    ...of('ServiceAccount', volume.serviceAccount?.serviceAccountName),
    ...of('Secret', seed?.secretRef?.name),
    ...of('Secret', seed?.networkDataSecretRef?.name),
  ];
}

/** Without the nodes that the caller did not ask for, and what hangs below them; the root always stays. */
function selected(root: ObjectGraphNode, body: unknown): ObjectGraphNode {
  const { includeOptionalNodes, labelSelector } = optionsOf(body);
  const selector = isSelector(labelSelector) ? labelSelector : undefined;
  const isKept = ({ labels, optional }: ObjectGraphNode): boolean =>
    !(includeOptionalNodes === false && optional === true) &&
    (selector === undefined || matchesSelector(selector, labels));
  const withKept = ({ children = [], ...rest }: ObjectGraphNode): ObjectGraphNode => {
    const kept = children.filter(isKept).map(withKept);
    return kept.length === 0 ? rest : { ...rest, children: kept };
  };
  return withKept(root);
}

function isSelector(value: unknown): value is LabelSelector {
  return typeof value === 'object' && value !== null;
}
