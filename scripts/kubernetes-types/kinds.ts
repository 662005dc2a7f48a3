/** Which described types become interfaces, and their names where those of the description are taken or too many. */

/** Everything that these reach becomes an interface, too. */
export const KINDS: readonly string[] = [
  'CertificateSigningRequest',
  'ConfigMap',
  'ControllerRevision',
  'CronJob',
  'CustomResourceDefinition',
  'DaemonSet',
  'Deployment',
  'EndpointSlice',
  'Endpoints',
  'Job',
  'Lease',
  'Namespace',
  'NetworkPolicy',
  'Node',
  'ObjectMeta',
  'ObjectReference',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Pod',
  'PodDisruptionBudget',
  'ReplicaSet',
  'ResourceQuota',
  'Secret',
  'Service',
  'StatefulSet',
  'StorageClass',
  'V2HorizontalPodAutoscaler',
];

/** One interface, `Condition`, serves the conditions of all kinds; some have fewer fields than others. */
export const CONDITIONS: readonly string[] = [
  'CertificateSigningRequestCondition',
  'Condition',
  'CustomResourceDefinitionCondition',
  'DaemonSetCondition',
  'DeploymentCondition',
  'JobCondition',
  'NamespaceCondition',
  'NodeCondition',
  'PersistentVolumeClaimCondition',
  'PodCondition',
  'ReplicaSetCondition',
  'StatefulSetCondition',
  'V2HorizontalPodAutoscalerCondition',
];

/** KubeVirt has volumes and probes of its own; some types are equal in all but name. */
const NAMES: Readonly<Record<string, string>> = {
  CoreV1EndpointPort: 'EndpointSubsetPort',
  DiscoveryV1EndpointPort: 'EndpointPort',
  LabelSelectorRequirement: 'SelectorRequirement',
  NodeSelectorRequirement: 'SelectorRequirement',
  PodAntiAffinity: 'PodAffinity',
  Probe: 'PodProbe',
  ResourceRequirements: 'PodResources',
  Volume: 'PodVolume',
  VolumeResourceRequirements: 'ResourceRequirementsWithoutClaims',
};

/** The interface of a described type. */
export function interfaceName(described: string): string {
  if (CONDITIONS.includes(described)) return 'Condition';
  return NAMES[described] ?? described.replace(/^V2/, '');
}

/** The described type behind an interface that has texts. */
export function describedType(interfaceName: string): string {
  if (interfaceName === 'StandardCondition') return 'Condition';
  return Object.keys(NAMES).find((name) => NAMES[name] === interfaceName) ?? interfaceName;
}
