/**
 * What the description cannot say and code relies on, by interface and field: values that are closed, and what is
 * there whenever our code sees the object. `certain: false`: required of users, left out by what our code builds.
 */
export interface Narrowing {
  readonly type?: string;
  readonly certain?: boolean;
}

const certain: Narrowing = { certain: true };
const closed = (...values: readonly string[]): Narrowing => ({
  type: values.map((value) => `'${value}'`).join(' | '),
});

const PULL = closed('Always', 'IfNotPresent', 'Never');
const PROFILE = closed('RuntimeDefault', 'Unconfined', 'Localhost');
const MODE = closed('Filesystem', 'Block');
const TRAFFIC = closed('Cluster', 'Local');
const PROTOCOL = closed('TCP', 'UDP', 'SCTP');

export const narrowings: Readonly<Record<string, Narrowing>> = {
  'Condition.status': closed('True', 'False', 'Unknown'),
  'Condition.lastProbeTime': { type: 'Time | null' },
  'StandardCondition.status': closed('True', 'False', 'Unknown'),
  'AppArmorProfile.type': PROFILE,
  'SeccompProfile.type': PROFILE,
  'Container.imagePullPolicy': PULL,
  'Container.restartPolicy': closed('Always'),
  'ImageVolumeSource.pullPolicy': PULL,
  'VolumeMount.mountPropagation': closed('None', 'HostToContainer', 'Bidirectional'),
  'Pod.metadata': certain,
  'Pod.spec': certain,
  'PodSpec.restartPolicy': closed('Always', 'OnFailure', 'Never'),
  'PodStatus.phase': closed('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'),
  'PodStatus.qosClass': closed('Guaranteed', 'Burstable', 'BestEffort'),
  'PodTemplateSpec.spec': certain,
  'Node.metadata': certain,
  'NodeStatus.nodeInfo': { type: 'Partial<NodeSystemInfo>' },
  'Taint.effect': closed('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
  'NamespaceStatus.phase': closed('Active', 'Terminating'),
  'PersistentVolumeClaim.metadata': certain,
  // The CRDs of others hold claims too, and leave it to the API server which modes there are.
  'PersistentVolumeClaim.spec': {
    type: "PersistentVolumeClaimSpec & { readonly volumeMode?: 'Filesystem' | 'Block' }",
    certain: true,
  },
  'PersistentVolumeClaimStatus.phase': closed('Pending', 'Bound', 'Lost'),
  'PersistentVolume.metadata': certain,
  'PersistentVolume.spec': certain,
  'PersistentVolumeSpec.volumeMode': MODE,
  'StorageClass.volumeBindingMode': closed('Immediate', 'WaitForFirstConsumer'),
  'ReplicaSet.metadata': certain,
  'ReplicaSet.spec': certain,
  'ReplicaSetSpec.selector': { certain: false },
  'ReplicaSetSpec.template': certain,
  'ReplicaSetStatus.replicas': { certain: false },
  'Deployment.metadata': certain,
  'Deployment.spec': certain,
  'DeploymentSpec.selector': { certain: false },
  'DeploymentStrategy.type': closed('RollingUpdate', 'Recreate'),
  'DaemonSet.metadata': certain,
  'DaemonSet.spec': certain,
  'DaemonSetSpec.selector': { certain: false },
  'DaemonSetUpdateStrategy.type': closed('RollingUpdate', 'OnDelete'),
  'StatefulSet.metadata': certain,
  'StatefulSet.spec': certain,
  'StatefulSetSpec.podManagementPolicy': closed('OrderedReady', 'Parallel'),
  'StatefulSetUpdateStrategy.type': closed('RollingUpdate', 'OnDelete'),
  'Job.metadata': certain,
  'Job.spec': certain,
  'JobSpec.completionMode': closed('NonIndexed', 'Indexed'),
  'CronJob.metadata': certain,
  'CronJob.spec': certain,
  'CronJobSpec.concurrencyPolicy': closed('Allow', 'Forbid', 'Replace'),
  'JobTemplateSpec.spec': certain,
  'HorizontalPodAutoscaler.metadata': certain,
  'HorizontalPodAutoscaler.spec': certain,
  'HorizontalPodAutoscalerStatus.currentMetrics': { type: 'readonly MetricStatus[] | null', certain: false },
  'PodDisruptionBudget.metadata': certain,
  'ResourceQuota.metadata': certain,
  'Service.metadata': certain,
  'ServicePort.protocol': PROTOCOL,
  'ServiceSpec.type': closed('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'),
  'ServiceSpec.sessionAffinity': closed('None', 'ClientIP'),
  'ServiceSpec.internalTrafficPolicy': TRAFFIC,
  'ServiceSpec.externalTrafficPolicy': TRAFFIC,
  'EndpointPort.protocol': PROTOCOL,
  'EndpointSubsetPort.protocol': PROTOCOL,
  'EndpointSubsetPort.port': { certain: false },
  'Endpoints.metadata': certain,
  'EndpointSlice.metadata': certain,
  'EndpointSlice.addressType': closed('IPv4', 'IPv6', 'FQDN'),
  'EndpointSlice.endpoints': { type: 'readonly Endpoint[] | null', certain: true },
  'EndpointSlice.ports': { type: 'readonly EndpointPort[] | null', certain: true },
  'CertificateSigningRequest.spec': certain,
  'CustomResourceDefinition.metadata': certain,
  'CustomResourceDefinitionSpec.scope': closed('Namespaced', 'Cluster'),
  'CustomResourceDefinitionVersion.schema': certain,
  'CustomResourceValidation.openAPIV3Schema': certain,
  // Structural schemas have one form of each.
  'JSONSchemaProps.additionalProperties': { type: 'JSONSchemaProps' },
  'JSONSchemaProps.items': { type: 'JSONSchemaProps' },
};
