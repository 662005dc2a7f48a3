/**
 * Field numbers of the protobuf form of built-in types: facts of the Kubernetes API.
 *
 * A line is a type's name and its fields in order of number, from 1; `7:name` goes on from 7. `+Part` is a
 * message of its own on the wire whose fields stand beside the others in JSON.
 */
const META_SPEC_STATUS =
  'CertificateSigningRequest CronJob DaemonSet Deployment HorizontalPodAutoscaler Ingress Job LocalSubjectAccessReview Namespace Node PersistentVolume PersistentVolumeClaim Pod PodDisruptionBudget ReplicaSet ReplicationController ResourceQuota Scale SelfSubjectAccessReview SelfSubjectRulesReview Service StatefulSet SubjectAccessReview AuthenticationV1TokenRequest TokenReview V2HorizontalPodAutoscaler';

const TABLE = `
ObjectMeta name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels annotations ownerReferences finalizers 17:managedFields
OwnerReference kind 3:name uid apiVersion controller blockOwnerDeletion
ManagedFieldsEntry manager operation apiVersion time 6:fieldsType fieldsV1 subresource
ListMeta selfLink resourceVersion continue remainingItemCount
LabelSelector matchLabels matchExpressions
LabelSelectorRequirement key operator values
Status metadata status message reason details code
StatusDetails name group kind causes retryAfterSeconds uid
StatusCause reason message field
DeleteOptions gracePeriodSeconds preconditions orphanDependents propagationPolicy dryRun ignoreStoreReadErrorWithClusterBreakingPotential
Preconditions uid resourceVersion
Condition type status observedGeneration lastTransitionTime reason message
ConfigMap metadata data binaryData immutable
Secret metadata data type stringData immutable
NamespaceSpec finalizers
NamespaceStatus phase conditions
NamespaceCondition type status 4:lastTransitionTime reason message
ServiceAccount metadata secrets imagePullSecrets automountServiceAccountToken
ObjectReference kind namespace name uid apiVersion resourceVersion fieldPath
LocalObjectReference name
SecretReference name namespace
TypedLocalObjectReference apiGroup kind name
TypedObjectReference apiGroup kind name namespace
ServiceSpec ports selector clusterIP type externalIPs 7:sessionAffinity loadBalancerIP loadBalancerSourceRanges externalName externalTrafficPolicy healthCheckNodePort publishNotReadyAddresses sessionAffinityConfig 17:ipFamilyPolicy clusterIPs ipFamilies allocateLoadBalancerNodePorts loadBalancerClass internalTrafficPolicy trafficDistribution
ServicePort name protocol port targetPort nodePort appProtocol
ServiceStatus loadBalancer conditions
LoadBalancerStatus ingress
LoadBalancerIngress ip hostname ipMode ports
PortStatus port protocol error
SessionAffinityConfig clientIP
ClientIPConfig timeoutSeconds
PodSpec volumes containers restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName serviceAccount nodeName hostNetwork hostPID hostIPC securityContext imagePullSecrets hostname subdomain affinity schedulerName initContainers automountServiceAccountToken tolerations hostAliases priorityClassName priority dnsConfig shareProcessNamespace readinessGates runtimeClassName enableServiceLinks preemptionPolicy overhead topologySpreadConstraints ephemeralContainers setHostnameAsFQDN os hostUsers schedulingGates resourceClaims resources hostnameOverride
Container name image command args workingDir ports env resources volumeMounts livenessProbe readinessProbe lifecycle terminationMessagePath imagePullPolicy securityContext stdin stdinOnce tty envFrom terminationMessagePolicy volumeDevices startupProbe resizePolicy restartPolicy restartPolicyRules
EphemeralContainer +Container targetContainerName
ContainerRestartRule action exitCodes
ContainerRestartRuleOnExitCodes operator values
EnvVar name value valueFrom
EnvVarSource fieldRef resourceFieldRef configMapKeyRef secretKeyRef fileKeyRef
ObjectFieldSelector apiVersion fieldPath
ResourceFieldSelector containerName resource divisor
ConfigMapKeySelector +LocalObjectReference key optional
SecretKeySelector +LocalObjectReference key optional
FileKeySelector volumeName path key optional
EnvFromSource prefix configMapRef secretRef
ConfigMapEnvSource +LocalObjectReference optional
SecretEnvSource +LocalObjectReference optional
ContainerPort name hostPort containerPort protocol hostIP
ContainerResizePolicy resourceName restartPolicy
ResourceRequirements limits requests claims
CoreV1ResourceClaim name request
VolumeResourceRequirements limits requests
VolumeMount name readOnly mountPath subPath mountPropagation subPathExpr recursiveReadOnly
VolumeDevice name devicePath
Probe +ProbeHandler initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold terminationGracePeriodSeconds
ProbeHandler exec httpGet tcpSocket grpc
Lifecycle postStart preStop stopSignal
LifecycleHandler exec httpGet tcpSocket sleep
ExecAction command
HTTPGetAction path port host scheme httpHeaders
HTTPHeader name value
TCPSocketAction port host
GRPCAction port service
SleepAction seconds
SecurityContext capabilities privileged seLinuxOptions runAsUser runAsNonRoot readOnlyRootFilesystem allowPrivilegeEscalation runAsGroup procMount windowsOptions seccompProfile appArmorProfile
Capabilities add drop
SELinuxOptions user role type level
SeccompProfile type localhostProfile
AppArmorProfile type localhostProfile
WindowsSecurityContextOptions gmsaCredentialSpecName gmsaCredentialSpec runAsUserName hostProcess
PodSecurityContext seLinuxOptions runAsUser runAsNonRoot supplementalGroups fsGroup runAsGroup sysctls windowsOptions fsGroupChangePolicy seccompProfile appArmorProfile supplementalGroupsPolicy seLinuxChangePolicy
Sysctl name value
Affinity nodeAffinity podAffinity podAntiAffinity
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution preferredDuringSchedulingIgnoredDuringExecution
NodeSelector nodeSelectorTerms
NodeSelectorTerm matchExpressions matchFields
NodeSelectorRequirement key operator values
PreferredSchedulingTerm weight preference
PodAffinity requiredDuringSchedulingIgnoredDuringExecution preferredDuringSchedulingIgnoredDuringExecution
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution preferredDuringSchedulingIgnoredDuringExecution
WeightedPodAffinityTerm weight podAffinityTerm
PodAffinityTerm labelSelector namespaces topologyKey namespaceSelector matchLabelKeys mismatchLabelKeys
Toleration key operator value effect tolerationSeconds
HostAlias ip hostnames
PodDNSConfig nameservers searches options
PodDNSConfigOption name value
PodReadinessGate conditionType
TopologySpreadConstraint maxSkew topologyKey whenUnsatisfiable labelSelector minDomains nodeAffinityPolicy nodeTaintsPolicy matchLabelKeys
PodOS name
PodSchedulingGate name
PodResourceClaim name 3:resourceClaimName resourceClaimTemplateName
Volume name +VolumeSource
VolumeSource hostPath emptyDir gcePersistentDisk awsElasticBlockStore gitRepo secret nfs iscsi glusterfs persistentVolumeClaim rbd flexVolume cinder cephfs flocker downwardAPI fc azureFile configMap vsphereVolume quobyte azureDisk photonPersistentDisk portworxVolume scaleIO projected storageos csi ephemeral image
HostPathVolumeSource path type
EmptyDirVolumeSource medium sizeLimit
SecretVolumeSource secretName items defaultMode optional
ConfigMapVolumeSource +LocalObjectReference items defaultMode optional
PersistentVolumeClaimVolumeSource claimName readOnly
KeyToPath key path mode
DownwardAPIVolumeSource items defaultMode
DownwardAPIVolumeFile path fieldRef resourceFieldRef mode
ProjectedVolumeSource sources defaultMode
VolumeProjection secret downwardAPI configMap serviceAccountToken clusterTrustBundle
ServiceAccountTokenProjection audience expirationSeconds path
DownwardAPIProjection items
ConfigMapProjection +LocalObjectReference items 4:optional
SecretProjection +LocalObjectReference items 4:optional
ClusterTrustBundleProjection name signerName labelSelector path optional
NFSVolumeSource server path readOnly
CSIVolumeSource driver readOnly fsType volumeAttributes nodePublishSecretRef
ImageVolumeSource reference pullPolicy
EphemeralVolumeSource volumeClaimTemplate
PersistentVolumeClaimTemplate metadata spec
PodStatus phase conditions message reason hostIP podIP startTime containerStatuses qosClass initContainerStatuses nominatedNodeName podIPs ephemeralContainerStatuses resize resourceClaimStatuses hostIPs observedGeneration
PodCondition type status lastProbeTime lastTransitionTime reason message observedGeneration
HostIP ip
PodIP ip
ContainerStatus name state lastState ready restartCount image imageID containerID started allocatedResources resources volumeMounts user allocatedResourcesStatus stopSignal
ContainerState waiting running terminated
ContainerStateWaiting reason message
ContainerStateRunning startedAt
ContainerStateTerminated exitCode signal reason message startedAt finishedAt containerID
VolumeMountStatus name mountPath readOnly recursiveReadOnly
ContainerUser linux
LinuxContainerUser uid gid supplementalGroups
PersistentVolumeClaimSpec accessModes resources volumeName selector storageClassName volumeMode dataSource dataSourceRef volumeAttributesClassName
PersistentVolumeClaimStatus phase accessModes capacity conditions allocatedResources 7:allocatedResourceStatuses currentVolumeAttributesClassName modifyVolumeStatus
PersistentVolumeClaimCondition type status lastProbeTime lastTransitionTime reason message
ModifyVolumeStatus targetVolumeAttributesClassName status
PersistentVolumeSpec capacity +PersistentVolumeSource accessModes claimRef persistentVolumeReclaimPolicy storageClassName mountOptions volumeMode nodeAffinity volumeAttributesClassName
PersistentVolumeSource gcePersistentDisk awsElasticBlockStore hostPath glusterfs nfs rbd iscsi cinder cephfs fc flocker flexVolume azureFile vsphereVolume quobyte azureDisk photonPersistentDisk portworxVolume scaleIO local storageos csi
LocalVolumeSource path fsType
CSIPersistentVolumeSource driver volumeHandle readOnly fsType volumeAttributes controllerPublishSecretRef nodeStageSecretRef nodePublishSecretRef controllerExpandSecretRef nodeExpandSecretRef
VolumeNodeAffinity required
PersistentVolumeStatus phase message reason lastPhaseTransitionTime
ResourceQuotaSpec hard scopes scopeSelector
ResourceQuotaStatus hard used
ScopeSelector matchExpressions
ScopedResourceSelectorRequirement scopeName operator values
LimitRange metadata spec
LimitRangeSpec limits
LimitRangeItem type max min default defaultRequest maxLimitRequestRatio
CoreV1Event metadata involvedObject reason message source firstTimestamp lastTimestamp count type eventTime series action related reportingComponent reportingInstance
CoreV1EventSeries count lastObservedTime
EventSource component host
EventsV1Event metadata eventTime series reportingController reportingInstance action reason regarding related note type deprecatedSource deprecatedFirstTimestamp deprecatedLastTimestamp deprecatedCount
EventsV1EventSeries count lastObservedTime
NodeSpec podCIDR externalID providerID unschedulable taints configSource podCIDRs
Taint key value effect timeAdded
NodeStatus capacity allocatable phase conditions addresses daemonEndpoints nodeInfo images volumesInUse volumesAttached config
NodeCondition type status lastHeartbeatTime lastTransitionTime reason message
NodeAddress type address
NodeDaemonEndpoints kubeletEndpoint
DaemonEndpoint Port
NodeSystemInfo machineID systemUUID bootID kernelVersion osImage containerRuntimeVersion kubeletVersion kubeProxyVersion operatingSystem architecture
ContainerImage names sizeBytes
AttachedVolume name devicePath
Endpoints metadata subsets
EndpointSubset addresses notReadyAddresses ports
EndpointAddress ip targetRef hostname nodeName
CoreV1EndpointPort name port protocol appProtocol
Binding metadata target
PodTemplate metadata template
PodTemplateSpec metadata spec
ReplicationControllerSpec replicas selector template minReadySeconds
ReplicationControllerStatus replicas fullyLabeledReplicas observedGeneration readyReplicas availableReplicas conditions
ReplicationControllerCondition type status lastTransitionTime reason message
Eviction metadata deleteOptions
TokenRequestSpec audiences 3:boundObjectRef expirationSeconds
BoundObjectReference kind apiVersion name uid
TokenRequestStatus token expirationTimestamp
DeploymentSpec replicas selector template strategy minReadySeconds revisionHistoryLimit paused 9:progressDeadlineSeconds
DeploymentStrategy type rollingUpdate
RollingUpdateDeployment maxUnavailable maxSurge
DeploymentStatus observedGeneration replicas updatedReplicas availableReplicas unavailableReplicas conditions readyReplicas collisionCount terminatingReplicas
DeploymentCondition type status 4:reason message lastUpdateTime lastTransitionTime
ReplicaSetSpec replicas selector template minReadySeconds
ReplicaSetStatus replicas fullyLabeledReplicas observedGeneration readyReplicas availableReplicas conditions terminatingReplicas
ReplicaSetCondition type status lastTransitionTime reason message
DaemonSetSpec selector template updateStrategy minReadySeconds 6:revisionHistoryLimit
DaemonSetUpdateStrategy type rollingUpdate
RollingUpdateDaemonSet maxUnavailable maxSurge
DaemonSetStatus currentNumberScheduled numberMisscheduled desiredNumberScheduled numberReady observedGeneration updatedNumberScheduled numberAvailable numberUnavailable collisionCount conditions
DaemonSetCondition type status lastTransitionTime reason message
StatefulSetSpec replicas selector template volumeClaimTemplates serviceName podManagementPolicy updateStrategy revisionHistoryLimit minReadySeconds persistentVolumeClaimRetentionPolicy ordinals
StatefulSetUpdateStrategy type rollingUpdate
RollingUpdateStatefulSetStrategy partition maxUnavailable
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted whenScaled
StatefulSetOrdinals start
StatefulSetStatus observedGeneration replicas readyReplicas currentReplicas updatedReplicas currentRevision updateRevision 9:collisionCount conditions availableReplicas
StatefulSetCondition type status lastTransitionTime reason message
ControllerRevision metadata data revision
JobSpec parallelism completions activeDeadlineSeconds selector manualSelector template backoffLimit ttlSecondsAfterFinished completionMode suspend podFailurePolicy backoffLimitPerIndex maxFailedIndexes podReplacementPolicy managedBy successPolicy
PodFailurePolicy rules
PodFailurePolicyRule action onExitCodes onPodConditions
PodFailurePolicyOnExitCodesRequirement containerName operator values
PodFailurePolicyOnPodConditionsPattern type status
SuccessPolicy rules
SuccessPolicyRule succeededIndexes succeededCount
JobStatus conditions startTime completionTime active succeeded failed completedIndexes uncountedTerminatedPods ready failedIndexes terminating
JobCondition type status lastProbeTime lastTransitionTime reason message
UncountedTerminatedPods succeeded failed
CronJobSpec schedule startingDeadlineSeconds concurrencyPolicy suspend jobTemplate successfulJobsHistoryLimit failedJobsHistoryLimit timeZone
CronJobStatus active 4:lastScheduleTime lastSuccessfulTime
JobTemplateSpec metadata spec
Role metadata rules
ClusterRole metadata rules aggregationRule
PolicyRule verbs apiGroups resources resourceNames nonResourceURLs
AggregationRule clusterRoleSelectors
RoleBinding metadata subjects roleRef
ClusterRoleBinding metadata subjects roleRef
RoleRef apiGroup kind name
RbacV1Subject kind apiGroup name namespace
PriorityClass metadata value globalDefault description preemptionPolicy
PodDisruptionBudgetSpec minAvailable selector maxUnavailable unhealthyPodEvictionPolicy
PodDisruptionBudgetStatus observedGeneration disruptedPods disruptionsAllowed currentHealthy desiredHealthy expectedPods conditions
IngressSpec defaultBackend tls rules ingressClassName
IngressBackend 3:resource service
IngressServiceBackend name port
ServiceBackendPort name number
IngressRule host +IngressRuleValue
IngressRuleValue http
HTTPIngressRuleValue paths
HTTPIngressPath path backend pathType
IngressTLS hosts secretName
IngressStatus loadBalancer
IngressLoadBalancerStatus ingress
IngressLoadBalancerIngress ip hostname 4:ports
IngressPortStatus port protocol error
IngressClass metadata spec
IngressClassSpec controller parameters
IngressClassParametersReference apiGroup kind name scope namespace
NetworkPolicy metadata spec
NetworkPolicySpec podSelector ingress egress policyTypes
NetworkPolicyIngressRule ports from
NetworkPolicyEgressRule ports to
NetworkPolicyPort protocol port endPort
NetworkPolicyPeer podSelector namespaceSelector ipBlock
IPBlock cidr except
Lease metadata spec
LeaseSpec holderIdentity leaseDurationSeconds acquireTime renewTime leaseTransitions strategy preferredHolder
StorageClass metadata provisioner parameters reclaimPolicy mountOptions allowVolumeExpansion volumeBindingMode allowedTopologies
TopologySelectorTerm matchLabelExpressions
TopologySelectorLabelRequirement key values
EndpointSlice metadata endpoints ports addressType
Endpoint addresses conditions hostname targetRef deprecatedTopology nodeName zone hints
EndpointConditions ready serving terminating
EndpointHints forZones forNodes
ForZone name
ForNode name
DiscoveryV1EndpointPort name protocol port appProtocol
SelfSubjectAccessReviewSpec resourceAttributes nonResourceAttributes
SubjectAccessReviewSpec resourceAttributes nonResourceAttributes user groups extra uid
ResourceAttributes namespace verb group version resource subresource name fieldSelector labelSelector
FieldSelectorAttributes rawSelector requirements
LabelSelectorAttributes rawSelector requirements
FieldSelectorRequirement key operator values
NonResourceAttributes path verb
SubjectAccessReviewStatus allowed reason evaluationError denied
SelfSubjectRulesReviewSpec namespace
SubjectRulesReviewStatus resourceRules nonResourceRules incomplete evaluationError
ResourceRule verbs apiGroups resources resourceNames
NonResourceRule verbs nonResourceURLs
SelfSubjectReview metadata status
SelfSubjectReviewStatus userInfo
UserInfo username uid groups extra
TokenReviewSpec token audiences
TokenReviewStatus authenticated user error audiences
CertificateSigningRequestSpec request username uid groups usages extra signerName expirationSeconds
CertificateSigningRequestStatus conditions certificate
CertificateSigningRequestCondition type reason message lastUpdateTime lastTransitionTime status
HorizontalPodAutoscalerSpec scaleTargetRef minReplicas maxReplicas targetCPUUtilizationPercentage
HorizontalPodAutoscalerStatus observedGeneration lastScaleTime currentReplicas desiredReplicas currentCPUUtilizationPercentage
CrossVersionObjectReference kind name apiVersion
V2HorizontalPodAutoscalerSpec scaleTargetRef minReplicas maxReplicas metrics behavior
V2HorizontalPodAutoscalerStatus observedGeneration lastScaleTime currentReplicas desiredReplicas currentMetrics conditions
V2HorizontalPodAutoscalerCondition type status lastTransitionTime reason message
V2CrossVersionObjectReference kind name apiVersion
V2MetricSpec type object pods resource external 7:containerResource
V2ResourceMetricSource name target
V2MetricTarget type value averageValue averageUtilization
ScaleSpec replicas
ScaleStatus replicas selector
`;

/** One field of a message: a JSON field, or a part whose fields are merged into their parent. */
export interface NumberedField {
  readonly number: number;
  readonly name: string;
  readonly part: boolean;
}

export interface Message {
  readonly byNumber: ReadonlyMap<number, NumberedField>;
  readonly fields: readonly NumberedField[];
}

const messages = new Map<string, Message>();

/** The message of a type, or undefined when its numbers are not known. */
export function messageOf(type: string): Message | undefined {
  if (messages.size === 0) readTable();
  return messages.get(type);
}

function readTable(): void {
  for (const name of META_SPEC_STATUS.split(' ')) messages.set(name, read(['metadata', 'spec', 'status']));
  for (const line of TABLE.trim().split('\n')) {
    const [name = '', ...words] = line.split(' ');
    messages.set(name, read(words));
  }
}

function read(words: readonly string[]): Message {
  let next = 1;
  const fields = words.map((word): NumberedField => {
    const [, jump, plus, name = ''] = /^(?:(\d+):)?(\+?)(.*)$/.exec(word) ?? [];
    const number = jump === undefined ? next : Number(jump);
    next = number + 1;
    return { number, name, part: plus === '+' };
  });
  return { fields, byNumber: new Map(fields.map((field) => [field.number, field])) };
}
