/** Types of the core group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const coreTypes = `
Pod
  kind string; apiVersion string; metadata ObjectMeta; spec PodSpec+; status PodStatus+;
ObjectMeta
  name string; generateName string; namespace string; selfLink string; uid string; resourceVersion string;
  generation int64; creationTimestamp time; deletionTimestamp time; deletionGracePeriodSeconds int64*;
  labels {}string; annotations {}string; ownerReferences []OwnerReference map:uid patch:merge:uid;
  finalizers []string set patch:merge; managedFields []ManagedFieldsEntry;
ManagedFieldsEntry
  manager string; operation string; apiVersion string; time time; fieldsType string; fieldsV1 any;
  subresource string;
OwnerReference atomic
  apiVersion string!; kind string!; name string!; uid string!; controller bool*; blockOwnerDeletion bool*;
PodSpec
  activeDeadlineSeconds int64*; affinity Affinity; automountServiceAccountToken bool*;
  containers []Container!~ map:name patch:merge:name; dnsConfig PodDNSConfig; dnsPolicy string;
  enableServiceLinks bool*; ephemeralContainers []EphemeralContainer map:name patch:merge:name;
  hostAliases []HostAlias map:ip patch:merge:ip; hostIPC bool; hostNetwork bool; hostPID bool;
  hostUsers bool*; hostname string; hostnameOverride string*;
  imagePullSecrets []LocalObjectReference map:name patch:merge:name;
  initContainers []Container map:name patch:merge:name; nodeName string;
  nodeSelector {}string atomic; os PodOS; overhead {}quantity; preemptionPolicy string*;
  priority int32*; priorityClassName string; readinessGates []PodReadinessGate;
  resourceClaims []PodResourceClaim map:name patch:merge,retainKeys:name;
  resources ResourceRequirements; restartPolicy string; runtimeClassName string*;
  schedulerName string; schedulingGates []PodSchedulingGate map:name patch:merge:name;
  schedulingGroup PodSchedulingGroup; securityContext PodSecurityContext; serviceAccount string;
  serviceAccountName string; setHostnameAsFQDN bool*; shareProcessNamespace bool*; subdomain string;
  terminationGracePeriodSeconds int64*; tolerations []Toleration;
  topologySpreadConstraints []TopologySpreadConstraint map:topologyKey,whenUnsatisfiable patch:merge:topologyKey;
  volumes []Volume map:name patch:merge,retainKeys:name;
Affinity
  nodeAffinity NodeAffinity; podAffinity PodAffinity; podAntiAffinity PodAntiAffinity;
NodeAffinity
  preferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm;
  requiredDuringSchedulingIgnoredDuringExecution NodeSelector;
PreferredSchedulingTerm
  preference NodeSelectorTerm!+; weight int32!;
NodeSelectorTerm atomic
  matchExpressions []NodeSelectorRequirement; matchFields []NodeSelectorRequirement;
NodeSelectorRequirement
  key string!; operator string!; values []string;
NodeSelector atomic
  nodeSelectorTerms []NodeSelectorTerm!;
PodAffinity
  preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm;
  requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm;
WeightedPodAffinityTerm
  podAffinityTerm PodAffinityTerm!+; weight int32!;
PodAffinityTerm
  labelSelector LabelSelector; matchLabelKeys []string; mismatchLabelKeys []string;
  namespaceSelector LabelSelector; namespaces []string; topologyKey string!;
LabelSelector atomic
  matchExpressions []LabelSelectorRequirement; matchLabels {}string;
LabelSelectorRequirement
  key string! patch:merge:key; operator string!; values []string;
PodAntiAffinity
  preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm;
  requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm;
Container
  args []string; command []string; env []EnvVar map:name patch:merge:name; envFrom []EnvFromSource;
  image string; imagePullPolicy string; lifecycle Lifecycle; livenessProbe Probe; name string!;
  ports []ContainerPort map:containerPort,protocol patch:merge:containerPort; readinessProbe Probe;
  resizePolicy []ContainerResizePolicy; resources ResourceRequirements+; restartPolicy string*;
  restartPolicyRules []ContainerRestartRule; securityContext SecurityContext; startupProbe Probe;
  stdin bool; stdinOnce bool; terminationMessagePath string; terminationMessagePolicy string;
  tty bool; volumeDevices []VolumeDevice map:devicePath patch:merge:devicePath;
  volumeMounts []VolumeMount map:mountPath patch:merge:mountPath; workingDir string;
EnvVar
  name string!; value string; valueFrom EnvVarSource;
EnvVarSource
  configMapKeyRef ConfigMapKeySelector; fieldRef ObjectFieldSelector; fileKeyRef FileKeySelector;
  resourceFieldRef ResourceFieldSelector; secretKeyRef SecretKeySelector;
ConfigMapKeySelector atomic
  key string!; name string; optional bool*;
ObjectFieldSelector atomic
  apiVersion string; fieldPath string!;
FileKeySelector atomic
  key string!; optional bool*; path string!; volumeName string!;
ResourceFieldSelector atomic
  containerName string; divisor quantity; resource string!;
SecretKeySelector atomic
  key string!; name string; optional bool*;
EnvFromSource
  configMapRef ConfigMapEnvSource; prefix string; secretRef SecretEnvSource;
ConfigMapEnvSource
  name string; optional bool*;
SecretEnvSource
  name string; optional bool*;
Lifecycle
  postStart LifecycleHandler; preStop LifecycleHandler; stopSignal string;
LifecycleHandler
  exec ExecAction; httpGet HTTPGetAction; sleep SleepAction; tcpSocket TCPSocketAction;
ExecAction
  command []string;
HTTPGetAction
  host string; httpHeaders []HTTPHeader; path string; port intOrString!; scheme string;
HTTPHeader
  name string!; value string!;
SleepAction
  seconds int64!;
TCPSocketAction
  host string; port intOrString!;
Probe
  exec ExecAction; failureThreshold int32; grpc GRPCAction; httpGet HTTPGetAction;
  initialDelaySeconds int32; periodSeconds int32; successThreshold int32; tcpSocket TCPSocketAction;
  terminationGracePeriodSeconds int64*; timeoutSeconds int32;
GRPCAction
  port int32!; service string*;
ContainerPort
  containerPort int32!; hostIP string; hostPort int32; name string; protocol string;
ContainerResizePolicy
  resourceName string!; restartPolicy string!;
ResourceRequirements
  claims []CoreV1ResourceClaim map:name; limits {}quantity; requests {}quantity;
CoreV1ResourceClaim
  name string!; request string;
ContainerRestartRule
  action string!; exitCodes ContainerRestartRuleOnExitCodes;
ContainerRestartRuleOnExitCodes
  operator string!; values []int32;
SecurityContext
  allowPrivilegeEscalation bool*; appArmorProfile AppArmorProfile; capabilities Capabilities;
  privileged bool*; procMount string*; readOnlyRootFilesystem bool*; runAsGroup int64*;
  runAsNonRoot bool*; runAsUser int64*; seLinuxOptions SELinuxOptions; seccompProfile SeccompProfile;
  windowsOptions WindowsSecurityContextOptions;
AppArmorProfile
  localhostProfile string*; type string!;
Capabilities
  add []string; drop []string;
SELinuxOptions
  level string; role string; type string; user string;
SeccompProfile
  localhostProfile string*; type string!;
WindowsSecurityContextOptions
  gmsaCredentialSpec string*; gmsaCredentialSpecName string*; hostProcess bool*; runAsUserName string*;
VolumeDevice
  devicePath string!; name string!;
VolumeMount
  mountPath string!; mountPropagation string*; name string!; readOnly bool;
  recursiveReadOnly string*; subPath string; subPathExpr string;
PodDNSConfig
  nameservers []string; options []PodDNSConfigOption; searches []string;
PodDNSConfigOption
  name string; value string*;
EphemeralContainer
  args []string; command []string; env []EnvVar map:name patch:merge:name; envFrom []EnvFromSource;
  image string; imagePullPolicy string; lifecycle Lifecycle; livenessProbe Probe; name string!;
  ports []ContainerPort map:containerPort,protocol patch:merge:containerPort; readinessProbe Probe;
  resizePolicy []ContainerResizePolicy; resources ResourceRequirements+; restartPolicy string*;
  restartPolicyRules []ContainerRestartRule; securityContext SecurityContext; startupProbe Probe;
  stdin bool; stdinOnce bool; targetContainerName string; terminationMessagePath string;
  terminationMessagePolicy string; tty bool;
  volumeDevices []VolumeDevice map:devicePath patch:merge:devicePath;
  volumeMounts []VolumeMount map:mountPath patch:merge:mountPath; workingDir string;
HostAlias
  hostnames []string; ip string!;
LocalObjectReference atomic
  name string;
PodOS
  name string!;
PodReadinessGate
  conditionType string!;
PodResourceClaim
  name string!; resourceClaimName string*; resourceClaimTemplateName string*;
PodSchedulingGate
  name string!;
PodSchedulingGroup
  podGroupName string;
PodSecurityContext
  appArmorProfile AppArmorProfile; fsGroup int64*; fsGroupChangePolicy string*; runAsGroup int64*;
  runAsNonRoot bool*; runAsUser int64*; seLinuxChangePolicy string*; seLinuxOptions SELinuxOptions;
  seccompProfile SeccompProfile; supplementalGroups []int64; supplementalGroupsPolicy string*;
  sysctls []Sysctl; windowsOptions WindowsSecurityContextOptions;
Sysctl
  name string!; value string!;
Toleration
  effect string; key string; operator string; tolerationSeconds int64*; value string;
TopologySpreadConstraint
  labelSelector LabelSelector; matchLabelKeys []string; maxSkew int32!; minDomains int32*;
  nodeAffinityPolicy string*; nodeTaintsPolicy string*; topologyKey string!;
  whenUnsatisfiable string!;
Volume
  awsElasticBlockStore AWSElasticBlockStoreVolumeSource; azureDisk AzureDiskVolumeSource;
  azureFile AzureFileVolumeSource; cephfs CephFSVolumeSource; cinder CinderVolumeSource;
  configMap ConfigMapVolumeSource; csi CSIVolumeSource; downwardAPI DownwardAPIVolumeSource;
  emptyDir EmptyDirVolumeSource; ephemeral EphemeralVolumeSource; fc FCVolumeSource;
  flexVolume FlexVolumeSource; flocker FlockerVolumeSource;
  gcePersistentDisk GCEPersistentDiskVolumeSource; gitRepo GitRepoVolumeSource;
  glusterfs GlusterfsVolumeSource; hostPath HostPathVolumeSource; image ImageVolumeSource;
  iscsi ISCSIVolumeSource; name string!; nfs NFSVolumeSource;
  persistentVolumeClaim PersistentVolumeClaimVolumeSource;
  photonPersistentDisk PhotonPersistentDiskVolumeSource; portworxVolume PortworxVolumeSource;
  projected ProjectedVolumeSource; quobyte QuobyteVolumeSource; rbd RBDVolumeSource;
  scaleIO ScaleIOVolumeSource; secret SecretVolumeSource; storageos StorageOSVolumeSource;
  vsphereVolume VsphereVirtualDiskVolumeSource;
AWSElasticBlockStoreVolumeSource
  fsType string; partition int32; readOnly bool; volumeID string!;
AzureDiskVolumeSource
  cachingMode string*; diskName string!; diskURI string!; fsType string*; kind string*; readOnly bool*;
AzureFileVolumeSource
  readOnly bool; secretName string!; shareName string!;
CephFSVolumeSource
  monitors []string!; path string; readOnly bool; secretFile string; secretRef LocalObjectReference;
  user string;
CinderVolumeSource
  fsType string; readOnly bool; secretRef LocalObjectReference; volumeID string!;
ConfigMapVolumeSource
  defaultMode int32*; items []KeyToPath; name string; optional bool*;
KeyToPath
  key string!; mode int32*; path string!;
CSIVolumeSource
  driver string!; fsType string*; nodePublishSecretRef LocalObjectReference; readOnly bool*;
  volumeAttributes {}string;
DownwardAPIVolumeSource
  defaultMode int32*; items []DownwardAPIVolumeFile;
DownwardAPIVolumeFile
  fieldRef ObjectFieldSelector; mode int32*; path string!; resourceFieldRef ResourceFieldSelector;
EmptyDirVolumeSource
  medium string; sizeLimit quantity;
EphemeralVolumeSource
  volumeClaimTemplate PersistentVolumeClaimTemplate;
PersistentVolumeClaimTemplate
  metadata ObjectMeta; spec PersistentVolumeClaimSpec!+;
PersistentVolumeClaimSpec
  accessModes []string; dataSource TypedLocalObjectReference; dataSourceRef TypedObjectReference;
  resources VolumeResourceRequirements+; selector LabelSelector; storageClassName string*;
  volumeAttributesClassName string*; volumeMode string*; volumeName string;
TypedLocalObjectReference atomic
  apiGroup string*; kind string!; name string!;
TypedObjectReference
  apiGroup string*; kind string!; name string!; namespace string*;
VolumeResourceRequirements
  limits {}quantity; requests {}quantity;
FCVolumeSource
  fsType string; lun int32*; readOnly bool; targetWWNs []string; wwids []string;
FlexVolumeSource
  driver string!; fsType string; options {}string; readOnly bool; secretRef LocalObjectReference;
FlockerVolumeSource
  datasetName string; datasetUUID string;
GCEPersistentDiskVolumeSource
  fsType string; partition int32; pdName string!; readOnly bool;
GitRepoVolumeSource
  directory string; repository string!; revision string;
GlusterfsVolumeSource
  endpoints string!; path string!; readOnly bool;
HostPathVolumeSource
  path string!; type string*;
ImageVolumeSource
  pullPolicy string; reference string;
ISCSIVolumeSource
  chapAuthDiscovery bool; chapAuthSession bool; fsType string; initiatorName string*; iqn string!;
  iscsiInterface string; lun int32!; portals []string; readOnly bool; secretRef LocalObjectReference;
  targetPortal string!;
NFSVolumeSource
  path string!; readOnly bool; server string!;
PersistentVolumeClaimVolumeSource
  claimName string!; readOnly bool;
PhotonPersistentDiskVolumeSource
  fsType string; pdID string!;
PortworxVolumeSource
  fsType string; readOnly bool; volumeID string!;
ProjectedVolumeSource
  defaultMode int32*; sources []VolumeProjection~;
VolumeProjection
  clusterTrustBundle ClusterTrustBundleProjection; configMap ConfigMapProjection;
  downwardAPI DownwardAPIProjection; podCertificate PodCertificateProjection;
  secret SecretProjection; serviceAccountToken ServiceAccountTokenProjection;
ClusterTrustBundleProjection
  labelSelector LabelSelector; name string*; optional bool*; path string!; signerName string*;
ConfigMapProjection
  items []KeyToPath; name string; optional bool*;
DownwardAPIProjection
  items []DownwardAPIVolumeFile;
PodCertificateProjection
  certificateChainPath string; credentialBundlePath string; keyPath string; keyType string!;
  maxExpirationSeconds int32*; signerName string!; userAnnotations {}string;
SecretProjection
  items []KeyToPath; name string; optional bool*;
ServiceAccountTokenProjection
  audience string; expirationSeconds int64*; path string!;
QuobyteVolumeSource
  group string; readOnly bool; registry string!; tenant string; user string; volume string!;
RBDVolumeSource
  fsType string; image string!; keyring string; monitors []string!; pool string; readOnly bool;
  secretRef LocalObjectReference; user string;
ScaleIOVolumeSource
  fsType string; gateway string!; protectionDomain string; readOnly bool;
  secretRef LocalObjectReference!~; sslEnabled bool; storageMode string; storagePool string;
  system string!; volumeName string;
SecretVolumeSource
  defaultMode int32*; items []KeyToPath; optional bool*; secretName string;
StorageOSVolumeSource
  fsType string; readOnly bool; secretRef LocalObjectReference; volumeName string;
  volumeNamespace string;
VsphereVirtualDiskVolumeSource
  fsType string; storagePolicyID string; storagePolicyName string; volumePath string!;
PodStatus
  allocatedResources {}string; conditions []PodCondition map:type patch:merge:type;
  containerStatuses []ContainerStatus; ephemeralContainerStatuses []ContainerStatus;
  extendedResourceClaimStatus PodExtendedResourceClaimStatus; hostIP string;
  hostIPs []HostIP patch:merge:ip; initContainerStatuses []ContainerStatus; message string;
  nodeAllocatableResourceClaimStatuses []NodeAllocatableResourceClaimStatus;
  nominatedNodeName string; observedGeneration int64; phase string; podIP string;
  podIPs []PodIP map:ip patch:merge:ip; qosClass string; reason string; resize string;
  resourceClaimStatuses []PodResourceClaimStatus map:name patch:merge,retainKeys:name;
  resources ResourceRequirements; startTime time;
PodCondition
  lastProbeTime time~; lastTransitionTime time~; message string; observedGeneration int64;
  reason string; status string!; type string!;
ContainerStatus
  allocatedResources {}quantity; allocatedResourcesStatus []ResourceStatus patch:merge:name; containerID string;
  image string!; imageID string!; lastState ContainerState+; name string!; ready bool!;
  resources ResourceRequirements; restartCount int32!; started bool*; state ContainerState+;
  stopSignal string; user ContainerUser; volumeMounts []VolumeMountStatus patch:merge:mountPath;
ResourceStatus
  name string!; resources []ResourceHealth;
ResourceHealth
  health string; message string; resourceID string!;
ContainerState
  running ContainerStateRunning; terminated ContainerStateTerminated; waiting ContainerStateWaiting;
ContainerStateRunning
  startedAt time;
ContainerStateTerminated
  containerID string; exitCode int32!; finishedAt time; message string; reason string; signal int32;
  startedAt time;
ContainerStateWaiting
  message string; reason string;
ContainerUser
  linux LinuxContainerUser;
LinuxContainerUser
  gid int64!; supplementalGroups []int64; uid int64!;
VolumeMountStatus
  mountPath string!; name string!; readOnly bool; recursiveReadOnly string*;
  volumeStatus VolumeStatus;
VolumeStatus
  image ImageVolumeStatus;
ImageVolumeStatus
  imageRef string!;
PodExtendedResourceClaimStatus
  requestMappings []ContainerExtendedResourceRequest!; resourceClaimName string!;
ContainerExtendedResourceRequest
  containerName string!; requestName string!; resourceName string!;
HostIP
  ip string!;
NodeAllocatableResourceClaimStatus
  containers []string; resourceClaimName string!; resources {}string!;
PodIP
  ip string!;
PodResourceClaimStatus
  name string!; resourceClaimName string*;
Node
  kind string; apiVersion string; metadata ObjectMeta; spec NodeSpec+; status NodeStatus+;
NodeSpec
  configSource NodeConfigSource; externalID string; podCIDR string;
  podCIDRs []string set patch:merge; providerID string; taints []Taint; unschedulable bool;
NodeConfigSource
  configMap ConfigMapNodeConfigSource;
ConfigMapNodeConfigSource
  kubeletConfigKey string!; name string!; namespace string!; resourceVersion string; uid string;
Taint
  effect string!; key string!; timeAdded time; value string;
NodeStatus
  addresses []NodeAddress map:type patch:merge:type; allocatable {}quantity; capacity {}quantity;
  conditions []NodeCondition map:type patch:merge:type; config NodeConfigStatus;
  daemonEndpoints NodeDaemonEndpoints+; declaredFeatures []string; features NodeFeatures;
  images []ContainerImage; nodeInfo NodeSystemInfo+; phase string;
  runtimeHandlers []NodeRuntimeHandler; volumesAttached []AttachedVolume; volumesInUse []string;
NodeAddress
  address string!; type string!;
NodeCondition
  lastHeartbeatTime time~; lastTransitionTime time~; message string; reason string; status string!;
  type string!;
NodeConfigStatus
  active NodeConfigSource; assigned NodeConfigSource; error string; lastKnownGood NodeConfigSource;
NodeDaemonEndpoints
  kubeletEndpoint DaemonEndpoint+;
DaemonEndpoint
  Port int32!;
NodeFeatures
  supplementalGroupsPolicy bool*;
ContainerImage
  names []string~; sizeBytes int64;
NodeSystemInfo
  architecture string!; bootID string!; containerRuntimeVersion string!; kernelVersion string!;
  kubeProxyVersion string!; kubeletVersion string!; machineID string!; operatingSystem string!;
  osImage string!; swap NodeSwapStatus; systemUUID string!;
NodeSwapStatus
  capacity int64;
NodeRuntimeHandler
  features NodeRuntimeHandlerFeatures; name string!;
NodeRuntimeHandlerFeatures
  recursiveReadOnlyMounts bool*; userNamespaces bool*;
AttachedVolume
  devicePath string!; name string!;
Namespace
  kind string; apiVersion string; metadata ObjectMeta; spec NamespaceSpec+; status NamespaceStatus+;
NamespaceSpec
  finalizers []string;
NamespaceStatus
  conditions []NamespaceCondition map:type patch:merge:type; phase string;
NamespaceCondition
  lastTransitionTime time; message string; reason string; status string!; type string!;
ConfigMap
  kind string; apiVersion string; metadata ObjectMeta; binaryData {}bytes; data {}string;
  immutable bool*;
Secret
  kind string; apiVersion string; metadata ObjectMeta; data {}bytes; immutable bool*;
  stringData {}string; type string;
Service
  kind string; apiVersion string; metadata ObjectMeta; spec ServiceSpec+; status ServiceStatus+;
ServiceSpec
  allocateLoadBalancerNodePorts bool*; clusterIP string; clusterIPs []string; externalIPs []string;
  externalName string; externalTrafficPolicy string; healthCheckNodePort int32;
  internalTrafficPolicy string*; ipFamilies []string; ipFamilyPolicy string*;
  loadBalancerClass string*; loadBalancerIP string; loadBalancerSourceRanges []string;
  ports []ServicePort map:port,protocol patch:merge:port; publishNotReadyAddresses bool;
  selector {}string atomic; sessionAffinity string; sessionAffinityConfig SessionAffinityConfig;
  trafficDistribution string*; type string;
ServicePort
  appProtocol string*; name string; nodePort int32; port int32!; protocol string;
  targetPort intOrString;
SessionAffinityConfig
  clientIP ClientIPConfig;
ClientIPConfig
  timeoutSeconds int32*;
ServiceStatus
  conditions []Condition map:type patch:merge:type; loadBalancer LoadBalancerStatus+;
Condition
  lastTransitionTime time!; message string!; observedGeneration int64; reason string!;
  status string!; type string!;
LoadBalancerStatus
  ingress []LoadBalancerIngress;
LoadBalancerIngress
  hostname string; ip string; ipMode string*; ports []PortStatus;
PortStatus
  error string*; port int32!; protocol string!;
Endpoints
  kind string; apiVersion string; metadata ObjectMeta; subsets []EndpointSubset;
EndpointSubset
  addresses []EndpointAddress; notReadyAddresses []EndpointAddress; ports []CoreV1EndpointPort;
EndpointAddress
  hostname string; ip string!; nodeName string*; targetRef ObjectReference;
ObjectReference atomic
  apiVersion string; fieldPath string; kind string; name string; namespace string;
  resourceVersion string; uid string;
CoreV1EndpointPort
  appProtocol string*; name string; port int32!; protocol string;
ServiceAccount
  kind string; apiVersion string; metadata ObjectMeta; automountServiceAccountToken bool*;
  imagePullSecrets []LocalObjectReference; secrets []ObjectReference map:name patch:merge:name;
PersistentVolume
  kind string; apiVersion string; metadata ObjectMeta; spec PersistentVolumeSpec+;
  status PersistentVolumeStatus+;
PersistentVolumeSpec
  accessModes []string; awsElasticBlockStore AWSElasticBlockStoreVolumeSource;
  azureDisk AzureDiskVolumeSource; azureFile AzureFilePersistentVolumeSource; capacity {}quantity;
  cephfs CephFSPersistentVolumeSource; cinder CinderPersistentVolumeSource; claimRef ObjectReference;
  csi CSIPersistentVolumeSource; fc FCVolumeSource; flexVolume FlexPersistentVolumeSource;
  flocker FlockerVolumeSource; gcePersistentDisk GCEPersistentDiskVolumeSource;
  glusterfs GlusterfsPersistentVolumeSource; hostPath HostPathVolumeSource;
  iscsi ISCSIPersistentVolumeSource; local LocalVolumeSource; mountOptions []string;
  nfs NFSVolumeSource; nodeAffinity VolumeNodeAffinity; persistentVolumeReclaimPolicy string;
  photonPersistentDisk PhotonPersistentDiskVolumeSource; portworxVolume PortworxVolumeSource;
  quobyte QuobyteVolumeSource; rbd RBDPersistentVolumeSource; scaleIO ScaleIOPersistentVolumeSource;
  storageClassName string; storageos StorageOSPersistentVolumeSource;
  volumeAttributesClassName string*; volumeMode string*;
  vsphereVolume VsphereVirtualDiskVolumeSource;
AzureFilePersistentVolumeSource
  readOnly bool; secretName string!; secretNamespace string*; shareName string!;
CephFSPersistentVolumeSource
  monitors []string!; path string; readOnly bool; secretFile string; secretRef SecretReference;
  user string;
SecretReference atomic
  name string; namespace string;
CinderPersistentVolumeSource
  fsType string; readOnly bool; secretRef SecretReference; volumeID string!;
CSIPersistentVolumeSource
  controllerExpandSecretRef SecretReference; controllerPublishSecretRef SecretReference;
  driver string!; fsType string; nodeExpandSecretRef SecretReference;
  nodePublishSecretRef SecretReference; nodeStageSecretRef SecretReference; readOnly bool;
  volumeAttributes {}string; volumeHandle string!;
FlexPersistentVolumeSource
  driver string!; fsType string; options {}string; readOnly bool; secretRef SecretReference;
GlusterfsPersistentVolumeSource
  endpoints string!; endpointsNamespace string*; path string!; readOnly bool;
ISCSIPersistentVolumeSource
  chapAuthDiscovery bool; chapAuthSession bool; fsType string; initiatorName string*; iqn string!;
  iscsiInterface string; lun int32!; portals []string; readOnly bool; secretRef SecretReference;
  targetPortal string!;
LocalVolumeSource
  fsType string*; path string!;
VolumeNodeAffinity
  required NodeSelector;
RBDPersistentVolumeSource
  fsType string; image string!; keyring string; monitors []string!; pool string; readOnly bool;
  secretRef SecretReference; user string;
ScaleIOPersistentVolumeSource
  fsType string; gateway string!; protectionDomain string; readOnly bool; secretRef SecretReference!~;
  sslEnabled bool; storageMode string; storagePool string; system string!; volumeName string;
StorageOSPersistentVolumeSource
  fsType string; readOnly bool; secretRef ObjectReference; volumeName string; volumeNamespace string;
PersistentVolumeStatus
  lastPhaseTransitionTime time; message string; phase string; reason string;
PersistentVolumeClaim
  kind string; apiVersion string; metadata ObjectMeta; spec PersistentVolumeClaimSpec+;
  status PersistentVolumeClaimStatus+;
PersistentVolumeClaimStatus
  accessModes []string; allocatedResourceStatuses {}string; allocatedResources {}quantity;
  capacity {}quantity; conditions []PersistentVolumeClaimCondition map:type patch:merge:type;
  currentVolumeAttributesClassName string*; modifyVolumeStatus ModifyVolumeStatus; phase string;
PersistentVolumeClaimCondition
  lastProbeTime time; lastTransitionTime time; message string; reason string; status string!;
  type string!;
ModifyVolumeStatus
  status string!; targetVolumeAttributesClassName string;
CoreV1Event
  kind string; apiVersion string; metadata ObjectMeta!; action string; count int32;
  eventTime microtime~; firstTimestamp time~; involvedObject ObjectReference!+; lastTimestamp time~;
  message string; reason string; related ObjectReference; reportingComponent string!;
  reportingInstance string!; series CoreV1EventSeries; source EventSource+; type string;
CoreV1EventSeries
  count int32; lastObservedTime microtime;
EventSource
  component string; host string;
LimitRange
  kind string; apiVersion string; metadata ObjectMeta; spec LimitRangeSpec+;
LimitRangeSpec
  limits []LimitRangeItem!~;
LimitRangeItem
  default {}quantity; defaultRequest {}quantity; max {}quantity; maxLimitRequestRatio {}quantity;
  min {}quantity; type string!;
ResourceQuota
  kind string; apiVersion string; metadata ObjectMeta; spec ResourceQuotaSpec+;
  status ResourceQuotaStatus+;
ResourceQuotaSpec
  hard {}quantity; scopeSelector ScopeSelector; scopes []string;
ScopeSelector atomic
  matchExpressions []ScopedResourceSelectorRequirement;
ScopedResourceSelectorRequirement atomic
  operator string!; scopeName string!; values []string;
ResourceQuotaStatus
  hard {}quantity; used {}quantity;
ReplicationController
  kind string; apiVersion string; metadata ObjectMeta; spec ReplicationControllerSpec+;
  status ReplicationControllerStatus+;
ReplicationControllerSpec
  minReadySeconds int32; replicas int32*; selector {}string atomic; template PodTemplateSpec;
PodTemplateSpec
  metadata ObjectMeta+; spec PodSpec+;
ReplicationControllerStatus
  availableReplicas int32; conditions []ReplicationControllerCondition map:type patch:merge:type;
  fullyLabeledReplicas int32; observedGeneration int64; readyReplicas int32; replicas int32!;
ReplicationControllerCondition
  lastTransitionTime time; message string; reason string; status string!; type string!;
PodTemplate
  kind string; apiVersion string; metadata ObjectMeta; template PodTemplateSpec+;
Binding
  kind string; apiVersion string; metadata ObjectMeta; target ObjectReference!+;
ComponentStatus
  kind string; apiVersion string; metadata ObjectMeta;
  conditions []ComponentCondition map:type patch:merge:type;
ComponentCondition
  error string; message string; status string!; type string!;
Eviction
  kind string; apiVersion string; metadata ObjectMeta; deleteOptions DeleteOptions;
DeleteOptions
  apiVersion string; dryRun []string; gracePeriodSeconds int64*;
  ignoreStoreReadErrorWithClusterBreakingPotential bool*; kind string; orphanDependents bool*;
  preconditions Preconditions; propagationPolicy string;
Preconditions
  resourceVersion string; uid string;
AuthenticationV1TokenRequest
  kind string; apiVersion string; metadata ObjectMeta; spec TokenRequestSpec+;
  status TokenRequestStatus+;
TokenRequestSpec
  audiences []string; boundObjectRef BoundObjectReference; expirationSeconds int64*;
BoundObjectReference
  apiVersion string; kind string; name string; uid string;
TokenRequestStatus
  expirationTimestamp time; token string;
Status
  apiVersion string; code int32; details StatusDetails; kind string; message string;
  metadata ListMeta; reason string; status string;
StatusDetails
  causes []StatusCause; group string; kind string; name string; retryAfterSeconds int32*; uid string;
StatusCause
  field string; message string; reason string;
ListMeta
  continue string; remainingItemCount int64*; resourceVersion string; selfLink string;
  shardInfo ShardInfo;
ShardInfo
  selector string!;
Scale
  kind string; apiVersion string; metadata ObjectMeta; spec ScaleSpec+; status ScaleStatus+;
ScaleSpec
  replicas int32*;
ScaleStatus
  replicas int32!; selector string;
`;
