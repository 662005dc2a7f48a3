/** Types of the core group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const coreTypes = `
Pod
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 PodSpec+; status=3 PodStatus+;
ObjectMeta
  name=1 string; generateName=2 string; namespace=3 string; selfLink=4 string; uid=5 string;
  resourceVersion=6 string; generation=7 int64; creationTimestamp=8 time; deletionTimestamp=9 time;
  deletionGracePeriodSeconds=10 int64*; labels=11 {}string; annotations=12 {}string;
  ownerReferences=13 []OwnerReference map:uid patch:merge:uid; finalizers=14 []string set patch:merge;
  managedFields=17 []ManagedFieldsEntry;
ManagedFieldsEntry
  manager=1 string; operation=2 string; apiVersion=3 string; time=4 time; fieldsType=6 string; fieldsV1=7 any;
  subresource=8 string;
OwnerReference atomic
  apiVersion=5 string!; kind=1 string!; name=3 string!; uid=4 string!; controller=6 bool*;
  blockOwnerDeletion=7 bool*;
PodSpec
  activeDeadlineSeconds=5 int64*; affinity=18 Affinity; automountServiceAccountToken=21 bool*;
  containers=2 []Container!~ map:name patch:merge:name; dnsConfig=26 PodDNSConfig; dnsPolicy=6 string;
  enableServiceLinks=30 bool*; ephemeralContainers=34 []EphemeralContainer map:name patch:merge:name;
  hostAliases=23 []HostAlias map:ip patch:merge:ip; hostIPC=13 bool; hostNetwork=11 bool; hostPID=12 bool;
  hostUsers=37 bool*; hostname=16 string; hostnameOverride=41 string*;
  imagePullSecrets=15 []LocalObjectReference map:name patch:merge:name;
  initContainers=20 []Container map:name patch:merge:name; nodeName=10 string; nodeSelector=7 {}string atomic;
  os=36 PodOS; overhead=32 {}quantity; preemptionPolicy=31 string*; priority=25 int32*;
  priorityClassName=24 string; readinessGates=28 []PodReadinessGate;
  resourceClaims=39 []PodResourceClaim map:name patch:merge,retainKeys:name;
  resources=40 ResourceRequirements; restartPolicy=3 string; runtimeClassName=29 string*;
  schedulerName=19 string; schedulingGates=38 []PodSchedulingGate map:name patch:merge:name;
  schedulingGroup PodSchedulingGroup; securityContext=14 PodSecurityContext; serviceAccount=9 string;
  serviceAccountName=8 string; setHostnameAsFQDN=35 bool*; shareProcessNamespace=27 bool*;
  subdomain=17 string; terminationGracePeriodSeconds=4 int64*; tolerations=22 []Toleration;
  topologySpreadConstraints=33 []TopologySpreadConstraint map:topologyKey,whenUnsatisfiable patch:merge:topologyKey;
  volumes=1 []Volume map:name patch:merge,retainKeys:name;
Affinity
  nodeAffinity=1 NodeAffinity; podAffinity=2 PodAffinity; podAntiAffinity=3 PodAntiAffinity;
NodeAffinity
  preferredDuringSchedulingIgnoredDuringExecution=2 []PreferredSchedulingTerm;
  requiredDuringSchedulingIgnoredDuringExecution=1 NodeSelector;
PreferredSchedulingTerm
  preference=2 NodeSelectorTerm!+; weight=1 int32!;
NodeSelectorTerm atomic
  matchExpressions=1 []NodeSelectorRequirement; matchFields=2 []NodeSelectorRequirement;
NodeSelectorRequirement
  key=1 string!; operator=2 string!; values=3 []string;
NodeSelector atomic
  nodeSelectorTerms=1 []NodeSelectorTerm!;
PodAffinity
  preferredDuringSchedulingIgnoredDuringExecution=2 []WeightedPodAffinityTerm;
  requiredDuringSchedulingIgnoredDuringExecution=1 []PodAffinityTerm;
WeightedPodAffinityTerm
  podAffinityTerm=2 PodAffinityTerm!+; weight=1 int32!;
PodAffinityTerm
  labelSelector=1 LabelSelector; matchLabelKeys=5 []string; mismatchLabelKeys=6 []string;
  namespaceSelector=4 LabelSelector; namespaces=2 []string; topologyKey=3 string!;
LabelSelector atomic
  matchExpressions=2 []LabelSelectorRequirement; matchLabels=1 {}string;
LabelSelectorRequirement
  key=1 string! patch:merge:key; operator=2 string!; values=3 []string;
PodAntiAffinity
  preferredDuringSchedulingIgnoredDuringExecution=2 []WeightedPodAffinityTerm;
  requiredDuringSchedulingIgnoredDuringExecution=1 []PodAffinityTerm;
Container
  args=4 []string; command=3 []string; env=7 []EnvVar map:name patch:merge:name; envFrom=19 []EnvFromSource;
  image=2 string; imagePullPolicy=14 string; lifecycle=12 Lifecycle; livenessProbe=10 Probe; name=1 string!;
  ports=6 []ContainerPort map:containerPort,protocol patch:merge:containerPort; readinessProbe=11 Probe;
  resizePolicy=23 []ContainerResizePolicy; resources=8 ResourceRequirements+; restartPolicy=24 string*;
  restartPolicyRules=25 []ContainerRestartRule; securityContext=15 SecurityContext; startupProbe=22 Probe;
  stdin=16 bool; stdinOnce=17 bool; terminationMessagePath=13 string; terminationMessagePolicy=20 string;
  tty=18 bool; volumeDevices=21 []VolumeDevice map:devicePath patch:merge:devicePath;
  volumeMounts=9 []VolumeMount map:mountPath patch:merge:mountPath; workingDir=5 string;
EnvVar
  name=1 string!; value=2 string; valueFrom=3 EnvVarSource;
EnvVarSource
  configMapKeyRef=3 ConfigMapKeySelector; fieldRef=1 ObjectFieldSelector; fileKeyRef=5 FileKeySelector;
  resourceFieldRef=2 ResourceFieldSelector; secretKeyRef=4 SecretKeySelector;
ConfigMapKeySelector atomic
  key=2 string!; name=1.1 string; optional=3 bool*;
ObjectFieldSelector atomic
  apiVersion=1 string; fieldPath=2 string!;
FileKeySelector atomic
  key=3 string!; optional=4 bool*; path=2 string!; volumeName=1 string!;
ResourceFieldSelector atomic
  containerName=1 string; divisor=3 quantity; resource=2 string!;
SecretKeySelector atomic
  key=2 string!; name=1.1 string; optional=3 bool*;
EnvFromSource
  configMapRef=2 ConfigMapEnvSource; prefix=1 string; secretRef=3 SecretEnvSource;
ConfigMapEnvSource
  name=1.1 string; optional=2 bool*;
SecretEnvSource
  name=1.1 string; optional=2 bool*;
Lifecycle
  postStart=1 LifecycleHandler; preStop=2 LifecycleHandler; stopSignal=3 string;
LifecycleHandler
  exec=1 ExecAction; httpGet=2 HTTPGetAction; sleep=4 SleepAction; tcpSocket=3 TCPSocketAction;
ExecAction
  command=1 []string;
HTTPGetAction
  host=3 string; httpHeaders=5 []HTTPHeader; path=1 string; port=2 intOrString!; scheme=4 string;
HTTPHeader
  name=1 string!; value=2 string!;
SleepAction
  seconds=1 int64!;
TCPSocketAction
  host=2 string; port=1 intOrString!;
Probe
  exec=1.1 ExecAction; failureThreshold=6 int32; grpc=1.4 GRPCAction; httpGet=1.2 HTTPGetAction;
  initialDelaySeconds=2 int32; periodSeconds=4 int32; successThreshold=5 int32; tcpSocket=1.3 TCPSocketAction;
  terminationGracePeriodSeconds=7 int64*; timeoutSeconds=3 int32;
GRPCAction
  port=1 int32!; service=2 string*;
ContainerPort
  containerPort=3 int32!; hostIP=5 string; hostPort=2 int32; name=1 string; protocol=4 string;
ContainerResizePolicy
  resourceName=1 string!; restartPolicy=2 string!;
ResourceRequirements
  claims=3 []CoreV1ResourceClaim map:name; limits=1 {}quantity; requests=2 {}quantity;
CoreV1ResourceClaim
  name=1 string!; request=2 string;
ContainerRestartRule
  action=1 string!; exitCodes=2 ContainerRestartRuleOnExitCodes;
ContainerRestartRuleOnExitCodes
  operator=1 string!; values=2 []int32;
SecurityContext
  allowPrivilegeEscalation=7 bool*; appArmorProfile=12 AppArmorProfile; capabilities=1 Capabilities;
  privileged=2 bool*; procMount=9 string*; readOnlyRootFilesystem=6 bool*; runAsGroup=8 int64*;
  runAsNonRoot=5 bool*; runAsUser=4 int64*; seLinuxOptions=3 SELinuxOptions; seccompProfile=11 SeccompProfile;
  windowsOptions=10 WindowsSecurityContextOptions;
AppArmorProfile
  localhostProfile=2 string*; type=1 string!;
Capabilities
  add=1 []string; drop=2 []string;
SELinuxOptions
  level=4 string; role=2 string; type=3 string; user=1 string;
SeccompProfile
  localhostProfile=2 string*; type=1 string!;
WindowsSecurityContextOptions
  gmsaCredentialSpec=2 string*; gmsaCredentialSpecName=1 string*; hostProcess=4 bool*;
  runAsUserName=3 string*;
VolumeDevice
  devicePath=2 string!; name=1 string!;
VolumeMount
  mountPath=3 string!; mountPropagation=5 string*; name=1 string!; readOnly=2 bool;
  recursiveReadOnly=7 string*; subPath=4 string; subPathExpr=6 string;
PodDNSConfig
  nameservers=1 []string; options=3 []PodDNSConfigOption; searches=2 []string;
PodDNSConfigOption
  name=1 string; value=2 string*;
EphemeralContainer
  args=1.4 []string; command=1.3 []string; env=1.7 []EnvVar map:name patch:merge:name;
  envFrom=1.19 []EnvFromSource; image=1.2 string; imagePullPolicy=1.14 string; lifecycle=1.12 Lifecycle;
  livenessProbe=1.10 Probe; name=1.1 string!;
  ports=1.6 []ContainerPort map:containerPort,protocol patch:merge:containerPort; readinessProbe=1.11 Probe;
  resizePolicy=1.23 []ContainerResizePolicy; resources=1.8 ResourceRequirements+; restartPolicy=1.24 string*;
  restartPolicyRules=1.25 []ContainerRestartRule; securityContext=1.15 SecurityContext;
  startupProbe=1.22 Probe; stdin=1.16 bool; stdinOnce=1.17 bool; targetContainerName=2 string;
  terminationMessagePath=1.13 string; terminationMessagePolicy=1.20 string; tty=1.18 bool;
  volumeDevices=1.21 []VolumeDevice map:devicePath patch:merge:devicePath;
  volumeMounts=1.9 []VolumeMount map:mountPath patch:merge:mountPath; workingDir=1.5 string;
HostAlias
  hostnames=2 []string; ip=1 string!;
LocalObjectReference atomic
  name=1 string;
PodOS
  name=1 string!;
PodReadinessGate
  conditionType=1 string!;
PodResourceClaim
  name=1 string!; resourceClaimName=3 string*; resourceClaimTemplateName=4 string*;
PodSchedulingGate
  name=1 string!;
PodSchedulingGroup
  podGroupName string;
PodSecurityContext
  appArmorProfile=11 AppArmorProfile; fsGroup=5 int64*; fsGroupChangePolicy=9 string*; runAsGroup=6 int64*;
  runAsNonRoot=3 bool*; runAsUser=2 int64*; seLinuxChangePolicy=13 string*; seLinuxOptions=1 SELinuxOptions;
  seccompProfile=10 SeccompProfile; supplementalGroups=4 []int64; supplementalGroupsPolicy=12 string*;
  sysctls=7 []Sysctl; windowsOptions=8 WindowsSecurityContextOptions;
Sysctl
  name=1 string!; value=2 string!;
Toleration
  effect=4 string; key=1 string; operator=2 string; tolerationSeconds=5 int64*; value=3 string;
TopologySpreadConstraint
  labelSelector=4 LabelSelector; matchLabelKeys=8 []string; maxSkew=1 int32!; minDomains=5 int32*;
  nodeAffinityPolicy=6 string*; nodeTaintsPolicy=7 string*; topologyKey=2 string!;
  whenUnsatisfiable=3 string!;
Volume
  awsElasticBlockStore=2.4 AWSElasticBlockStoreVolumeSource; azureDisk=2.22 AzureDiskVolumeSource;
  azureFile=2.18 AzureFileVolumeSource; cephfs=2.14 CephFSVolumeSource; cinder=2.13 CinderVolumeSource;
  configMap=2.19 ConfigMapVolumeSource; csi=2.28 CSIVolumeSource; downwardAPI=2.16 DownwardAPIVolumeSource;
  emptyDir=2.2 EmptyDirVolumeSource; ephemeral=2.29 EphemeralVolumeSource; fc=2.17 FCVolumeSource;
  flexVolume=2.12 FlexVolumeSource; flocker=2.15 FlockerVolumeSource;
  gcePersistentDisk=2.3 GCEPersistentDiskVolumeSource; gitRepo=2.5 GitRepoVolumeSource;
  glusterfs=2.9 GlusterfsVolumeSource; hostPath=2.1 HostPathVolumeSource; image=2.30 ImageVolumeSource;
  iscsi=2.8 ISCSIVolumeSource; name=1 string!; nfs=2.7 NFSVolumeSource;
  persistentVolumeClaim=2.10 PersistentVolumeClaimVolumeSource;
  photonPersistentDisk=2.23 PhotonPersistentDiskVolumeSource; portworxVolume=2.24 PortworxVolumeSource;
  projected=2.26 ProjectedVolumeSource; quobyte=2.21 QuobyteVolumeSource; rbd=2.11 RBDVolumeSource;
  scaleIO=2.25 ScaleIOVolumeSource; secret=2.6 SecretVolumeSource; storageos=2.27 StorageOSVolumeSource;
  vsphereVolume=2.20 VsphereVirtualDiskVolumeSource;
AWSElasticBlockStoreVolumeSource
  fsType=2 string; partition=3 int32; readOnly=4 bool; volumeID=1 string!;
AzureDiskVolumeSource
  cachingMode=3 string*; diskName=1 string!; diskURI=2 string!; fsType=4 string*; kind=6 string*;
  readOnly=5 bool*;
AzureFileVolumeSource
  readOnly=3 bool; secretName=1 string!; shareName=2 string!;
CephFSVolumeSource
  monitors=1 []string!; path=2 string; readOnly=6 bool; secretFile=4 string; secretRef=5 LocalObjectReference;
  user=3 string;
CinderVolumeSource
  fsType=2 string; readOnly=3 bool; secretRef=4 LocalObjectReference; volumeID=1 string!;
ConfigMapVolumeSource
  defaultMode=3 int32*; items=2 []KeyToPath; name=1.1 string; optional=4 bool*;
KeyToPath
  key=1 string!; mode=3 int32*; path=2 string!;
CSIVolumeSource
  driver=1 string!; fsType=3 string*; nodePublishSecretRef=5 LocalObjectReference; readOnly=2 bool*;
  volumeAttributes=4 {}string;
DownwardAPIVolumeSource
  defaultMode=2 int32*; items=1 []DownwardAPIVolumeFile;
DownwardAPIVolumeFile
  fieldRef=2 ObjectFieldSelector; mode=4 int32*; path=1 string!; resourceFieldRef=3 ResourceFieldSelector;
EmptyDirVolumeSource
  medium=1 string; sizeLimit=2 quantity;
EphemeralVolumeSource
  volumeClaimTemplate=1 PersistentVolumeClaimTemplate;
PersistentVolumeClaimTemplate
  metadata=1 ObjectMeta; spec=2 PersistentVolumeClaimSpec!+;
PersistentVolumeClaimSpec
  accessModes=1 []string; dataSource=7 TypedLocalObjectReference; dataSourceRef=8 TypedObjectReference;
  resources=2 VolumeResourceRequirements+; selector=4 LabelSelector; storageClassName=5 string*;
  volumeAttributesClassName=9 string*; volumeMode=6 string*; volumeName=3 string;
TypedLocalObjectReference atomic
  apiGroup=1 string*; kind=2 string!; name=3 string!;
TypedObjectReference
  apiGroup=1 string*; kind=2 string!; name=3 string!; namespace=4 string*;
VolumeResourceRequirements
  limits=1 {}quantity; requests=2 {}quantity;
FCVolumeSource
  fsType=3 string; lun=2 int32*; readOnly=4 bool; targetWWNs=1 []string; wwids=5 []string;
FlexVolumeSource
  driver=1 string!; fsType=2 string; options=5 {}string; readOnly=4 bool; secretRef=3 LocalObjectReference;
FlockerVolumeSource
  datasetName=1 string; datasetUUID=2 string;
GCEPersistentDiskVolumeSource
  fsType=2 string; partition=3 int32; pdName=1 string!; readOnly=4 bool;
GitRepoVolumeSource
  directory=3 string; repository=1 string!; revision=2 string;
GlusterfsVolumeSource
  endpoints=1 string!; path=2 string!; readOnly=3 bool;
HostPathVolumeSource
  path=1 string!; type=2 string*;
ImageVolumeSource
  pullPolicy=2 string; reference=1 string;
ISCSIVolumeSource
  chapAuthDiscovery=8 bool; chapAuthSession=11 bool; fsType=5 string; initiatorName=12 string*; iqn=2 string!;
  iscsiInterface=4 string; lun=3 int32!; portals=7 []string; readOnly=6 bool;
  secretRef=10 LocalObjectReference; targetPortal=1 string!;
NFSVolumeSource
  path=2 string!; readOnly=3 bool; server=1 string!;
PersistentVolumeClaimVolumeSource
  claimName=1 string!; readOnly=2 bool;
PhotonPersistentDiskVolumeSource
  fsType=2 string; pdID=1 string!;
PortworxVolumeSource
  fsType=2 string; readOnly=3 bool; volumeID=1 string!;
ProjectedVolumeSource
  defaultMode=2 int32*; sources=1 []VolumeProjection~;
VolumeProjection
  clusterTrustBundle=5 ClusterTrustBundleProjection; configMap=3 ConfigMapProjection;
  downwardAPI=2 DownwardAPIProjection; podCertificate PodCertificateProjection; secret=1 SecretProjection;
  serviceAccountToken=4 ServiceAccountTokenProjection;
ClusterTrustBundleProjection
  labelSelector=3 LabelSelector; name=1 string*; optional=5 bool*; path=4 string!; signerName=2 string*;
ConfigMapProjection
  items=2 []KeyToPath; name=1.1 string; optional=4 bool*;
DownwardAPIProjection
  items=1 []DownwardAPIVolumeFile;
PodCertificateProjection
  certificateChainPath string; credentialBundlePath string; keyPath string; keyType string!;
  maxExpirationSeconds int32*; signerName string!; userAnnotations {}string;
SecretProjection
  items=2 []KeyToPath; name=1.1 string; optional=4 bool*;
ServiceAccountTokenProjection
  audience=1 string; expirationSeconds=2 int64*; path=3 string!;
QuobyteVolumeSource
  group=5 string; readOnly=3 bool; registry=1 string!; tenant=6 string; user=4 string; volume=2 string!;
RBDVolumeSource
  fsType=3 string; image=2 string!; keyring=6 string; monitors=1 []string!; pool=4 string; readOnly=8 bool;
  secretRef=7 LocalObjectReference; user=5 string;
ScaleIOVolumeSource
  fsType=9 string; gateway=1 string!; protectionDomain=5 string; readOnly=10 bool;
  secretRef=3 LocalObjectReference!~; sslEnabled=4 bool; storageMode=7 string; storagePool=6 string;
  system=2 string!; volumeName=8 string;
SecretVolumeSource
  defaultMode=3 int32*; items=2 []KeyToPath; optional=4 bool*; secretName=1 string;
StorageOSVolumeSource
  fsType=3 string; readOnly=4 bool; secretRef=5 LocalObjectReference; volumeName=1 string;
  volumeNamespace=2 string;
VsphereVirtualDiskVolumeSource
  fsType=2 string; storagePolicyID=4 string; storagePolicyName=3 string; volumePath=1 string!;
PodStatus
  allocatedResources {}string; conditions=2 []PodCondition map:type patch:merge:type;
  containerStatuses=8 []ContainerStatus; ephemeralContainerStatuses=13 []ContainerStatus;
  extendedResourceClaimStatus PodExtendedResourceClaimStatus; hostIP=5 string;
  hostIPs=16 []HostIP patch:merge:ip; initContainerStatuses=10 []ContainerStatus; message=3 string;
  nodeAllocatableResourceClaimStatuses []NodeAllocatableResourceClaimStatus; nominatedNodeName=11 string;
  observedGeneration=17 int64; phase=1 string; podIP=6 string; podIPs=12 []PodIP map:ip patch:merge:ip;
  qosClass=9 string; reason=4 string; resize=14 string;
  resourceClaimStatuses=15 []PodResourceClaimStatus map:name patch:merge,retainKeys:name;
  resources ResourceRequirements; startTime=7 time;
PodCondition
  lastProbeTime=3 time~; lastTransitionTime=4 time~; message=6 string; observedGeneration=7 int64;
  reason=5 string; status=2 string!; type=1 string!;
ContainerStatus
  allocatedResources=10 {}quantity; allocatedResourcesStatus=14 []ResourceStatus patch:merge:name;
  containerID=8 string; image=6 string!; imageID=7 string!; lastState=3 ContainerState+; name=1 string!;
  ready=4 bool!; resources=11 ResourceRequirements; restartCount=5 int32!; started=9 bool*;
  state=2 ContainerState+; stopSignal=15 string; user=13 ContainerUser;
  volumeMounts=12 []VolumeMountStatus patch:merge:mountPath;
ResourceStatus
  name=1 string!; resources=2 []ResourceHealth;
ResourceHealth
  health=2 string; message string; resourceID=1 string!;
ContainerState
  running=2 ContainerStateRunning; terminated=3 ContainerStateTerminated; waiting=1 ContainerStateWaiting;
ContainerStateRunning
  startedAt=1 time;
ContainerStateTerminated
  containerID=7 string; exitCode=1 int32!; finishedAt=6 time; message=4 string; reason=3 string;
  signal=2 int32; startedAt=5 time;
ContainerStateWaiting
  message=2 string; reason=1 string;
ContainerUser
  linux=1 LinuxContainerUser;
LinuxContainerUser
  gid=2 int64!; supplementalGroups=3 []int64; uid=1 int64!;
VolumeMountStatus
  mountPath=2 string!; name=1 string!; readOnly=3 bool; recursiveReadOnly=4 string*;
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
  ip=1 string!;
NodeAllocatableResourceClaimStatus
  containers []string; resourceClaimName string!; resources {}string!;
PodIP
  ip=1 string!;
PodResourceClaimStatus
  name=1 string!; resourceClaimName=2 string*;
Node
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 NodeSpec+; status=3 NodeStatus+;
NodeSpec
  configSource=6 NodeConfigSource; externalID=2 string; podCIDR=1 string; podCIDRs=7 []string set patch:merge;
  providerID=3 string; taints=5 []Taint; unschedulable=4 bool;
NodeConfigSource
  configMap=2 ConfigMapNodeConfigSource;
ConfigMapNodeConfigSource
  kubeletConfigKey=5 string!; name=2 string!; namespace=1 string!; resourceVersion=4 string; uid=3 string;
Taint
  effect=3 string!; key=1 string!; timeAdded=4 time; value=2 string;
NodeStatus
  addresses=5 []NodeAddress map:type patch:merge:type; allocatable=2 {}quantity; capacity=1 {}quantity;
  conditions=4 []NodeCondition map:type patch:merge:type; config=11 NodeConfigStatus;
  daemonEndpoints=6 NodeDaemonEndpoints+; declaredFeatures []string; features=13 NodeFeatures;
  images=8 []ContainerImage; nodeInfo=7 NodeSystemInfo+; phase=3 string;
  runtimeHandlers=12 []NodeRuntimeHandler; volumesAttached=10 []AttachedVolume; volumesInUse=9 []string;
NodeAddress
  address=2 string!; type=1 string!;
NodeCondition
  lastHeartbeatTime=3 time~; lastTransitionTime=4 time~; message=6 string; reason=5 string; status=2 string!;
  type=1 string!;
NodeConfigStatus
  active=2 NodeConfigSource; assigned=1 NodeConfigSource; error=4 string; lastKnownGood=3 NodeConfigSource;
NodeDaemonEndpoints
  kubeletEndpoint=1 DaemonEndpoint+;
DaemonEndpoint
  Port=1 int32!;
NodeFeatures
  supplementalGroupsPolicy=1 bool*;
ContainerImage
  names=1 []string~; sizeBytes=2 int64;
NodeSystemInfo
  architecture=10 string!; bootID=3 string!; containerRuntimeVersion=6 string!; kernelVersion=4 string!;
  kubeProxyVersion=8 string!; kubeletVersion=7 string!; machineID=1 string!; operatingSystem=9 string!;
  osImage=5 string!; swap NodeSwapStatus; systemUUID=2 string!;
NodeSwapStatus
  capacity int64*;
NodeRuntimeHandler
  features=2 NodeRuntimeHandlerFeatures; name=1 string!;
NodeRuntimeHandlerFeatures
  recursiveReadOnlyMounts=1 bool*; userNamespaces=2 bool*;
AttachedVolume
  devicePath=2 string!; name=1 string!;
Namespace
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 NamespaceSpec+; status=3 NamespaceStatus+;
NamespaceSpec
  finalizers=1 []string;
NamespaceStatus
  conditions=2 []NamespaceCondition map:type patch:merge:type; phase=1 string;
NamespaceCondition
  lastTransitionTime=4 time; message=6 string; reason=5 string; status=2 string!; type=1 string!;
ConfigMap
  kind string; apiVersion string; metadata=1 ObjectMeta; binaryData=3 {}bytes; data=2 {}string;
  immutable=4 bool*;
Secret
  kind string; apiVersion string; metadata=1 ObjectMeta; data=2 {}bytes; immutable=5 bool*;
  stringData=4 {}string; type=3 string;
Service
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 ServiceSpec+; status=3 ServiceStatus+;
ServiceSpec
  allocateLoadBalancerNodePorts=20 bool*; clusterIP=3 string; clusterIPs=18 []string; externalIPs=5 []string;
  externalName=10 string; externalTrafficPolicy=11 string; healthCheckNodePort=12 int32;
  internalTrafficPolicy=22 string*; ipFamilies=19 []string; ipFamilyPolicy=17 string*;
  loadBalancerClass=21 string*; loadBalancerIP=8 string; loadBalancerSourceRanges=9 []string;
  ports=1 []ServicePort map:port,protocol patch:merge:port; publishNotReadyAddresses=13 bool;
  selector=2 {}string atomic; sessionAffinity=7 string; sessionAffinityConfig=14 SessionAffinityConfig;
  trafficDistribution=23 string*; type=4 string;
ServicePort
  appProtocol=6 string*; name=1 string; nodePort=5 int32; port=3 int32!; protocol=2 string;
  targetPort=4 intOrString;
SessionAffinityConfig
  clientIP=1 ClientIPConfig;
ClientIPConfig
  timeoutSeconds=1 int32*;
ServiceStatus
  conditions=2 []Condition map:type patch:merge:type; loadBalancer=1 LoadBalancerStatus+;
Condition
  lastTransitionTime=4 time!; message=6 string!; observedGeneration=3 int64; reason=5 string!;
  status=2 string!; type=1 string!;
LoadBalancerStatus
  ingress=1 []LoadBalancerIngress;
LoadBalancerIngress
  hostname=2 string; ip=1 string; ipMode=3 string*; ports=4 []PortStatus;
PortStatus
  error=3 string*; port=1 int32!; protocol=2 string!;
Endpoints
  kind string; apiVersion string; metadata=1 ObjectMeta; subsets=2 []EndpointSubset;
EndpointSubset
  addresses=1 []EndpointAddress; notReadyAddresses=2 []EndpointAddress; ports=3 []CoreV1EndpointPort;
EndpointAddress
  hostname=3 string; ip=1 string!; nodeName=4 string*; targetRef=2 ObjectReference;
ObjectReference atomic
  apiVersion=5 string; fieldPath=7 string; kind=1 string; name=3 string; namespace=2 string;
  resourceVersion=6 string; uid=4 string;
CoreV1EndpointPort
  appProtocol=4 string*; name=1 string; port=2 int32!; protocol=3 string;
ServiceAccount
  kind string; apiVersion string; metadata=1 ObjectMeta; automountServiceAccountToken=4 bool*;
  imagePullSecrets=3 []LocalObjectReference; secrets=2 []ObjectReference map:name patch:merge:name;
PersistentVolume
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 PersistentVolumeSpec+;
  status=3 PersistentVolumeStatus+;
PersistentVolumeSpec
  accessModes=3 []string; awsElasticBlockStore=2.2 AWSElasticBlockStoreVolumeSource;
  azureDisk=2.16 AzureDiskVolumeSource; azureFile=2.13 AzureFilePersistentVolumeSource; capacity=1 {}quantity;
  cephfs=2.9 CephFSPersistentVolumeSource; cinder=2.8 CinderPersistentVolumeSource;
  claimRef=4 ObjectReference; csi=2.22 CSIPersistentVolumeSource; fc=2.10 FCVolumeSource;
  flexVolume=2.12 FlexPersistentVolumeSource; flocker=2.11 FlockerVolumeSource;
  gcePersistentDisk=2.1 GCEPersistentDiskVolumeSource; glusterfs=2.4 GlusterfsPersistentVolumeSource;
  hostPath=2.3 HostPathVolumeSource; iscsi=2.7 ISCSIPersistentVolumeSource; local=2.20 LocalVolumeSource;
  mountOptions=7 []string; nfs=2.5 NFSVolumeSource; nodeAffinity=9 VolumeNodeAffinity;
  persistentVolumeReclaimPolicy=5 string; photonPersistentDisk=2.17 PhotonPersistentDiskVolumeSource;
  portworxVolume=2.18 PortworxVolumeSource; quobyte=2.15 QuobyteVolumeSource;
  rbd=2.6 RBDPersistentVolumeSource; scaleIO=2.19 ScaleIOPersistentVolumeSource; storageClassName=6 string;
  storageos=2.21 StorageOSPersistentVolumeSource; volumeAttributesClassName=10 string*; volumeMode=8 string*;
  vsphereVolume=2.14 VsphereVirtualDiskVolumeSource;
AzureFilePersistentVolumeSource
  readOnly=3 bool; secretName=1 string!; secretNamespace=4 string*; shareName=2 string!;
CephFSPersistentVolumeSource
  monitors=1 []string!; path=2 string; readOnly=6 bool; secretFile=4 string; secretRef=5 SecretReference;
  user=3 string;
SecretReference atomic
  name=1 string; namespace=2 string;
CinderPersistentVolumeSource
  fsType=2 string; readOnly=3 bool; secretRef=4 SecretReference; volumeID=1 string!;
CSIPersistentVolumeSource
  controllerExpandSecretRef=9 SecretReference; controllerPublishSecretRef=6 SecretReference; driver=1 string!;
  fsType=4 string; nodeExpandSecretRef=10 SecretReference; nodePublishSecretRef=8 SecretReference;
  nodeStageSecretRef=7 SecretReference; readOnly=3 bool; volumeAttributes=5 {}string; volumeHandle=2 string!;
FlexPersistentVolumeSource
  driver=1 string!; fsType=2 string; options=5 {}string; readOnly=4 bool; secretRef=3 SecretReference;
GlusterfsPersistentVolumeSource
  endpoints=1 string!; endpointsNamespace=4 string*; path=2 string!; readOnly=3 bool;
ISCSIPersistentVolumeSource
  chapAuthDiscovery=8 bool; chapAuthSession=11 bool; fsType=5 string; initiatorName=12 string*; iqn=2 string!;
  iscsiInterface=4 string; lun=3 int32!; portals=7 []string; readOnly=6 bool; secretRef=10 SecretReference;
  targetPortal=1 string!;
LocalVolumeSource
  fsType=2 string*; path=1 string!;
VolumeNodeAffinity
  required=1 NodeSelector;
RBDPersistentVolumeSource
  fsType=3 string; image=2 string!; keyring=6 string; monitors=1 []string!; pool=4 string; readOnly=8 bool;
  secretRef=7 SecretReference; user=5 string;
ScaleIOPersistentVolumeSource
  fsType=9 string; gateway=1 string!; protectionDomain=5 string; readOnly=10 bool;
  secretRef=3 SecretReference!~; sslEnabled=4 bool; storageMode=7 string; storagePool=6 string;
  system=2 string!; volumeName=8 string;
StorageOSPersistentVolumeSource
  fsType=3 string; readOnly=4 bool; secretRef=5 ObjectReference; volumeName=1 string;
  volumeNamespace=2 string;
PersistentVolumeStatus
  lastPhaseTransitionTime=4 time; message=2 string; phase=1 string; reason=3 string;
PersistentVolumeClaim
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 PersistentVolumeClaimSpec+;
  status=3 PersistentVolumeClaimStatus+;
PersistentVolumeClaimStatus
  accessModes=2 []string; allocatedResourceStatuses=7 {}string; allocatedResources=5 {}quantity;
  capacity=3 {}quantity; conditions=4 []PersistentVolumeClaimCondition map:type patch:merge:type;
  currentVolumeAttributesClassName=8 string*; modifyVolumeStatus=9 ModifyVolumeStatus; phase=1 string;
PersistentVolumeClaimCondition
  lastProbeTime=3 time; lastTransitionTime=4 time; message=6 string; reason=5 string; status=2 string!;
  type=1 string!;
ModifyVolumeStatus
  status=2 string!; targetVolumeAttributesClassName=1 string;
CoreV1Event
  kind string; apiVersion string; metadata=1 ObjectMeta!; action=12 string; count=8 int32;
  eventTime=10 microtime~; firstTimestamp=6 time~; involvedObject=2 ObjectReference!+; lastTimestamp=7 time~;
  message=4 string; reason=3 string; related=13 ObjectReference; reportingComponent=14 string!;
  reportingInstance=15 string!; series=11 CoreV1EventSeries; source=5 EventSource+; type=9 string;
CoreV1EventSeries
  count=1 int32; lastObservedTime=2 microtime;
EventSource
  component=1 string; host=2 string;
LimitRange
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 LimitRangeSpec+;
LimitRangeSpec
  limits=1 []LimitRangeItem!~;
LimitRangeItem
  default=4 {}quantity; defaultRequest=5 {}quantity; max=2 {}quantity; maxLimitRequestRatio=6 {}quantity;
  min=3 {}quantity; type=1 string!;
ResourceQuota
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 ResourceQuotaSpec+;
  status=3 ResourceQuotaStatus+;
ResourceQuotaSpec
  hard=1 {}quantity; scopeSelector=3 ScopeSelector; scopes=2 []string;
ScopeSelector atomic
  matchExpressions=1 []ScopedResourceSelectorRequirement;
ScopedResourceSelectorRequirement atomic
  operator=2 string!; scopeName=1 string!; values=3 []string;
ResourceQuotaStatus
  hard=1 {}quantity; used=2 {}quantity;
ReplicationController
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 ReplicationControllerSpec+;
  status=3 ReplicationControllerStatus+;
ReplicationControllerSpec
  minReadySeconds=4 int32; replicas=1 int32*; selector=2 {}string atomic; template=3 PodTemplateSpec;
PodTemplateSpec
  metadata=1 ObjectMeta+; spec=2 PodSpec+;
ReplicationControllerStatus
  availableReplicas=5 int32; conditions=6 []ReplicationControllerCondition map:type patch:merge:type;
  fullyLabeledReplicas=2 int32; observedGeneration=3 int64; readyReplicas=4 int32; replicas=1 int32!;
ReplicationControllerCondition
  lastTransitionTime=3 time; message=5 string; reason=4 string; status=2 string!; type=1 string!;
PodTemplate
  kind string; apiVersion string; metadata=1 ObjectMeta; template=2 PodTemplateSpec+;
Binding
  kind string; apiVersion string; metadata=1 ObjectMeta; target=2 ObjectReference!+;
ComponentStatus
  kind string; apiVersion string; metadata=1 ObjectMeta;
  conditions=2 []ComponentCondition map:type patch:merge:type;
ComponentCondition
  error=4 string; message=3 string; status=2 string!; type=1 string!;
Eviction
  kind string; apiVersion string; metadata=1 ObjectMeta; deleteOptions=2 DeleteOptions;
DeleteOptions
  apiVersion string; dryRun=5 []string; gracePeriodSeconds=1 int64*;
  ignoreStoreReadErrorWithClusterBreakingPotential=6 bool*; kind string; orphanDependents=3 bool*;
  preconditions=2 Preconditions; propagationPolicy=4 string;
Preconditions
  resourceVersion=2 string; uid=1 string;
AuthenticationV1TokenRequest
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 TokenRequestSpec+;
  status=3 TokenRequestStatus+;
TokenRequestSpec
  audiences=1 []string; boundObjectRef=3 BoundObjectReference; expirationSeconds=4 int64*;
BoundObjectReference
  apiVersion=2 string; kind=1 string; name=3 string; uid=4 string;
TokenRequestStatus
  expirationTimestamp=2 time; token=1 string;
Status
  apiVersion string; code=6 int32; details=5 StatusDetails; kind string; message=3 string;
  metadata=1 ListMeta; reason=4 string; status=2 string;
StatusDetails
  causes=4 []StatusCause; group=2 string; kind=3 string; name=1 string; retryAfterSeconds=5 int32*;
  uid=6 string;
StatusCause
  field=3 string; message=2 string; reason=1 string;
ListMeta
  continue=3 string; remainingItemCount=4 int64*; resourceVersion=2 string; selfLink=1 string;
  shardInfo ShardInfo;
ShardInfo
  selector string!;
Scale
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 ScaleSpec+; status=3 ScaleStatus+;
ScaleSpec
  replicas=1 int32*;
ScaleStatus
  replicas=1 int32!; selector=2 string;
`;
