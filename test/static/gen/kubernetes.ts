/** Made by scripts/generate-kubernetes-types.ts from packages/apiserver/src/registry/types; do not edit. */
export interface Described {
  readonly APIService: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['APIServiceSpec'];
    readonly status?: Described['APIServiceStatus'];
  };
  readonly APIServiceCondition: {
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly APIServiceSpec: {
    readonly caBundle?: string;
    readonly group?: string;
    readonly groupPriorityMinimum: number;
    readonly insecureSkipTLSVerify?: boolean;
    readonly service?: Described['ApiregistrationV1ServiceReference'];
    readonly version?: string;
    readonly versionPriority: number;
  };
  readonly APIServiceStatus: {
    readonly conditions?: readonly (Described['APIServiceCondition'])[];
  };
  readonly AWSElasticBlockStoreVolumeSource: {
    readonly fsType?: string;
    readonly partition?: number;
    readonly readOnly?: boolean;
    readonly volumeID: string;
  };
  readonly AdmissionregistrationV1ServiceReference: {
    readonly name: string;
    readonly namespace: string;
    readonly path?: string;
    readonly port?: number;
  };
  readonly AdmissionregistrationV1WebhookClientConfig: {
    readonly caBundle?: string;
    readonly service?: Described['AdmissionregistrationV1ServiceReference'];
    readonly url?: string;
  };
  readonly Affinity: {
    readonly nodeAffinity?: Described['NodeAffinity'];
    readonly podAffinity?: Described['PodAffinity'];
    readonly podAntiAffinity?: Described['PodAntiAffinity'];
  };
  readonly AggregationRule: {
    readonly clusterRoleSelectors?: readonly (Described['LabelSelector'])[];
  };
  readonly AllocatedDeviceStatus: {
    readonly conditions?: readonly (Described['Condition'])[];
    readonly data?: unknown;
    readonly device: string;
    readonly driver: string;
    readonly networkData?: Described['NetworkDeviceData'];
    readonly pool: string;
    readonly shareID?: string;
  };
  readonly AllocationResult: {
    readonly allocationTimestamp?: string;
    readonly devices?: Described['DeviceAllocationResult'];
    readonly nodeSelector?: Described['NodeSelector'];
  };
  readonly ApiextensionsV1ServiceReference: {
    readonly name: string;
    readonly namespace: string;
    readonly path?: string;
    readonly port?: number;
  };
  readonly ApiextensionsV1WebhookClientConfig: {
    readonly caBundle?: string;
    readonly service?: Described['ApiextensionsV1ServiceReference'];
    readonly url?: string;
  };
  readonly ApiregistrationV1ServiceReference: {
    readonly name?: string;
    readonly namespace?: string;
    readonly port?: number;
  };
  readonly AppArmorProfile: {
    readonly localhostProfile?: string;
    readonly type: string;
  };
  readonly ApplyConfiguration: {
    readonly expression?: string;
  };
  readonly AttachedVolume: {
    readonly devicePath: string;
    readonly name: string;
  };
  readonly AuditAnnotation: {
    readonly key: string;
    readonly valueExpression: string;
  };
  readonly AuthenticationV1TokenRequest: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['TokenRequestSpec'];
    readonly status?: Described['TokenRequestStatus'];
  };
  readonly AzureDiskVolumeSource: {
    readonly cachingMode?: string;
    readonly diskName: string;
    readonly diskURI: string;
    readonly fsType?: string;
    readonly kind?: string;
    readonly readOnly?: boolean;
  };
  readonly AzureFilePersistentVolumeSource: {
    readonly readOnly?: boolean;
    readonly secretName: string;
    readonly secretNamespace?: string;
    readonly shareName: string;
  };
  readonly AzureFileVolumeSource: {
    readonly readOnly?: boolean;
    readonly secretName: string;
    readonly shareName: string;
  };
  readonly Binding: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly target: Described['ObjectReference'];
  };
  readonly BoundObjectReference: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly uid?: string;
  };
  readonly CELDeviceSelector: {
    readonly expression: string;
  };
  readonly CSIDriver: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['CSIDriverSpec'];
  };
  readonly CSIDriverSpec: {
    readonly attachRequired?: boolean;
    readonly fsGroupPolicy?: string;
    readonly nodeAllocatableUpdatePeriodSeconds?: number;
    readonly podInfoOnMount?: boolean;
    readonly preventPodSchedulingIfMissing?: boolean;
    readonly requiresRepublish?: boolean;
    readonly seLinuxMount?: boolean;
    readonly serviceAccountTokenInSecrets?: boolean;
    readonly storageCapacity?: boolean;
    readonly tokenRequests?: readonly (Described['StorageV1TokenRequest'])[];
    readonly volumeLifecycleModes?: readonly (string)[];
  };
  readonly CSINode: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['CSINodeSpec'];
  };
  readonly CSINodeDriver: {
    readonly allocatable?: Described['VolumeNodeResources'];
    readonly name: string;
    readonly nodeID: string;
    readonly topologyKeys?: readonly (string)[];
  };
  readonly CSINodeSpec: {
    readonly drivers: readonly (Described['CSINodeDriver'])[];
  };
  readonly CSIPersistentVolumeSource: {
    readonly controllerExpandSecretRef?: Described['SecretReference'];
    readonly controllerPublishSecretRef?: Described['SecretReference'];
    readonly driver: string;
    readonly fsType?: string;
    readonly nodeExpandSecretRef?: Described['SecretReference'];
    readonly nodePublishSecretRef?: Described['SecretReference'];
    readonly nodeStageSecretRef?: Described['SecretReference'];
    readonly readOnly?: boolean;
    readonly volumeAttributes?: Readonly<Record<string, string>>;
    readonly volumeHandle: string;
  };
  readonly CSIStorageCapacity: {
    readonly apiVersion?: string;
    readonly capacity?: string | number;
    readonly kind?: string;
    readonly maximumVolumeSize?: string | number;
    readonly metadata?: Described['ObjectMeta'];
    readonly nodeTopology?: Described['LabelSelector'];
    readonly storageClassName: string;
  };
  readonly CSIVolumeSource: {
    readonly driver: string;
    readonly fsType?: string;
    readonly nodePublishSecretRef?: Described['LocalObjectReference'];
    readonly readOnly?: boolean;
    readonly volumeAttributes?: Readonly<Record<string, string>>;
  };
  readonly Capabilities: {
    readonly add?: readonly (string)[];
    readonly drop?: readonly (string)[];
  };
  readonly CapacityRequestPolicy: {
    readonly default?: string;
    readonly validRange?: Described['CapacityRequestPolicyRange'];
    readonly validValues?: readonly (string)[];
  };
  readonly CapacityRequestPolicyRange: {
    readonly max?: string;
    readonly min: string;
    readonly step?: string;
  };
  readonly CapacityRequirements: {
    readonly requests?: Readonly<Record<string, string>>;
  };
  readonly CephFSPersistentVolumeSource: {
    readonly monitors: readonly (string)[];
    readonly path?: string;
    readonly readOnly?: boolean;
    readonly secretFile?: string;
    readonly secretRef?: Described['SecretReference'];
    readonly user?: string;
  };
  readonly CephFSVolumeSource: {
    readonly monitors: readonly (string)[];
    readonly path?: string;
    readonly readOnly?: boolean;
    readonly secretFile?: string;
    readonly secretRef?: Described['LocalObjectReference'];
    readonly user?: string;
  };
  readonly CertificateSigningRequest: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['CertificateSigningRequestSpec'];
    readonly status?: Described['CertificateSigningRequestStatus'];
  };
  readonly CertificateSigningRequestCondition: {
    readonly lastTransitionTime?: string;
    readonly lastUpdateTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly CertificateSigningRequestSpec: {
    readonly expirationSeconds?: number;
    readonly extra?: Readonly<Record<string, readonly (string)[]>>;
    readonly groups?: readonly (string)[];
    readonly request: string;
    readonly signerName: string;
    readonly uid?: string;
    readonly usages?: readonly (string)[];
    readonly username?: string;
  };
  readonly CertificateSigningRequestStatus: {
    readonly certificate?: string;
    readonly conditions?: readonly (Described['CertificateSigningRequestCondition'])[];
  };
  readonly CinderPersistentVolumeSource: {
    readonly fsType?: string;
    readonly readOnly?: boolean;
    readonly secretRef?: Described['SecretReference'];
    readonly volumeID: string;
  };
  readonly CinderVolumeSource: {
    readonly fsType?: string;
    readonly readOnly?: boolean;
    readonly secretRef?: Described['LocalObjectReference'];
    readonly volumeID: string;
  };
  readonly ClientIPConfig: {
    readonly timeoutSeconds?: number;
  };
  readonly ClusterRole: {
    readonly aggregationRule?: Described['AggregationRule'];
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly rules?: readonly (Described['PolicyRule'])[];
  };
  readonly ClusterRoleBinding: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly roleRef: Described['RoleRef'];
    readonly subjects?: readonly (Described['RbacV1Subject'])[];
  };
  readonly ClusterTrustBundleProjection: {
    readonly labelSelector?: Described['LabelSelector'];
    readonly name?: string;
    readonly optional?: boolean;
    readonly path: string;
    readonly signerName?: string;
  };
  readonly ComponentCondition: {
    readonly error?: string;
    readonly message?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly ComponentStatus: {
    readonly apiVersion?: string;
    readonly conditions?: readonly (Described['ComponentCondition'])[];
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
  };
  readonly Condition: {
    readonly lastTransitionTime: string;
    readonly message: string;
    readonly observedGeneration?: number;
    readonly reason: string;
    readonly status: string;
    readonly type: string;
  };
  readonly ConfigMap: {
    readonly apiVersion?: string;
    readonly binaryData?: Readonly<Record<string, string>>;
    readonly data?: Readonly<Record<string, string>>;
    readonly immutable?: boolean;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
  };
  readonly ConfigMapEnvSource: {
    readonly name?: string;
    readonly optional?: boolean;
  };
  readonly ConfigMapKeySelector: {
    readonly key: string;
    readonly name?: string;
    readonly optional?: boolean;
  };
  readonly ConfigMapNodeConfigSource: {
    readonly kubeletConfigKey: string;
    readonly name: string;
    readonly namespace: string;
    readonly resourceVersion?: string;
    readonly uid?: string;
  };
  readonly ConfigMapProjection: {
    readonly items?: readonly (Described['KeyToPath'])[];
    readonly name?: string;
    readonly optional?: boolean;
  };
  readonly ConfigMapVolumeSource: {
    readonly defaultMode?: number;
    readonly items?: readonly (Described['KeyToPath'])[];
    readonly name?: string;
    readonly optional?: boolean;
  };
  readonly Container: {
    readonly args?: readonly (string)[];
    readonly command?: readonly (string)[];
    readonly env?: readonly (Described['EnvVar'])[];
    readonly envFrom?: readonly (Described['EnvFromSource'])[];
    readonly image?: string;
    readonly imagePullPolicy?: string;
    readonly lifecycle?: Described['Lifecycle'];
    readonly livenessProbe?: Described['Probe'];
    readonly name: string;
    readonly ports?: readonly (Described['ContainerPort'])[];
    readonly readinessProbe?: Described['Probe'];
    readonly resizePolicy?: readonly (Described['ContainerResizePolicy'])[];
    readonly resources?: Described['ResourceRequirements'];
    readonly restartPolicy?: string;
    readonly restartPolicyRules?: readonly (Described['ContainerRestartRule'])[];
    readonly securityContext?: Described['SecurityContext'];
    readonly startupProbe?: Described['Probe'];
    readonly stdin?: boolean;
    readonly stdinOnce?: boolean;
    readonly terminationMessagePath?: string;
    readonly terminationMessagePolicy?: string;
    readonly tty?: boolean;
    readonly volumeDevices?: readonly (Described['VolumeDevice'])[];
    readonly volumeMounts?: readonly (Described['VolumeMount'])[];
    readonly workingDir?: string;
  };
  readonly ContainerExtendedResourceRequest: {
    readonly containerName: string;
    readonly requestName: string;
    readonly resourceName: string;
  };
  readonly ContainerImage: {
    readonly names?: readonly (string)[];
    readonly sizeBytes?: number;
  };
  readonly ContainerMetrics: {
    readonly name: string;
    readonly usage?: Readonly<Record<string, string | number>>;
  };
  readonly ContainerPort: {
    readonly containerPort: number;
    readonly hostIP?: string;
    readonly hostPort?: number;
    readonly name?: string;
    readonly protocol?: string;
  };
  readonly ContainerResizePolicy: {
    readonly resourceName: string;
    readonly restartPolicy: string;
  };
  readonly ContainerRestartRule: {
    readonly action: string;
    readonly exitCodes?: Described['ContainerRestartRuleOnExitCodes'];
  };
  readonly ContainerRestartRuleOnExitCodes: {
    readonly operator: string;
    readonly values?: readonly (number)[];
  };
  readonly ContainerState: {
    readonly running?: Described['ContainerStateRunning'];
    readonly terminated?: Described['ContainerStateTerminated'];
    readonly waiting?: Described['ContainerStateWaiting'];
  };
  readonly ContainerStateRunning: {
    readonly startedAt?: string;
  };
  readonly ContainerStateTerminated: {
    readonly containerID?: string;
    readonly exitCode: number;
    readonly finishedAt?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly signal?: number;
    readonly startedAt?: string;
  };
  readonly ContainerStateWaiting: {
    readonly message?: string;
    readonly reason?: string;
  };
  readonly ContainerStatus: {
    readonly allocatedResources?: Readonly<Record<string, string | number>>;
    readonly allocatedResourcesStatus?: readonly (Described['ResourceStatus'])[];
    readonly containerID?: string;
    readonly image: string;
    readonly imageID: string;
    readonly lastState?: Described['ContainerState'];
    readonly name: string;
    readonly ready: boolean;
    readonly resources?: Described['ResourceRequirements'];
    readonly restartCount: number;
    readonly started?: boolean;
    readonly state?: Described['ContainerState'];
    readonly stopSignal?: string;
    readonly user?: Described['ContainerUser'];
    readonly volumeMounts?: readonly (Described['VolumeMountStatus'])[];
  };
  readonly ContainerUser: {
    readonly linux?: Described['LinuxContainerUser'];
  };
  readonly ControllerRevision: {
    readonly apiVersion?: string;
    readonly data?: unknown;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly revision: number;
  };
  readonly CoreV1EndpointPort: {
    readonly appProtocol?: string;
    readonly name?: string;
    readonly port: number;
    readonly protocol?: string;
  };
  readonly CoreV1Event: {
    readonly action?: string;
    readonly apiVersion?: string;
    readonly count?: number;
    readonly eventTime?: string;
    readonly firstTimestamp?: string;
    readonly involvedObject: Described['ObjectReference'];
    readonly kind?: string;
    readonly lastTimestamp?: string;
    readonly message?: string;
    readonly metadata: Described['ObjectMeta'];
    readonly reason?: string;
    readonly related?: Described['ObjectReference'];
    readonly reportingComponent: string;
    readonly reportingInstance: string;
    readonly series?: Described['CoreV1EventSeries'];
    readonly source?: Described['EventSource'];
    readonly type?: string;
  };
  readonly CoreV1EventSeries: {
    readonly count?: number;
    readonly lastObservedTime?: string;
  };
  readonly CoreV1ResourceClaim: {
    readonly name: string;
    readonly request?: string;
  };
  readonly Counter: {
    readonly value: string | number;
  };
  readonly CounterSet: {
    readonly counters: Readonly<Record<string, Described['Counter']>>;
    readonly name: string;
  };
  readonly CronJob: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['CronJobSpec'];
    readonly status?: Described['CronJobStatus'];
  };
  readonly CronJobSpec: {
    readonly concurrencyPolicy?: string;
    readonly failedJobsHistoryLimit?: number;
    readonly jobTemplate: Described['JobTemplateSpec'];
    readonly schedule: string;
    readonly startingDeadlineSeconds?: number;
    readonly successfulJobsHistoryLimit?: number;
    readonly suspend?: boolean;
    readonly timeZone?: string;
  };
  readonly CronJobStatus: {
    readonly active?: readonly (Described['ObjectReference'])[];
    readonly lastScheduleTime?: string;
    readonly lastSuccessfulTime?: string;
  };
  readonly CrossVersionObjectReference: {
    readonly apiVersion?: string;
    readonly kind: string;
    readonly name: string;
  };
  readonly CustomResourceColumnDefinition: {
    readonly description?: string;
    readonly format?: string;
    readonly jsonPath: string;
    readonly name: string;
    readonly priority?: number;
    readonly type: string;
  };
  readonly CustomResourceConversion: {
    readonly strategy: string;
    readonly webhook?: Described['WebhookConversion'];
  };
  readonly CustomResourceDefinition: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['CustomResourceDefinitionSpec'];
    readonly status?: Described['CustomResourceDefinitionStatus'];
  };
  readonly CustomResourceDefinitionCondition: {
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly observedGeneration?: number;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly CustomResourceDefinitionNames: {
    readonly categories?: readonly (string)[];
    readonly kind: string;
    readonly listKind?: string;
    readonly plural: string;
    readonly shortNames?: readonly (string)[];
    readonly singular?: string;
  };
  readonly CustomResourceDefinitionSpec: {
    readonly conversion?: Described['CustomResourceConversion'];
    readonly group: string;
    readonly names: Described['CustomResourceDefinitionNames'];
    readonly preserveUnknownFields?: boolean;
    readonly scope: string;
    readonly versions: readonly (Described['CustomResourceDefinitionVersion'])[];
  };
  readonly CustomResourceDefinitionStatus: {
    readonly acceptedNames?: Described['CustomResourceDefinitionNames'];
    readonly conditions?: readonly (Described['CustomResourceDefinitionCondition'])[];
    readonly observedGeneration?: number;
    readonly storedVersions?: readonly (string)[];
  };
  readonly CustomResourceDefinitionVersion: {
    readonly additionalPrinterColumns?: readonly (Described['CustomResourceColumnDefinition'])[];
    readonly deprecated?: boolean;
    readonly deprecationWarning?: string;
    readonly name: string;
    readonly schema?: Described['CustomResourceValidation'];
    readonly selectableFields?: readonly (Described['SelectableField'])[];
    readonly served: boolean;
    readonly storage: boolean;
    readonly subresources?: Described['CustomResourceSubresources'];
  };
  readonly CustomResourceSubresourceScale: {
    readonly labelSelectorPath?: string;
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
  };
  readonly CustomResourceSubresources: {
    readonly scale?: Described['CustomResourceSubresourceScale'];
    readonly status?: unknown;
  };
  readonly CustomResourceValidation: {
    readonly openAPIV3Schema?: Described['JSONSchemaProps'];
  };
  readonly DaemonEndpoint: {
    readonly Port: number;
  };
  readonly DaemonSet: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['DaemonSetSpec'];
    readonly status?: Described['DaemonSetStatus'];
  };
  readonly DaemonSetCondition: {
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly DaemonSetSpec: {
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly selector: Described['LabelSelector'];
    readonly template: Described['PodTemplateSpec'];
    readonly updateStrategy?: Described['DaemonSetUpdateStrategy'];
  };
  readonly DaemonSetStatus: {
    readonly collisionCount?: number;
    readonly conditions?: readonly (Described['DaemonSetCondition'])[];
    readonly currentNumberScheduled: number;
    readonly desiredNumberScheduled: number;
    readonly numberAvailable?: number;
    readonly numberMisscheduled: number;
    readonly numberReady: number;
    readonly numberUnavailable?: number;
    readonly observedGeneration?: number;
    readonly updatedNumberScheduled?: number;
  };
  readonly DaemonSetUpdateStrategy: {
    readonly rollingUpdate?: Described['RollingUpdateDaemonSet'];
    readonly type?: string;
  };
  readonly DeleteOptions: {
    readonly apiVersion?: string;
    readonly dryRun?: readonly (string)[];
    readonly gracePeriodSeconds?: number;
    readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
    readonly kind?: string;
    readonly orphanDependents?: boolean;
    readonly preconditions?: Described['Preconditions'];
    readonly propagationPolicy?: string;
  };
  readonly Deployment: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['DeploymentSpec'];
    readonly status?: Described['DeploymentStatus'];
  };
  readonly DeploymentCondition: {
    readonly lastTransitionTime?: string;
    readonly lastUpdateTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly DeploymentSpec: {
    readonly minReadySeconds?: number;
    readonly paused?: boolean;
    readonly progressDeadlineSeconds?: number;
    readonly replicas?: number;
    readonly revisionHistoryLimit?: number;
    readonly selector: Described['LabelSelector'];
    readonly strategy?: Described['DeploymentStrategy'];
    readonly template: Described['PodTemplateSpec'];
  };
  readonly DeploymentStatus: {
    readonly availableReplicas?: number;
    readonly collisionCount?: number;
    readonly conditions?: readonly (Described['DeploymentCondition'])[];
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly replicas?: number;
    readonly terminatingReplicas?: number;
    readonly unavailableReplicas?: number;
    readonly updatedReplicas?: number;
  };
  readonly DeploymentStrategy: {
    readonly rollingUpdate?: Described['RollingUpdateDeployment'];
    readonly type?: string;
  };
  readonly Device: {
    readonly allNodes?: boolean;
    readonly allowMultipleAllocations?: boolean;
    readonly attributes?: Readonly<Record<string, Described['DeviceAttribute']>>;
    readonly bindingConditions?: readonly (string)[];
    readonly bindingFailureConditions?: readonly (string)[];
    readonly bindsToNode?: boolean;
    readonly capacity?: Readonly<Record<string, Described['DeviceCapacity']>>;
    readonly consumesCounters?: readonly (Described['DeviceCounterConsumption'])[];
    readonly name: string;
    readonly nodeAllocatableResourceMappings?: Readonly<Record<string, Described['NodeAllocatableResourceMapping']>>;
    readonly nodeName?: string;
    readonly nodeSelector?: Described['NodeSelector'];
    readonly taints?: readonly (Described['DeviceTaint'])[];
  };
  readonly DeviceAllocationConfiguration: {
    readonly opaque?: Described['OpaqueDeviceConfiguration'];
    readonly requests?: readonly (string)[];
    readonly source: string;
  };
  readonly DeviceAllocationResult: {
    readonly config?: readonly (Described['DeviceAllocationConfiguration'])[];
    readonly results?: readonly (Described['DeviceRequestAllocationResult'])[];
  };
  readonly DeviceAttribute: {
    readonly bool?: boolean;
    readonly bools?: readonly (boolean)[];
    readonly int?: number;
    readonly ints?: readonly (number)[];
    readonly string?: string;
    readonly strings?: readonly (string)[];
    readonly version?: string;
    readonly versions?: readonly (string)[];
  };
  readonly DeviceCapacity: {
    readonly requestPolicy?: Described['CapacityRequestPolicy'];
    readonly value: string | number;
  };
  readonly DeviceClaim: {
    readonly config?: readonly (Described['DeviceClaimConfiguration'])[];
    readonly constraints?: readonly (Described['DeviceConstraint'])[];
    readonly requests?: readonly (Described['DeviceRequest'])[];
  };
  readonly DeviceClaimConfiguration: {
    readonly opaque?: Described['OpaqueDeviceConfiguration'];
    readonly requests?: readonly (string)[];
  };
  readonly DeviceClass: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['DeviceClassSpec'];
  };
  readonly DeviceClassConfiguration: {
    readonly opaque?: Described['OpaqueDeviceConfiguration'];
  };
  readonly DeviceClassSpec: {
    readonly config?: readonly (Described['DeviceClassConfiguration'])[];
    readonly extendedResourceName?: string;
    readonly selectors?: readonly (Described['DeviceSelector'])[];
  };
  readonly DeviceConstraint: {
    readonly distinctAttribute?: string;
    readonly matchAttribute?: string;
    readonly requests?: readonly (string)[];
  };
  readonly DeviceCounterConsumption: {
    readonly counterSet: string;
    readonly counters: Readonly<Record<string, Described['Counter']>>;
  };
  readonly DeviceRequest: {
    readonly exactly?: Described['ExactDeviceRequest'];
    readonly firstAvailable?: readonly (Described['DeviceSubRequest'])[];
    readonly name: string;
  };
  readonly DeviceRequestAllocationResult: {
    readonly adminAccess?: boolean;
    readonly bindingConditions?: readonly (string)[];
    readonly bindingFailureConditions?: readonly (string)[];
    readonly consumedCapacity?: Readonly<Record<string, string>>;
    readonly device: string;
    readonly driver: string;
    readonly pool: string;
    readonly request: string;
    readonly shareID?: string;
    readonly tolerations?: readonly (Described['DeviceToleration'])[];
  };
  readonly DeviceSelector: {
    readonly cel?: Described['CELDeviceSelector'];
  };
  readonly DeviceSubRequest: {
    readonly allocationMode?: string;
    readonly capacity?: Described['CapacityRequirements'];
    readonly count?: number;
    readonly deviceClassName: string;
    readonly name: string;
    readonly selectors?: readonly (Described['DeviceSelector'])[];
    readonly tolerations?: readonly (Described['DeviceToleration'])[];
  };
  readonly DeviceTaint: {
    readonly effect: string;
    readonly key: string;
    readonly timeAdded?: string;
    readonly value?: string;
  };
  readonly DeviceToleration: {
    readonly effect?: string;
    readonly key?: string;
    readonly operator?: string;
    readonly tolerationSeconds?: number;
    readonly value?: string;
  };
  readonly DiscoveryV1EndpointPort: {
    readonly appProtocol?: string;
    readonly name?: string;
    readonly port?: number;
    readonly protocol?: string;
  };
  readonly DownwardAPIProjection: {
    readonly items?: readonly (Described['DownwardAPIVolumeFile'])[];
  };
  readonly DownwardAPIVolumeFile: {
    readonly fieldRef?: Described['ObjectFieldSelector'];
    readonly mode?: number;
    readonly path: string;
    readonly resourceFieldRef?: Described['ResourceFieldSelector'];
  };
  readonly DownwardAPIVolumeSource: {
    readonly defaultMode?: number;
    readonly items?: readonly (Described['DownwardAPIVolumeFile'])[];
  };
  readonly EmptyDirVolumeSource: {
    readonly medium?: string;
    readonly sizeLimit?: string | number;
  };
  readonly Endpoint: {
    readonly addresses: readonly (string)[];
    readonly conditions?: Described['EndpointConditions'];
    readonly deprecatedTopology?: Readonly<Record<string, string>>;
    readonly hints?: Described['EndpointHints'];
    readonly hostname?: string;
    readonly nodeName?: string;
    readonly targetRef?: Described['ObjectReference'];
    readonly zone?: string;
  };
  readonly EndpointAddress: {
    readonly hostname?: string;
    readonly ip: string;
    readonly nodeName?: string;
    readonly targetRef?: Described['ObjectReference'];
  };
  readonly EndpointConditions: {
    readonly ready?: boolean;
    readonly serving?: boolean;
    readonly terminating?: boolean;
  };
  readonly EndpointHints: {
    readonly forNodes?: readonly (Described['ForNode'])[];
    readonly forZones?: readonly (Described['ForZone'])[];
  };
  readonly EndpointSlice: {
    readonly addressType: string;
    readonly apiVersion?: string;
    readonly endpoints?: readonly (Described['Endpoint'])[];
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly ports?: readonly (Described['DiscoveryV1EndpointPort'])[];
  };
  readonly EndpointSubset: {
    readonly addresses?: readonly (Described['EndpointAddress'])[];
    readonly notReadyAddresses?: readonly (Described['EndpointAddress'])[];
    readonly ports?: readonly (Described['CoreV1EndpointPort'])[];
  };
  readonly Endpoints: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly subsets?: readonly (Described['EndpointSubset'])[];
  };
  readonly EnvFromSource: {
    readonly configMapRef?: Described['ConfigMapEnvSource'];
    readonly prefix?: string;
    readonly secretRef?: Described['SecretEnvSource'];
  };
  readonly EnvVar: {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: Described['EnvVarSource'];
  };
  readonly EnvVarSource: {
    readonly configMapKeyRef?: Described['ConfigMapKeySelector'];
    readonly fieldRef?: Described['ObjectFieldSelector'];
    readonly fileKeyRef?: Described['FileKeySelector'];
    readonly resourceFieldRef?: Described['ResourceFieldSelector'];
    readonly secretKeyRef?: Described['SecretKeySelector'];
  };
  readonly EphemeralContainer: {
    readonly args?: readonly (string)[];
    readonly command?: readonly (string)[];
    readonly env?: readonly (Described['EnvVar'])[];
    readonly envFrom?: readonly (Described['EnvFromSource'])[];
    readonly image?: string;
    readonly imagePullPolicy?: string;
    readonly lifecycle?: Described['Lifecycle'];
    readonly livenessProbe?: Described['Probe'];
    readonly name: string;
    readonly ports?: readonly (Described['ContainerPort'])[];
    readonly readinessProbe?: Described['Probe'];
    readonly resizePolicy?: readonly (Described['ContainerResizePolicy'])[];
    readonly resources?: Described['ResourceRequirements'];
    readonly restartPolicy?: string;
    readonly restartPolicyRules?: readonly (Described['ContainerRestartRule'])[];
    readonly securityContext?: Described['SecurityContext'];
    readonly startupProbe?: Described['Probe'];
    readonly stdin?: boolean;
    readonly stdinOnce?: boolean;
    readonly targetContainerName?: string;
    readonly terminationMessagePath?: string;
    readonly terminationMessagePolicy?: string;
    readonly tty?: boolean;
    readonly volumeDevices?: readonly (Described['VolumeDevice'])[];
    readonly volumeMounts?: readonly (Described['VolumeMount'])[];
    readonly workingDir?: string;
  };
  readonly EphemeralVolumeSource: {
    readonly volumeClaimTemplate?: Described['PersistentVolumeClaimTemplate'];
  };
  readonly EventSource: {
    readonly component?: string;
    readonly host?: string;
  };
  readonly EventsV1Event: {
    readonly action?: string;
    readonly apiVersion?: string;
    readonly deprecatedCount?: number;
    readonly deprecatedFirstTimestamp?: string;
    readonly deprecatedLastTimestamp?: string;
    readonly deprecatedSource?: Described['EventSource'];
    readonly eventTime: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly note?: string;
    readonly reason?: string;
    readonly regarding?: Described['ObjectReference'];
    readonly related?: Described['ObjectReference'];
    readonly reportingController?: string;
    readonly reportingInstance?: string;
    readonly series?: Described['EventsV1EventSeries'];
    readonly type?: string;
  };
  readonly EventsV1EventSeries: {
    readonly count: number;
    readonly lastObservedTime: string;
  };
  readonly Eviction: {
    readonly apiVersion?: string;
    readonly deleteOptions?: Described['DeleteOptions'];
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
  };
  readonly ExactDeviceRequest: {
    readonly adminAccess?: boolean;
    readonly allocationMode?: string;
    readonly capacity?: Described['CapacityRequirements'];
    readonly count?: number;
    readonly deviceClassName: string;
    readonly selectors?: readonly (Described['DeviceSelector'])[];
    readonly tolerations?: readonly (Described['DeviceToleration'])[];
  };
  readonly ExecAction: {
    readonly command?: readonly (string)[];
  };
  readonly ExemptPriorityLevelConfiguration: {
    readonly lendablePercent?: number;
    readonly nominalConcurrencyShares?: number;
  };
  readonly ExpressionWarning: {
    readonly fieldRef: string;
    readonly warning: string;
  };
  readonly ExternalDocumentation: {
    readonly description?: string;
    readonly url?: string;
  };
  readonly FCVolumeSource: {
    readonly fsType?: string;
    readonly lun?: number;
    readonly readOnly?: boolean;
    readonly targetWWNs?: readonly (string)[];
    readonly wwids?: readonly (string)[];
  };
  readonly FieldSelectorAttributes: {
    readonly rawSelector?: string;
    readonly requirements?: readonly (Described['FieldSelectorRequirement'])[];
  };
  readonly FieldSelectorRequirement: {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly (string)[];
  };
  readonly FileKeySelector: {
    readonly key: string;
    readonly optional?: boolean;
    readonly path: string;
    readonly volumeName: string;
  };
  readonly FlexPersistentVolumeSource: {
    readonly driver: string;
    readonly fsType?: string;
    readonly options?: Readonly<Record<string, string>>;
    readonly readOnly?: boolean;
    readonly secretRef?: Described['SecretReference'];
  };
  readonly FlexVolumeSource: {
    readonly driver: string;
    readonly fsType?: string;
    readonly options?: Readonly<Record<string, string>>;
    readonly readOnly?: boolean;
    readonly secretRef?: Described['LocalObjectReference'];
  };
  readonly FlockerVolumeSource: {
    readonly datasetName?: string;
    readonly datasetUUID?: string;
  };
  readonly FlowDistinguisherMethod: {
    readonly type: string;
  };
  readonly FlowSchema: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['FlowSchemaSpec'];
    readonly status?: Described['FlowSchemaStatus'];
  };
  readonly FlowSchemaCondition: {
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status?: string;
    readonly type?: string;
  };
  readonly FlowSchemaSpec: {
    readonly distinguisherMethod?: Described['FlowDistinguisherMethod'];
    readonly matchingPrecedence: number;
    readonly priorityLevelConfiguration: Described['PriorityLevelConfigurationReference'];
    readonly rules?: readonly (Described['PolicyRulesWithSubjects'])[];
  };
  readonly FlowSchemaStatus: {
    readonly conditions?: readonly (Described['FlowSchemaCondition'])[];
  };
  readonly FlowcontrolV1Subject: {
    readonly group?: Described['GroupSubject'];
    readonly kind: string;
    readonly serviceAccount?: Described['ServiceAccountSubject'];
    readonly user?: Described['UserSubject'];
  };
  readonly ForNode: {
    readonly name: string;
  };
  readonly ForZone: {
    readonly name: string;
  };
  readonly GCEPersistentDiskVolumeSource: {
    readonly fsType?: string;
    readonly partition?: number;
    readonly pdName: string;
    readonly readOnly?: boolean;
  };
  readonly GRPCAction: {
    readonly port: number;
    readonly service?: string;
  };
  readonly GitRepoVolumeSource: {
    readonly directory?: string;
    readonly repository: string;
    readonly revision?: string;
  };
  readonly GlusterfsPersistentVolumeSource: {
    readonly endpoints: string;
    readonly endpointsNamespace?: string;
    readonly path: string;
    readonly readOnly?: boolean;
  };
  readonly GlusterfsVolumeSource: {
    readonly endpoints: string;
    readonly path: string;
    readonly readOnly?: boolean;
  };
  readonly GroupSubject: {
    readonly name: string;
  };
  readonly HTTPGetAction: {
    readonly host?: string;
    readonly httpHeaders?: readonly (Described['HTTPHeader'])[];
    readonly path?: string;
    readonly port: string | number;
    readonly scheme?: string;
  };
  readonly HTTPHeader: {
    readonly name: string;
    readonly value: string;
  };
  readonly HTTPIngressPath: {
    readonly backend: Described['IngressBackend'];
    readonly path?: string;
    readonly pathType: string;
  };
  readonly HTTPIngressRuleValue: {
    readonly paths: readonly (Described['HTTPIngressPath'])[];
  };
  readonly HorizontalPodAutoscaler: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['HorizontalPodAutoscalerSpec'];
    readonly status?: Described['HorizontalPodAutoscalerStatus'];
  };
  readonly HorizontalPodAutoscalerSpec: {
    readonly maxReplicas: number;
    readonly minReplicas?: number;
    readonly scaleTargetRef: Described['CrossVersionObjectReference'];
    readonly targetCPUUtilizationPercentage?: number;
  };
  readonly HorizontalPodAutoscalerStatus: {
    readonly currentCPUUtilizationPercentage?: number;
    readonly currentReplicas: number;
    readonly desiredReplicas: number;
    readonly lastScaleTime?: string;
    readonly observedGeneration?: number;
  };
  readonly HostAlias: {
    readonly hostnames?: readonly (string)[];
    readonly ip: string;
  };
  readonly HostIP: {
    readonly ip: string;
  };
  readonly HostPathVolumeSource: {
    readonly path: string;
    readonly type?: string;
  };
  readonly IPAddress: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['IPAddressSpec'];
  };
  readonly IPAddressSpec: {
    readonly parentRef: Described['ParentReference'];
  };
  readonly IPBlock: {
    readonly cidr: string;
    readonly except?: readonly (string)[];
  };
  readonly ISCSIPersistentVolumeSource: {
    readonly chapAuthDiscovery?: boolean;
    readonly chapAuthSession?: boolean;
    readonly fsType?: string;
    readonly initiatorName?: string;
    readonly iqn: string;
    readonly iscsiInterface?: string;
    readonly lun: number;
    readonly portals?: readonly (string)[];
    readonly readOnly?: boolean;
    readonly secretRef?: Described['SecretReference'];
    readonly targetPortal: string;
  };
  readonly ISCSIVolumeSource: {
    readonly chapAuthDiscovery?: boolean;
    readonly chapAuthSession?: boolean;
    readonly fsType?: string;
    readonly initiatorName?: string;
    readonly iqn: string;
    readonly iscsiInterface?: string;
    readonly lun: number;
    readonly portals?: readonly (string)[];
    readonly readOnly?: boolean;
    readonly secretRef?: Described['LocalObjectReference'];
    readonly targetPortal: string;
  };
  readonly ImageVolumeSource: {
    readonly pullPolicy?: string;
    readonly reference?: string;
  };
  readonly ImageVolumeStatus: {
    readonly imageRef: string;
  };
  readonly Ingress: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['IngressSpec'];
    readonly status?: Described['IngressStatus'];
  };
  readonly IngressBackend: {
    readonly resource?: Described['TypedLocalObjectReference'];
    readonly service?: Described['IngressServiceBackend'];
  };
  readonly IngressClass: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['IngressClassSpec'];
  };
  readonly IngressClassParametersReference: {
    readonly apiGroup?: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
    readonly scope?: string;
  };
  readonly IngressClassSpec: {
    readonly controller?: string;
    readonly parameters?: Described['IngressClassParametersReference'];
  };
  readonly IngressLoadBalancerIngress: {
    readonly hostname?: string;
    readonly ip?: string;
    readonly ports?: readonly (Described['IngressPortStatus'])[];
  };
  readonly IngressLoadBalancerStatus: {
    readonly ingress?: readonly (Described['IngressLoadBalancerIngress'])[];
  };
  readonly IngressPortStatus: {
    readonly error?: string;
    readonly port: number;
    readonly protocol: string;
  };
  readonly IngressRule: {
    readonly host?: string;
    readonly http?: Described['HTTPIngressRuleValue'];
  };
  readonly IngressServiceBackend: {
    readonly name: string;
    readonly port?: Described['ServiceBackendPort'];
  };
  readonly IngressSpec: {
    readonly defaultBackend?: Described['IngressBackend'];
    readonly ingressClassName?: string;
    readonly rules?: readonly (Described['IngressRule'])[];
    readonly tls?: readonly (Described['IngressTLS'])[];
  };
  readonly IngressStatus: {
    readonly loadBalancer?: Described['IngressLoadBalancerStatus'];
  };
  readonly IngressTLS: {
    readonly hosts?: readonly (string)[];
    readonly secretName?: string;
  };
  readonly JSONPatch: {
    readonly expression?: string;
  };
  readonly JSONSchemaProps: {
    readonly '$ref'?: string;
    readonly '$schema'?: string;
    readonly additionalItems?: unknown;
    readonly additionalProperties?: unknown;
    readonly allOf?: readonly (Described['JSONSchemaProps'])[];
    readonly anyOf?: readonly (Described['JSONSchemaProps'])[];
    readonly default?: unknown;
    readonly definitions?: Readonly<Record<string, Described['JSONSchemaProps']>>;
    readonly dependencies?: Readonly<Record<string, unknown>>;
    readonly description?: string;
    readonly enum?: readonly (unknown)[];
    readonly example?: unknown;
    readonly exclusiveMaximum?: boolean;
    readonly exclusiveMinimum?: boolean;
    readonly externalDocs?: Described['ExternalDocumentation'];
    readonly format?: string;
    readonly id?: string;
    readonly items?: unknown;
    readonly maxItems?: number;
    readonly maxLength?: number;
    readonly maxProperties?: number;
    readonly maximum?: number;
    readonly minItems?: number;
    readonly minLength?: number;
    readonly minProperties?: number;
    readonly minimum?: number;
    readonly multipleOf?: number;
    readonly not?: Described['JSONSchemaProps'];
    readonly nullable?: boolean;
    readonly oneOf?: readonly (Described['JSONSchemaProps'])[];
    readonly pattern?: string;
    readonly patternProperties?: Readonly<Record<string, Described['JSONSchemaProps']>>;
    readonly properties?: Readonly<Record<string, Described['JSONSchemaProps']>>;
    readonly required?: readonly (string)[];
    readonly title?: string;
    readonly type?: string;
    readonly uniqueItems?: boolean;
    readonly 'x-kubernetes-embedded-resource'?: boolean;
    readonly 'x-kubernetes-int-or-string'?: boolean;
    readonly 'x-kubernetes-list-map-keys'?: readonly (string)[];
    readonly 'x-kubernetes-list-type'?: string;
    readonly 'x-kubernetes-map-type'?: string;
    readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
    readonly 'x-kubernetes-validations'?: readonly (Described['ValidationRule'])[];
  };
  readonly Job: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['JobSpec'];
    readonly status?: Described['JobStatus'];
  };
  readonly JobCondition: {
    readonly lastProbeTime?: string;
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly JobSpec: {
    readonly activeDeadlineSeconds?: number;
    readonly backoffLimit?: number;
    readonly backoffLimitPerIndex?: number;
    readonly completionMode?: string;
    readonly completions?: number;
    readonly managedBy?: string;
    readonly manualSelector?: boolean;
    readonly maxFailedIndexes?: number;
    readonly parallelism?: number;
    readonly podFailurePolicy?: Described['PodFailurePolicy'];
    readonly podReplacementPolicy?: string;
    readonly selector?: Described['LabelSelector'];
    readonly successPolicy?: Described['SuccessPolicy'];
    readonly suspend?: boolean;
    readonly template: Described['PodTemplateSpec'];
    readonly ttlSecondsAfterFinished?: number;
  };
  readonly JobStatus: {
    readonly active?: number;
    readonly completedIndexes?: string;
    readonly completionTime?: string;
    readonly conditions?: readonly (Described['JobCondition'])[];
    readonly failed?: number;
    readonly failedIndexes?: string;
    readonly ready?: number;
    readonly startTime?: string;
    readonly succeeded?: number;
    readonly terminating?: number;
    readonly uncountedTerminatedPods?: Described['UncountedTerminatedPods'];
  };
  readonly JobTemplateSpec: {
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['JobSpec'];
  };
  readonly KeyToPath: {
    readonly key: string;
    readonly mode?: number;
    readonly path: string;
  };
  readonly LabelSelector: {
    readonly matchExpressions?: readonly (Described['LabelSelectorRequirement'])[];
    readonly matchLabels?: Readonly<Record<string, string>>;
  };
  readonly LabelSelectorAttributes: {
    readonly rawSelector?: string;
    readonly requirements?: readonly (Described['LabelSelectorRequirement'])[];
  };
  readonly LabelSelectorRequirement: {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly (string)[];
  };
  readonly Lease: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['LeaseSpec'];
  };
  readonly LeaseSpec: {
    readonly acquireTime?: string;
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly leaseTransitions?: number;
    readonly preferredHolder?: string;
    readonly renewTime?: string;
    readonly strategy?: string;
  };
  readonly Lifecycle: {
    readonly postStart?: Described['LifecycleHandler'];
    readonly preStop?: Described['LifecycleHandler'];
    readonly stopSignal?: string;
  };
  readonly LifecycleHandler: {
    readonly exec?: Described['ExecAction'];
    readonly httpGet?: Described['HTTPGetAction'];
    readonly sleep?: Described['SleepAction'];
    readonly tcpSocket?: Described['TCPSocketAction'];
  };
  readonly LimitRange: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['LimitRangeSpec'];
  };
  readonly LimitRangeItem: {
    readonly default?: Readonly<Record<string, string | number>>;
    readonly defaultRequest?: Readonly<Record<string, string | number>>;
    readonly max?: Readonly<Record<string, string | number>>;
    readonly maxLimitRequestRatio?: Readonly<Record<string, string | number>>;
    readonly min?: Readonly<Record<string, string | number>>;
    readonly type: string;
  };
  readonly LimitRangeSpec: {
    readonly limits: readonly (Described['LimitRangeItem'])[];
  };
  readonly LimitResponse: {
    readonly queuing?: Described['QueuingConfiguration'];
    readonly type: string;
  };
  readonly LimitedPriorityLevelConfiguration: {
    readonly borrowingLimitPercent?: number;
    readonly lendablePercent?: number;
    readonly limitResponse?: Described['LimitResponse'];
    readonly nominalConcurrencyShares?: number;
  };
  readonly LinuxContainerUser: {
    readonly gid: number;
    readonly supplementalGroups?: readonly (number)[];
    readonly uid: number;
  };
  readonly ListMeta: {
    readonly continue?: string;
    readonly remainingItemCount?: number;
    readonly resourceVersion?: string;
    readonly selfLink?: string;
    readonly shardInfo?: Described['ShardInfo'];
  };
  readonly LoadBalancerIngress: {
    readonly hostname?: string;
    readonly ip?: string;
    readonly ipMode?: string;
    readonly ports?: readonly (Described['PortStatus'])[];
  };
  readonly LoadBalancerStatus: {
    readonly ingress?: readonly (Described['LoadBalancerIngress'])[];
  };
  readonly LocalObjectReference: {
    readonly name?: string;
  };
  readonly LocalSubjectAccessReview: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['SubjectAccessReviewSpec'];
    readonly status?: Described['SubjectAccessReviewStatus'];
  };
  readonly LocalVolumeSource: {
    readonly fsType?: string;
    readonly path: string;
  };
  readonly ManagedFieldsEntry: {
    readonly apiVersion?: string;
    readonly fieldsType?: string;
    readonly fieldsV1?: unknown;
    readonly manager?: string;
    readonly operation?: string;
    readonly subresource?: string;
    readonly time?: string;
  };
  readonly MatchCondition: {
    readonly expression: string;
    readonly name: string;
  };
  readonly MatchResources: {
    readonly excludeResourceRules?: readonly (Described['NamedRuleWithOperations'])[];
    readonly matchPolicy?: string;
    readonly namespaceSelector?: Described['LabelSelector'];
    readonly objectSelector?: Described['LabelSelector'];
    readonly resourceRules?: readonly (Described['NamedRuleWithOperations'])[];
  };
  readonly ModifyVolumeStatus: {
    readonly status: string;
    readonly targetVolumeAttributesClassName?: string;
  };
  readonly MutatingAdmissionPolicy: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['MutatingAdmissionPolicySpec'];
  };
  readonly MutatingAdmissionPolicyBinding: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['MutatingAdmissionPolicyBindingSpec'];
  };
  readonly MutatingAdmissionPolicyBindingSpec: {
    readonly matchResources?: Described['MatchResources'];
    readonly paramRef?: Described['ParamRef'];
    readonly policyName?: string;
  };
  readonly MutatingAdmissionPolicySpec: {
    readonly failurePolicy?: string;
    readonly matchConditions?: readonly (Described['MatchCondition'])[];
    readonly matchConstraints?: Described['MatchResources'];
    readonly mutations?: readonly (Described['Mutation'])[];
    readonly paramKind?: Described['ParamKind'];
    readonly reinvocationPolicy?: string;
    readonly variables?: readonly (Described['Variable'])[];
  };
  readonly MutatingWebhook: {
    readonly admissionReviewVersions: readonly (string)[];
    readonly clientConfig: Described['AdmissionregistrationV1WebhookClientConfig'];
    readonly failurePolicy?: string;
    readonly matchConditions?: readonly (Described['MatchCondition'])[];
    readonly matchPolicy?: string;
    readonly name: string;
    readonly namespaceSelector?: Described['LabelSelector'];
    readonly objectSelector?: Described['LabelSelector'];
    readonly reinvocationPolicy?: string;
    readonly rules?: readonly (Described['RuleWithOperations'])[];
    readonly sideEffects: string;
    readonly timeoutSeconds?: number;
  };
  readonly MutatingWebhookConfiguration: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly webhooks?: readonly (Described['MutatingWebhook'])[];
  };
  readonly Mutation: {
    readonly applyConfiguration?: Described['ApplyConfiguration'];
    readonly jsonPatch?: Described['JSONPatch'];
    readonly patchType: string;
  };
  readonly NFSVolumeSource: {
    readonly path: string;
    readonly readOnly?: boolean;
    readonly server: string;
  };
  readonly NamedRuleWithOperations: {
    readonly apiGroups?: readonly (string)[];
    readonly apiVersions?: readonly (string)[];
    readonly operations?: readonly (string)[];
    readonly resourceNames?: readonly (string)[];
    readonly resources?: readonly (string)[];
    readonly scope?: string;
  };
  readonly Namespace: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['NamespaceSpec'];
    readonly status?: Described['NamespaceStatus'];
  };
  readonly NamespaceCondition: {
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly NamespaceSpec: {
    readonly finalizers?: readonly (string)[];
  };
  readonly NamespaceStatus: {
    readonly conditions?: readonly (Described['NamespaceCondition'])[];
    readonly phase?: string;
  };
  readonly NetworkDeviceData: {
    readonly hardwareAddress?: string;
    readonly interfaceName?: string;
    readonly ips?: readonly (string)[];
  };
  readonly NetworkPolicy: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['NetworkPolicySpec'];
  };
  readonly NetworkPolicyEgressRule: {
    readonly ports?: readonly (Described['NetworkPolicyPort'])[];
    readonly to?: readonly (Described['NetworkPolicyPeer'])[];
  };
  readonly NetworkPolicyIngressRule: {
    readonly from?: readonly (Described['NetworkPolicyPeer'])[];
    readonly ports?: readonly (Described['NetworkPolicyPort'])[];
  };
  readonly NetworkPolicyPeer: {
    readonly ipBlock?: Described['IPBlock'];
    readonly namespaceSelector?: Described['LabelSelector'];
    readonly podSelector?: Described['LabelSelector'];
  };
  readonly NetworkPolicyPort: {
    readonly endPort?: number;
    readonly port?: string | number;
    readonly protocol?: string;
  };
  readonly NetworkPolicySpec: {
    readonly egress?: readonly (Described['NetworkPolicyEgressRule'])[];
    readonly ingress?: readonly (Described['NetworkPolicyIngressRule'])[];
    readonly podSelector?: Described['LabelSelector'];
    readonly policyTypes?: readonly (string)[];
  };
  readonly Node: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['NodeSpec'];
    readonly status?: Described['NodeStatus'];
  };
  readonly NodeAddress: {
    readonly address: string;
    readonly type: string;
  };
  readonly NodeAffinity: {
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly (Described['PreferredSchedulingTerm'])[];
    readonly requiredDuringSchedulingIgnoredDuringExecution?: Described['NodeSelector'];
  };
  readonly NodeAllocatableResourceClaimStatus: {
    readonly containers?: readonly (string)[];
    readonly resourceClaimName: string;
    readonly resources: Readonly<Record<string, string>>;
  };
  readonly NodeAllocatableResourceMapping: {
    readonly allocationMultiplier?: string;
    readonly capacityKey?: string;
  };
  readonly NodeCondition: {
    readonly lastHeartbeatTime?: string;
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly NodeConfigSource: {
    readonly configMap?: Described['ConfigMapNodeConfigSource'];
  };
  readonly NodeConfigStatus: {
    readonly active?: Described['NodeConfigSource'];
    readonly assigned?: Described['NodeConfigSource'];
    readonly error?: string;
    readonly lastKnownGood?: Described['NodeConfigSource'];
  };
  readonly NodeDaemonEndpoints: {
    readonly kubeletEndpoint?: Described['DaemonEndpoint'];
  };
  readonly NodeFeatures: {
    readonly supplementalGroupsPolicy?: boolean;
  };
  readonly NodeMetrics: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly timestamp?: string;
    readonly usage?: Readonly<Record<string, string | number>>;
    readonly window: string;
  };
  readonly NodeRuntimeHandler: {
    readonly features?: Described['NodeRuntimeHandlerFeatures'];
    readonly name: string;
  };
  readonly NodeRuntimeHandlerFeatures: {
    readonly recursiveReadOnlyMounts?: boolean;
    readonly userNamespaces?: boolean;
  };
  readonly NodeSelector: {
    readonly nodeSelectorTerms: readonly (Described['NodeSelectorTerm'])[];
  };
  readonly NodeSelectorRequirement: {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly (string)[];
  };
  readonly NodeSelectorTerm: {
    readonly matchExpressions?: readonly (Described['NodeSelectorRequirement'])[];
    readonly matchFields?: readonly (Described['NodeSelectorRequirement'])[];
  };
  readonly NodeSpec: {
    readonly configSource?: Described['NodeConfigSource'];
    readonly externalID?: string;
    readonly podCIDR?: string;
    readonly podCIDRs?: readonly (string)[];
    readonly providerID?: string;
    readonly taints?: readonly (Described['Taint'])[];
    readonly unschedulable?: boolean;
  };
  readonly NodeStatus: {
    readonly addresses?: readonly (Described['NodeAddress'])[];
    readonly allocatable?: Readonly<Record<string, string | number>>;
    readonly capacity?: Readonly<Record<string, string | number>>;
    readonly conditions?: readonly (Described['NodeCondition'])[];
    readonly config?: Described['NodeConfigStatus'];
    readonly daemonEndpoints?: Described['NodeDaemonEndpoints'];
    readonly declaredFeatures?: readonly (string)[];
    readonly features?: Described['NodeFeatures'];
    readonly images?: readonly (Described['ContainerImage'])[];
    readonly nodeInfo?: Described['NodeSystemInfo'];
    readonly phase?: string;
    readonly runtimeHandlers?: readonly (Described['NodeRuntimeHandler'])[];
    readonly volumesAttached?: readonly (Described['AttachedVolume'])[];
    readonly volumesInUse?: readonly (string)[];
  };
  readonly NodeSwapStatus: {
    readonly capacity?: number;
  };
  readonly NodeSystemInfo: {
    readonly architecture: string;
    readonly bootID: string;
    readonly containerRuntimeVersion: string;
    readonly kernelVersion: string;
    readonly kubeProxyVersion: string;
    readonly kubeletVersion: string;
    readonly machineID: string;
    readonly operatingSystem: string;
    readonly osImage: string;
    readonly swap?: Described['NodeSwapStatus'];
    readonly systemUUID: string;
  };
  readonly NonResourceAttributes: {
    readonly path?: string;
    readonly verb?: string;
  };
  readonly NonResourcePolicyRule: {
    readonly nonResourceURLs: readonly (string)[];
    readonly verbs: readonly (string)[];
  };
  readonly NonResourceRule: {
    readonly nonResourceURLs?: readonly (string)[];
    readonly verbs: readonly (string)[];
  };
  readonly ObjectFieldSelector: {
    readonly apiVersion?: string;
    readonly fieldPath: string;
  };
  readonly ObjectMeta: {
    readonly annotations?: Readonly<Record<string, string>>;
    readonly creationTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly (string)[];
    readonly generateName?: string;
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly (Described['ManagedFieldsEntry'])[];
    readonly name?: string;
    readonly namespace?: string;
    readonly ownerReferences?: readonly (Described['OwnerReference'])[];
    readonly resourceVersion?: string;
    readonly selfLink?: string;
    readonly uid?: string;
  };
  readonly ObjectReference: {
    readonly apiVersion?: string;
    readonly fieldPath?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
    readonly uid?: string;
  };
  readonly OpaqueDeviceConfiguration: {
    readonly driver: string;
    readonly parameters: unknown;
  };
  readonly Overhead: {
    readonly podFixed?: Readonly<Record<string, string | number>>;
  };
  readonly OwnerReference: {
    readonly apiVersion: string;
    readonly blockOwnerDeletion?: boolean;
    readonly controller?: boolean;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
  };
  readonly ParamKind: {
    readonly apiVersion?: string;
    readonly kind?: string;
  };
  readonly ParamRef: {
    readonly name?: string;
    readonly namespace?: string;
    readonly parameterNotFoundAction?: string;
    readonly selector?: Described['LabelSelector'];
  };
  readonly ParentReference: {
    readonly group?: string;
    readonly name: string;
    readonly namespace?: string;
    readonly resource: string;
  };
  readonly PersistentVolume: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['PersistentVolumeSpec'];
    readonly status?: Described['PersistentVolumeStatus'];
  };
  readonly PersistentVolumeClaim: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['PersistentVolumeClaimSpec'];
    readonly status?: Described['PersistentVolumeClaimStatus'];
  };
  readonly PersistentVolumeClaimCondition: {
    readonly lastProbeTime?: string;
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly PersistentVolumeClaimSpec: {
    readonly accessModes?: readonly (string)[];
    readonly dataSource?: Described['TypedLocalObjectReference'];
    readonly dataSourceRef?: Described['TypedObjectReference'];
    readonly resources?: Described['VolumeResourceRequirements'];
    readonly selector?: Described['LabelSelector'];
    readonly storageClassName?: string;
    readonly volumeAttributesClassName?: string;
    readonly volumeMode?: string;
    readonly volumeName?: string;
  };
  readonly PersistentVolumeClaimStatus: {
    readonly accessModes?: readonly (string)[];
    readonly allocatedResourceStatuses?: Readonly<Record<string, string>>;
    readonly allocatedResources?: Readonly<Record<string, string | number>>;
    readonly capacity?: Readonly<Record<string, string | number>>;
    readonly conditions?: readonly (Described['PersistentVolumeClaimCondition'])[];
    readonly currentVolumeAttributesClassName?: string;
    readonly modifyVolumeStatus?: Described['ModifyVolumeStatus'];
    readonly phase?: string;
  };
  readonly PersistentVolumeClaimTemplate: {
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['PersistentVolumeClaimSpec'];
  };
  readonly PersistentVolumeClaimVolumeSource: {
    readonly claimName: string;
    readonly readOnly?: boolean;
  };
  readonly PersistentVolumeSpec: {
    readonly accessModes?: readonly (string)[];
    readonly awsElasticBlockStore?: Described['AWSElasticBlockStoreVolumeSource'];
    readonly azureDisk?: Described['AzureDiskVolumeSource'];
    readonly azureFile?: Described['AzureFilePersistentVolumeSource'];
    readonly capacity?: Readonly<Record<string, string | number>>;
    readonly cephfs?: Described['CephFSPersistentVolumeSource'];
    readonly cinder?: Described['CinderPersistentVolumeSource'];
    readonly claimRef?: Described['ObjectReference'];
    readonly csi?: Described['CSIPersistentVolumeSource'];
    readonly fc?: Described['FCVolumeSource'];
    readonly flexVolume?: Described['FlexPersistentVolumeSource'];
    readonly flocker?: Described['FlockerVolumeSource'];
    readonly gcePersistentDisk?: Described['GCEPersistentDiskVolumeSource'];
    readonly glusterfs?: Described['GlusterfsPersistentVolumeSource'];
    readonly hostPath?: Described['HostPathVolumeSource'];
    readonly iscsi?: Described['ISCSIPersistentVolumeSource'];
    readonly local?: Described['LocalVolumeSource'];
    readonly mountOptions?: readonly (string)[];
    readonly nfs?: Described['NFSVolumeSource'];
    readonly nodeAffinity?: Described['VolumeNodeAffinity'];
    readonly persistentVolumeReclaimPolicy?: string;
    readonly photonPersistentDisk?: Described['PhotonPersistentDiskVolumeSource'];
    readonly portworxVolume?: Described['PortworxVolumeSource'];
    readonly quobyte?: Described['QuobyteVolumeSource'];
    readonly rbd?: Described['RBDPersistentVolumeSource'];
    readonly scaleIO?: Described['ScaleIOPersistentVolumeSource'];
    readonly storageClassName?: string;
    readonly storageos?: Described['StorageOSPersistentVolumeSource'];
    readonly volumeAttributesClassName?: string;
    readonly volumeMode?: string;
    readonly vsphereVolume?: Described['VsphereVirtualDiskVolumeSource'];
  };
  readonly PersistentVolumeStatus: {
    readonly lastPhaseTransitionTime?: string;
    readonly message?: string;
    readonly phase?: string;
    readonly reason?: string;
  };
  readonly PhotonPersistentDiskVolumeSource: {
    readonly fsType?: string;
    readonly pdID: string;
  };
  readonly Pod: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['PodSpec'];
    readonly status?: Described['PodStatus'];
  };
  readonly PodAffinity: {
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly (Described['WeightedPodAffinityTerm'])[];
    readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly (Described['PodAffinityTerm'])[];
  };
  readonly PodAffinityTerm: {
    readonly labelSelector?: Described['LabelSelector'];
    readonly matchLabelKeys?: readonly (string)[];
    readonly mismatchLabelKeys?: readonly (string)[];
    readonly namespaceSelector?: Described['LabelSelector'];
    readonly namespaces?: readonly (string)[];
    readonly topologyKey: string;
  };
  readonly PodAntiAffinity: {
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly (Described['WeightedPodAffinityTerm'])[];
    readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly (Described['PodAffinityTerm'])[];
  };
  readonly PodCertificateProjection: {
    readonly certificateChainPath?: string;
    readonly credentialBundlePath?: string;
    readonly keyPath?: string;
    readonly keyType: string;
    readonly maxExpirationSeconds?: number;
    readonly signerName: string;
    readonly userAnnotations?: Readonly<Record<string, string>>;
  };
  readonly PodCondition: {
    readonly lastProbeTime?: string;
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly observedGeneration?: number;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly PodDNSConfig: {
    readonly nameservers?: readonly (string)[];
    readonly options?: readonly (Described['PodDNSConfigOption'])[];
    readonly searches?: readonly (string)[];
  };
  readonly PodDNSConfigOption: {
    readonly name?: string;
    readonly value?: string;
  };
  readonly PodDisruptionBudget: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['PodDisruptionBudgetSpec'];
    readonly status?: Described['PodDisruptionBudgetStatus'];
  };
  readonly PodDisruptionBudgetSpec: {
    readonly maxUnavailable?: string | number;
    readonly minAvailable?: string | number;
    readonly selector?: Described['LabelSelector'];
    readonly unhealthyPodEvictionPolicy?: string;
  };
  readonly PodDisruptionBudgetStatus: {
    readonly conditions?: readonly (Described['Condition'])[];
    readonly currentHealthy: number;
    readonly desiredHealthy: number;
    readonly disruptedPods?: Readonly<Record<string, string>>;
    readonly disruptionsAllowed: number;
    readonly expectedPods: number;
    readonly observedGeneration?: number;
  };
  readonly PodExtendedResourceClaimStatus: {
    readonly requestMappings: readonly (Described['ContainerExtendedResourceRequest'])[];
    readonly resourceClaimName: string;
  };
  readonly PodFailurePolicy: {
    readonly rules: readonly (Described['PodFailurePolicyRule'])[];
  };
  readonly PodFailurePolicyOnExitCodesRequirement: {
    readonly containerName?: string;
    readonly operator: string;
    readonly values: readonly (number)[];
  };
  readonly PodFailurePolicyOnPodConditionsPattern: {
    readonly status: string;
    readonly type: string;
  };
  readonly PodFailurePolicyRule: {
    readonly action: string;
    readonly onExitCodes?: Described['PodFailurePolicyOnExitCodesRequirement'];
    readonly onPodConditions?: readonly (Described['PodFailurePolicyOnPodConditionsPattern'])[];
  };
  readonly PodIP: {
    readonly ip: string;
  };
  readonly PodMetrics: {
    readonly apiVersion?: string;
    readonly containers: readonly (Described['ContainerMetrics'])[];
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly timestamp?: string;
    readonly window: string;
  };
  readonly PodOS: {
    readonly name: string;
  };
  readonly PodReadinessGate: {
    readonly conditionType: string;
  };
  readonly PodResourceClaim: {
    readonly name: string;
    readonly resourceClaimName?: string;
    readonly resourceClaimTemplateName?: string;
  };
  readonly PodResourceClaimStatus: {
    readonly name: string;
    readonly resourceClaimName?: string;
  };
  readonly PodSchedulingGate: {
    readonly name: string;
  };
  readonly PodSchedulingGroup: {
    readonly podGroupName?: string;
  };
  readonly PodSecurityContext: {
    readonly appArmorProfile?: Described['AppArmorProfile'];
    readonly fsGroup?: number;
    readonly fsGroupChangePolicy?: string;
    readonly runAsGroup?: number;
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly seLinuxChangePolicy?: string;
    readonly seLinuxOptions?: Described['SELinuxOptions'];
    readonly seccompProfile?: Described['SeccompProfile'];
    readonly supplementalGroups?: readonly (number)[];
    readonly supplementalGroupsPolicy?: string;
    readonly sysctls?: readonly (Described['Sysctl'])[];
    readonly windowsOptions?: Described['WindowsSecurityContextOptions'];
  };
  readonly PodSpec: {
    readonly activeDeadlineSeconds?: number;
    readonly affinity?: Described['Affinity'];
    readonly automountServiceAccountToken?: boolean;
    readonly containers: readonly (Described['Container'])[];
    readonly dnsConfig?: Described['PodDNSConfig'];
    readonly dnsPolicy?: string;
    readonly enableServiceLinks?: boolean;
    readonly ephemeralContainers?: readonly (Described['EphemeralContainer'])[];
    readonly hostAliases?: readonly (Described['HostAlias'])[];
    readonly hostIPC?: boolean;
    readonly hostNetwork?: boolean;
    readonly hostPID?: boolean;
    readonly hostUsers?: boolean;
    readonly hostname?: string;
    readonly hostnameOverride?: string;
    readonly imagePullSecrets?: readonly (Described['LocalObjectReference'])[];
    readonly initContainers?: readonly (Described['Container'])[];
    readonly nodeName?: string;
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly os?: Described['PodOS'];
    readonly overhead?: Readonly<Record<string, string | number>>;
    readonly preemptionPolicy?: string;
    readonly priority?: number;
    readonly priorityClassName?: string;
    readonly readinessGates?: readonly (Described['PodReadinessGate'])[];
    readonly resourceClaims?: readonly (Described['PodResourceClaim'])[];
    readonly resources?: Described['ResourceRequirements'];
    readonly restartPolicy?: string;
    readonly runtimeClassName?: string;
    readonly schedulerName?: string;
    readonly schedulingGates?: readonly (Described['PodSchedulingGate'])[];
    readonly schedulingGroup?: Described['PodSchedulingGroup'];
    readonly securityContext?: Described['PodSecurityContext'];
    readonly serviceAccount?: string;
    readonly serviceAccountName?: string;
    readonly setHostnameAsFQDN?: boolean;
    readonly shareProcessNamespace?: boolean;
    readonly subdomain?: string;
    readonly terminationGracePeriodSeconds?: number;
    readonly tolerations?: readonly (Described['Toleration'])[];
    readonly topologySpreadConstraints?: readonly (Described['TopologySpreadConstraint'])[];
    readonly volumes?: readonly (Described['Volume'])[];
  };
  readonly PodStatus: {
    readonly allocatedResources?: Readonly<Record<string, string>>;
    readonly conditions?: readonly (Described['PodCondition'])[];
    readonly containerStatuses?: readonly (Described['ContainerStatus'])[];
    readonly ephemeralContainerStatuses?: readonly (Described['ContainerStatus'])[];
    readonly extendedResourceClaimStatus?: Described['PodExtendedResourceClaimStatus'];
    readonly hostIP?: string;
    readonly hostIPs?: readonly (Described['HostIP'])[];
    readonly initContainerStatuses?: readonly (Described['ContainerStatus'])[];
    readonly message?: string;
    readonly nodeAllocatableResourceClaimStatuses?: readonly (Described['NodeAllocatableResourceClaimStatus'])[];
    readonly nominatedNodeName?: string;
    readonly observedGeneration?: number;
    readonly phase?: string;
    readonly podIP?: string;
    readonly podIPs?: readonly (Described['PodIP'])[];
    readonly qosClass?: string;
    readonly reason?: string;
    readonly resize?: string;
    readonly resourceClaimStatuses?: readonly (Described['PodResourceClaimStatus'])[];
    readonly resources?: Described['ResourceRequirements'];
    readonly startTime?: string;
  };
  readonly PodTemplate: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly template?: Described['PodTemplateSpec'];
  };
  readonly PodTemplateSpec: {
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['PodSpec'];
  };
  readonly PolicyRule: {
    readonly apiGroups?: readonly (string)[];
    readonly nonResourceURLs?: readonly (string)[];
    readonly resourceNames?: readonly (string)[];
    readonly resources?: readonly (string)[];
    readonly verbs: readonly (string)[];
  };
  readonly PolicyRulesWithSubjects: {
    readonly nonResourceRules?: readonly (Described['NonResourcePolicyRule'])[];
    readonly resourceRules?: readonly (Described['ResourcePolicyRule'])[];
    readonly subjects: readonly (Described['FlowcontrolV1Subject'])[];
  };
  readonly PortStatus: {
    readonly error?: string;
    readonly port: number;
    readonly protocol: string;
  };
  readonly PortworxVolumeSource: {
    readonly fsType?: string;
    readonly readOnly?: boolean;
    readonly volumeID: string;
  };
  readonly Preconditions: {
    readonly resourceVersion?: string;
    readonly uid?: string;
  };
  readonly PreferredSchedulingTerm: {
    readonly preference: Described['NodeSelectorTerm'];
    readonly weight: number;
  };
  readonly PriorityClass: {
    readonly apiVersion?: string;
    readonly description?: string;
    readonly globalDefault?: boolean;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly preemptionPolicy?: string;
    readonly value: number;
  };
  readonly PriorityLevelConfiguration: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['PriorityLevelConfigurationSpec'];
    readonly status?: Described['PriorityLevelConfigurationStatus'];
  };
  readonly PriorityLevelConfigurationCondition: {
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status?: string;
    readonly type?: string;
  };
  readonly PriorityLevelConfigurationReference: {
    readonly name: string;
  };
  readonly PriorityLevelConfigurationSpec: {
    readonly exempt?: Described['ExemptPriorityLevelConfiguration'];
    readonly limited?: Described['LimitedPriorityLevelConfiguration'];
    readonly type: string;
  };
  readonly PriorityLevelConfigurationStatus: {
    readonly conditions?: readonly (Described['PriorityLevelConfigurationCondition'])[];
  };
  readonly Probe: {
    readonly exec?: Described['ExecAction'];
    readonly failureThreshold?: number;
    readonly grpc?: Described['GRPCAction'];
    readonly httpGet?: Described['HTTPGetAction'];
    readonly initialDelaySeconds?: number;
    readonly periodSeconds?: number;
    readonly successThreshold?: number;
    readonly tcpSocket?: Described['TCPSocketAction'];
    readonly terminationGracePeriodSeconds?: number;
    readonly timeoutSeconds?: number;
  };
  readonly ProjectedVolumeSource: {
    readonly defaultMode?: number;
    readonly sources?: readonly (Described['VolumeProjection'])[];
  };
  readonly QueuingConfiguration: {
    readonly handSize: number;
    readonly queueLengthLimit: number;
    readonly queues: number;
  };
  readonly QuobyteVolumeSource: {
    readonly group?: string;
    readonly readOnly?: boolean;
    readonly registry: string;
    readonly tenant?: string;
    readonly user?: string;
    readonly volume: string;
  };
  readonly RBDPersistentVolumeSource: {
    readonly fsType?: string;
    readonly image: string;
    readonly keyring?: string;
    readonly monitors: readonly (string)[];
    readonly pool?: string;
    readonly readOnly?: boolean;
    readonly secretRef?: Described['SecretReference'];
    readonly user?: string;
  };
  readonly RBDVolumeSource: {
    readonly fsType?: string;
    readonly image: string;
    readonly keyring?: string;
    readonly monitors: readonly (string)[];
    readonly pool?: string;
    readonly readOnly?: boolean;
    readonly secretRef?: Described['LocalObjectReference'];
    readonly user?: string;
  };
  readonly RbacV1Subject: {
    readonly apiGroup?: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
  };
  readonly ReplicaSet: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['ReplicaSetSpec'];
    readonly status?: Described['ReplicaSetStatus'];
  };
  readonly ReplicaSetCondition: {
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly ReplicaSetSpec: {
    readonly minReadySeconds?: number;
    readonly replicas?: number;
    readonly selector: Described['LabelSelector'];
    readonly template?: Described['PodTemplateSpec'];
  };
  readonly ReplicaSetStatus: {
    readonly availableReplicas?: number;
    readonly conditions?: readonly (Described['ReplicaSetCondition'])[];
    readonly fullyLabeledReplicas?: number;
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly replicas: number;
    readonly terminatingReplicas?: number;
  };
  readonly ReplicationController: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['ReplicationControllerSpec'];
    readonly status?: Described['ReplicationControllerStatus'];
  };
  readonly ReplicationControllerCondition: {
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly ReplicationControllerSpec: {
    readonly minReadySeconds?: number;
    readonly replicas?: number;
    readonly selector?: Readonly<Record<string, string>>;
    readonly template?: Described['PodTemplateSpec'];
  };
  readonly ReplicationControllerStatus: {
    readonly availableReplicas?: number;
    readonly conditions?: readonly (Described['ReplicationControllerCondition'])[];
    readonly fullyLabeledReplicas?: number;
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly replicas: number;
  };
  readonly ResourceAttributes: {
    readonly fieldSelector?: Described['FieldSelectorAttributes'];
    readonly group?: string;
    readonly labelSelector?: Described['LabelSelectorAttributes'];
    readonly name?: string;
    readonly namespace?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly verb?: string;
    readonly version?: string;
  };
  readonly ResourceClaimConsumerReference: {
    readonly apiGroup?: string;
    readonly name: string;
    readonly resource: string;
    readonly uid: string;
  };
  readonly ResourceClaimSpec: {
    readonly devices?: Described['DeviceClaim'];
  };
  readonly ResourceClaimStatus: {
    readonly allocation?: Described['AllocationResult'];
    readonly devices?: readonly (Described['AllocatedDeviceStatus'])[];
    readonly reservedFor?: readonly (Described['ResourceClaimConsumerReference'])[];
  };
  readonly ResourceClaimTemplate: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['ResourceClaimTemplateSpec'];
  };
  readonly ResourceClaimTemplateSpec: {
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['ResourceClaimSpec'];
  };
  readonly ResourceFieldSelector: {
    readonly containerName?: string;
    readonly divisor?: string | number;
    readonly resource: string;
  };
  readonly ResourceHealth: {
    readonly health?: string;
    readonly message?: string;
    readonly resourceID: string;
  };
  readonly ResourcePolicyRule: {
    readonly apiGroups: readonly (string)[];
    readonly clusterScope?: boolean;
    readonly namespaces?: readonly (string)[];
    readonly resources: readonly (string)[];
    readonly verbs: readonly (string)[];
  };
  readonly ResourcePool: {
    readonly generation: number;
    readonly name: string;
    readonly resourceSliceCount: number;
  };
  readonly ResourceQuota: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['ResourceQuotaSpec'];
    readonly status?: Described['ResourceQuotaStatus'];
  };
  readonly ResourceQuotaSpec: {
    readonly hard?: Readonly<Record<string, string | number>>;
    readonly scopeSelector?: Described['ScopeSelector'];
    readonly scopes?: readonly (string)[];
  };
  readonly ResourceQuotaStatus: {
    readonly hard?: Readonly<Record<string, string | number>>;
    readonly used?: Readonly<Record<string, string | number>>;
  };
  readonly ResourceRequirements: {
    readonly claims?: readonly (Described['CoreV1ResourceClaim'])[];
    readonly limits?: Readonly<Record<string, string | number>>;
    readonly requests?: Readonly<Record<string, string | number>>;
  };
  readonly ResourceRule: {
    readonly apiGroups?: readonly (string)[];
    readonly resourceNames?: readonly (string)[];
    readonly resources?: readonly (string)[];
    readonly verbs: readonly (string)[];
  };
  readonly ResourceSlice: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['ResourceSliceSpec'];
  };
  readonly ResourceSliceSpec: {
    readonly allNodes?: boolean;
    readonly devices?: readonly (Described['Device'])[];
    readonly driver: string;
    readonly nodeName?: string;
    readonly nodeSelector?: Described['NodeSelector'];
    readonly perDeviceNodeSelection?: boolean;
    readonly pool: Described['ResourcePool'];
    readonly sharedCounters?: readonly (Described['CounterSet'])[];
  };
  readonly ResourceStatus: {
    readonly name: string;
    readonly resources?: readonly (Described['ResourceHealth'])[];
  };
  readonly ResourceV1ResourceClaim: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['ResourceClaimSpec'];
    readonly status?: Described['ResourceClaimStatus'];
  };
  readonly Role: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly rules?: readonly (Described['PolicyRule'])[];
  };
  readonly RoleBinding: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly roleRef: Described['RoleRef'];
    readonly subjects?: readonly (Described['RbacV1Subject'])[];
  };
  readonly RoleRef: {
    readonly apiGroup: string;
    readonly kind: string;
    readonly name: string;
  };
  readonly RollingUpdateDaemonSet: {
    readonly maxSurge?: string | number;
    readonly maxUnavailable?: string | number;
  };
  readonly RollingUpdateDeployment: {
    readonly maxSurge?: string | number;
    readonly maxUnavailable?: string | number;
  };
  readonly RollingUpdateStatefulSetStrategy: {
    readonly maxUnavailable?: string | number;
    readonly partition?: number;
  };
  readonly RuleWithOperations: {
    readonly apiGroups?: readonly (string)[];
    readonly apiVersions?: readonly (string)[];
    readonly operations?: readonly (string)[];
    readonly resources?: readonly (string)[];
    readonly scope?: string;
  };
  readonly RuntimeClass: {
    readonly apiVersion?: string;
    readonly handler: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly overhead?: Described['Overhead'];
    readonly scheduling?: Described['Scheduling'];
  };
  readonly SELinuxOptions: {
    readonly level?: string;
    readonly role?: string;
    readonly type?: string;
    readonly user?: string;
  };
  readonly Scale: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['ScaleSpec'];
    readonly status?: Described['ScaleStatus'];
  };
  readonly ScaleIOPersistentVolumeSource: {
    readonly fsType?: string;
    readonly gateway: string;
    readonly protectionDomain?: string;
    readonly readOnly?: boolean;
    readonly secretRef: Described['SecretReference'];
    readonly sslEnabled?: boolean;
    readonly storageMode?: string;
    readonly storagePool?: string;
    readonly system: string;
    readonly volumeName?: string;
  };
  readonly ScaleIOVolumeSource: {
    readonly fsType?: string;
    readonly gateway: string;
    readonly protectionDomain?: string;
    readonly readOnly?: boolean;
    readonly secretRef: Described['LocalObjectReference'];
    readonly sslEnabled?: boolean;
    readonly storageMode?: string;
    readonly storagePool?: string;
    readonly system: string;
    readonly volumeName?: string;
  };
  readonly ScaleSpec: {
    readonly replicas?: number;
  };
  readonly ScaleStatus: {
    readonly replicas: number;
    readonly selector?: string;
  };
  readonly Scheduling: {
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly (Described['Toleration'])[];
  };
  readonly ScopeSelector: {
    readonly matchExpressions?: readonly (Described['ScopedResourceSelectorRequirement'])[];
  };
  readonly ScopedResourceSelectorRequirement: {
    readonly operator: string;
    readonly scopeName: string;
    readonly values?: readonly (string)[];
  };
  readonly SeccompProfile: {
    readonly localhostProfile?: string;
    readonly type: string;
  };
  readonly Secret: {
    readonly apiVersion?: string;
    readonly data?: Readonly<Record<string, string>>;
    readonly immutable?: boolean;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly stringData?: Readonly<Record<string, string>>;
    readonly type?: string;
  };
  readonly SecretEnvSource: {
    readonly name?: string;
    readonly optional?: boolean;
  };
  readonly SecretKeySelector: {
    readonly key: string;
    readonly name?: string;
    readonly optional?: boolean;
  };
  readonly SecretProjection: {
    readonly items?: readonly (Described['KeyToPath'])[];
    readonly name?: string;
    readonly optional?: boolean;
  };
  readonly SecretReference: {
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly SecretVolumeSource: {
    readonly defaultMode?: number;
    readonly items?: readonly (Described['KeyToPath'])[];
    readonly optional?: boolean;
    readonly secretName?: string;
  };
  readonly SecurityContext: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly appArmorProfile?: Described['AppArmorProfile'];
    readonly capabilities?: Described['Capabilities'];
    readonly privileged?: boolean;
    readonly procMount?: string;
    readonly readOnlyRootFilesystem?: boolean;
    readonly runAsGroup?: number;
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly seLinuxOptions?: Described['SELinuxOptions'];
    readonly seccompProfile?: Described['SeccompProfile'];
    readonly windowsOptions?: Described['WindowsSecurityContextOptions'];
  };
  readonly SelectableField: {
    readonly jsonPath: string;
  };
  readonly SelfSubjectAccessReview: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['SelfSubjectAccessReviewSpec'];
    readonly status?: Described['SubjectAccessReviewStatus'];
  };
  readonly SelfSubjectAccessReviewSpec: {
    readonly nonResourceAttributes?: Described['NonResourceAttributes'];
    readonly resourceAttributes?: Described['ResourceAttributes'];
  };
  readonly SelfSubjectReview: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly status?: Described['SelfSubjectReviewStatus'];
  };
  readonly SelfSubjectReviewStatus: {
    readonly userInfo?: Described['UserInfo'];
  };
  readonly SelfSubjectRulesReview: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['SelfSubjectRulesReviewSpec'];
    readonly status?: Described['SubjectRulesReviewStatus'];
  };
  readonly SelfSubjectRulesReviewSpec: {
    readonly namespace?: string;
  };
  readonly Service: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['ServiceSpec'];
    readonly status?: Described['ServiceStatus'];
  };
  readonly ServiceAccount: {
    readonly apiVersion?: string;
    readonly automountServiceAccountToken?: boolean;
    readonly imagePullSecrets?: readonly (Described['LocalObjectReference'])[];
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly secrets?: readonly (Described['ObjectReference'])[];
  };
  readonly ServiceAccountSubject: {
    readonly name: string;
    readonly namespace: string;
  };
  readonly ServiceAccountTokenProjection: {
    readonly audience?: string;
    readonly expirationSeconds?: number;
    readonly path: string;
  };
  readonly ServiceBackendPort: {
    readonly name?: string;
    readonly number?: number;
  };
  readonly ServiceCIDR: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['ServiceCIDRSpec'];
    readonly status?: Described['ServiceCIDRStatus'];
  };
  readonly ServiceCIDRSpec: {
    readonly cidrs?: readonly (string)[];
  };
  readonly ServiceCIDRStatus: {
    readonly conditions?: readonly (Described['Condition'])[];
  };
  readonly ServicePort: {
    readonly appProtocol?: string;
    readonly name?: string;
    readonly nodePort?: number;
    readonly port: number;
    readonly protocol?: string;
    readonly targetPort?: string | number;
  };
  readonly ServiceSpec: {
    readonly allocateLoadBalancerNodePorts?: boolean;
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly (string)[];
    readonly externalIPs?: readonly (string)[];
    readonly externalName?: string;
    readonly externalTrafficPolicy?: string;
    readonly healthCheckNodePort?: number;
    readonly internalTrafficPolicy?: string;
    readonly ipFamilies?: readonly (string)[];
    readonly ipFamilyPolicy?: string;
    readonly loadBalancerClass?: string;
    readonly loadBalancerIP?: string;
    readonly loadBalancerSourceRanges?: readonly (string)[];
    readonly ports?: readonly (Described['ServicePort'])[];
    readonly publishNotReadyAddresses?: boolean;
    readonly selector?: Readonly<Record<string, string>>;
    readonly sessionAffinity?: string;
    readonly sessionAffinityConfig?: Described['SessionAffinityConfig'];
    readonly trafficDistribution?: string;
    readonly type?: string;
  };
  readonly ServiceStatus: {
    readonly conditions?: readonly (Described['Condition'])[];
    readonly loadBalancer?: Described['LoadBalancerStatus'];
  };
  readonly SessionAffinityConfig: {
    readonly clientIP?: Described['ClientIPConfig'];
  };
  readonly ShardInfo: {
    readonly selector: string;
  };
  readonly SleepAction: {
    readonly seconds: number;
  };
  readonly StatefulSet: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['StatefulSetSpec'];
    readonly status?: Described['StatefulSetStatus'];
  };
  readonly StatefulSetCondition: {
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly StatefulSetOrdinals: {
    readonly start: number;
  };
  readonly StatefulSetPersistentVolumeClaimRetentionPolicy: {
    readonly whenDeleted?: string;
    readonly whenScaled?: string;
  };
  readonly StatefulSetSpec: {
    readonly minReadySeconds?: number;
    readonly ordinals?: Described['StatefulSetOrdinals'];
    readonly persistentVolumeClaimRetentionPolicy?: Described['StatefulSetPersistentVolumeClaimRetentionPolicy'];
    readonly podManagementPolicy?: string;
    readonly replicas?: number;
    readonly revisionHistoryLimit?: number;
    readonly selector: Described['LabelSelector'];
    readonly serviceName: string;
    readonly template: Described['PodTemplateSpec'];
    readonly updateStrategy?: Described['StatefulSetUpdateStrategy'];
    readonly volumeClaimTemplates?: readonly (Described['PersistentVolumeClaim'])[];
  };
  readonly StatefulSetStatus: {
    readonly availableReplicas: number;
    readonly collisionCount?: number;
    readonly conditions?: readonly (Described['StatefulSetCondition'])[];
    readonly currentReplicas?: number;
    readonly currentRevision?: string;
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly replicas: number;
    readonly updateRevision?: string;
    readonly updatedReplicas?: number;
  };
  readonly StatefulSetUpdateStrategy: {
    readonly rollingUpdate?: Described['RollingUpdateStatefulSetStrategy'];
    readonly type?: string;
  };
  readonly Status: {
    readonly apiVersion?: string;
    readonly code?: number;
    readonly details?: Described['StatusDetails'];
    readonly kind?: string;
    readonly message?: string;
    readonly metadata?: Described['ListMeta'];
    readonly reason?: string;
    readonly status?: string;
  };
  readonly StatusCause: {
    readonly field?: string;
    readonly message?: string;
    readonly reason?: string;
  };
  readonly StatusDetails: {
    readonly causes?: readonly (Described['StatusCause'])[];
    readonly group?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly retryAfterSeconds?: number;
    readonly uid?: string;
  };
  readonly StorageClass: {
    readonly allowVolumeExpansion?: boolean;
    readonly allowedTopologies?: readonly (Described['TopologySelectorTerm'])[];
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly mountOptions?: readonly (string)[];
    readonly parameters?: Readonly<Record<string, string>>;
    readonly provisioner: string;
    readonly reclaimPolicy?: string;
    readonly volumeBindingMode?: string;
  };
  readonly StorageOSPersistentVolumeSource: {
    readonly fsType?: string;
    readonly readOnly?: boolean;
    readonly secretRef?: Described['ObjectReference'];
    readonly volumeName?: string;
    readonly volumeNamespace?: string;
  };
  readonly StorageOSVolumeSource: {
    readonly fsType?: string;
    readonly readOnly?: boolean;
    readonly secretRef?: Described['LocalObjectReference'];
    readonly volumeName?: string;
    readonly volumeNamespace?: string;
  };
  readonly StorageV1TokenRequest: {
    readonly audience: string;
    readonly expirationSeconds?: number;
  };
  readonly SubjectAccessReview: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['SubjectAccessReviewSpec'];
    readonly status?: Described['SubjectAccessReviewStatus'];
  };
  readonly SubjectAccessReviewSpec: {
    readonly extra?: Readonly<Record<string, readonly (string)[]>>;
    readonly groups?: readonly (string)[];
    readonly nonResourceAttributes?: Described['NonResourceAttributes'];
    readonly resourceAttributes?: Described['ResourceAttributes'];
    readonly uid?: string;
    readonly user?: string;
  };
  readonly SubjectAccessReviewStatus: {
    readonly allowed: boolean;
    readonly denied?: boolean;
    readonly evaluationError?: string;
    readonly reason?: string;
  };
  readonly SubjectRulesReviewStatus: {
    readonly evaluationError?: string;
    readonly incomplete: boolean;
    readonly nonResourceRules: readonly (Described['NonResourceRule'])[];
    readonly resourceRules: readonly (Described['ResourceRule'])[];
  };
  readonly SuccessPolicy: {
    readonly rules: readonly (Described['SuccessPolicyRule'])[];
  };
  readonly SuccessPolicyRule: {
    readonly succeededCount?: number;
    readonly succeededIndexes?: string;
  };
  readonly Sysctl: {
    readonly name: string;
    readonly value: string;
  };
  readonly TCPSocketAction: {
    readonly host?: string;
    readonly port: string | number;
  };
  readonly Taint: {
    readonly effect: string;
    readonly key: string;
    readonly timeAdded?: string;
    readonly value?: string;
  };
  readonly TokenRequestSpec: {
    readonly audiences?: readonly (string)[];
    readonly boundObjectRef?: Described['BoundObjectReference'];
    readonly expirationSeconds?: number;
  };
  readonly TokenRequestStatus: {
    readonly expirationTimestamp?: string;
    readonly token?: string;
  };
  readonly TokenReview: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['TokenReviewSpec'];
    readonly status?: Described['TokenReviewStatus'];
  };
  readonly TokenReviewSpec: {
    readonly audiences?: readonly (string)[];
    readonly token: string;
  };
  readonly TokenReviewStatus: {
    readonly audiences?: readonly (string)[];
    readonly authenticated?: boolean;
    readonly error?: string;
    readonly user?: Described['UserInfo'];
  };
  readonly Toleration: {
    readonly effect?: string;
    readonly key?: string;
    readonly operator?: string;
    readonly tolerationSeconds?: number;
    readonly value?: string;
  };
  readonly TopologySelectorLabelRequirement: {
    readonly key: string;
    readonly values: readonly (string)[];
  };
  readonly TopologySelectorTerm: {
    readonly matchLabelExpressions?: readonly (Described['TopologySelectorLabelRequirement'])[];
  };
  readonly TopologySpreadConstraint: {
    readonly labelSelector?: Described['LabelSelector'];
    readonly matchLabelKeys?: readonly (string)[];
    readonly maxSkew: number;
    readonly minDomains?: number;
    readonly nodeAffinityPolicy?: string;
    readonly nodeTaintsPolicy?: string;
    readonly topologyKey: string;
    readonly whenUnsatisfiable: string;
  };
  readonly TypeChecking: {
    readonly expressionWarnings?: readonly (Described['ExpressionWarning'])[];
  };
  readonly TypedLocalObjectReference: {
    readonly apiGroup?: string;
    readonly kind: string;
    readonly name: string;
  };
  readonly TypedObjectReference: {
    readonly apiGroup?: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
  };
  readonly UncountedTerminatedPods: {
    readonly failed?: readonly (string)[];
    readonly succeeded?: readonly (string)[];
  };
  readonly UserInfo: {
    readonly extra?: Readonly<Record<string, readonly (string)[]>>;
    readonly groups?: readonly (string)[];
    readonly uid?: string;
    readonly username?: string;
  };
  readonly UserSubject: {
    readonly name: string;
  };
  readonly V2ContainerResourceMetricSource: {
    readonly container: string;
    readonly name: string;
    readonly target: Described['V2MetricTarget'];
  };
  readonly V2ContainerResourceMetricStatus: {
    readonly container: string;
    readonly current: Described['V2MetricValueStatus'];
    readonly name: string;
  };
  readonly V2CrossVersionObjectReference: {
    readonly apiVersion?: string;
    readonly kind: string;
    readonly name: string;
  };
  readonly V2ExternalMetricSource: {
    readonly metric: Described['V2MetricIdentifier'];
    readonly target: Described['V2MetricTarget'];
  };
  readonly V2ExternalMetricStatus: {
    readonly current: Described['V2MetricValueStatus'];
    readonly metric: Described['V2MetricIdentifier'];
  };
  readonly V2HPAScalingPolicy: {
    readonly periodSeconds: number;
    readonly type: string;
    readonly value: number;
  };
  readonly V2HPAScalingRules: {
    readonly policies?: readonly (Described['V2HPAScalingPolicy'])[];
    readonly selectPolicy?: string;
    readonly stabilizationWindowSeconds?: number;
    readonly tolerance?: string | number;
  };
  readonly V2HorizontalPodAutoscaler: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['V2HorizontalPodAutoscalerSpec'];
    readonly status?: Described['V2HorizontalPodAutoscalerStatus'];
  };
  readonly V2HorizontalPodAutoscalerBehavior: {
    readonly scaleDown?: Described['V2HPAScalingRules'];
    readonly scaleUp?: Described['V2HPAScalingRules'];
  };
  readonly V2HorizontalPodAutoscalerCondition: {
    readonly lastTransitionTime?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly status: string;
    readonly type: string;
  };
  readonly V2HorizontalPodAutoscalerSpec: {
    readonly behavior?: Described['V2HorizontalPodAutoscalerBehavior'];
    readonly maxReplicas: number;
    readonly metrics?: readonly (Described['V2MetricSpec'])[];
    readonly minReplicas?: number;
    readonly scaleTargetRef: Described['V2CrossVersionObjectReference'];
  };
  readonly V2HorizontalPodAutoscalerStatus: {
    readonly conditions?: readonly (Described['V2HorizontalPodAutoscalerCondition'])[];
    readonly currentMetrics?: readonly (Described['V2MetricStatus'])[];
    readonly currentReplicas?: number;
    readonly desiredReplicas: number;
    readonly lastScaleTime?: string;
    readonly observedGeneration?: number;
  };
  readonly V2MetricIdentifier: {
    readonly name: string;
    readonly selector?: Described['LabelSelector'];
  };
  readonly V2MetricSpec: {
    readonly containerResource?: Described['V2ContainerResourceMetricSource'];
    readonly external?: Described['V2ExternalMetricSource'];
    readonly object?: Described['V2ObjectMetricSource'];
    readonly pods?: Described['V2PodsMetricSource'];
    readonly resource?: Described['V2ResourceMetricSource'];
    readonly type: string;
  };
  readonly V2MetricStatus: {
    readonly containerResource?: Described['V2ContainerResourceMetricStatus'];
    readonly external?: Described['V2ExternalMetricStatus'];
    readonly object?: Described['V2ObjectMetricStatus'];
    readonly pods?: Described['V2PodsMetricStatus'];
    readonly resource?: Described['V2ResourceMetricStatus'];
    readonly type: string;
  };
  readonly V2MetricTarget: {
    readonly averageUtilization?: number;
    readonly averageValue?: string | number;
    readonly type: string;
    readonly value?: string | number;
  };
  readonly V2MetricValueStatus: {
    readonly averageUtilization?: number;
    readonly averageValue?: string | number;
    readonly value?: string | number;
  };
  readonly V2ObjectMetricSource: {
    readonly describedObject: Described['V2CrossVersionObjectReference'];
    readonly metric: Described['V2MetricIdentifier'];
    readonly target: Described['V2MetricTarget'];
  };
  readonly V2ObjectMetricStatus: {
    readonly current: Described['V2MetricValueStatus'];
    readonly describedObject: Described['V2CrossVersionObjectReference'];
    readonly metric: Described['V2MetricIdentifier'];
  };
  readonly V2PodsMetricSource: {
    readonly metric: Described['V2MetricIdentifier'];
    readonly target: Described['V2MetricTarget'];
  };
  readonly V2PodsMetricStatus: {
    readonly current: Described['V2MetricValueStatus'];
    readonly metric: Described['V2MetricIdentifier'];
  };
  readonly V2ResourceMetricSource: {
    readonly name: string;
    readonly target: Described['V2MetricTarget'];
  };
  readonly V2ResourceMetricStatus: {
    readonly current: Described['V2MetricValueStatus'];
    readonly name: string;
  };
  readonly ValidatingAdmissionPolicy: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec?: Described['ValidatingAdmissionPolicySpec'];
    readonly status?: Described['ValidatingAdmissionPolicyStatus'];
  };
  readonly ValidatingAdmissionPolicyBinding: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['ValidatingAdmissionPolicyBindingSpec'];
  };
  readonly ValidatingAdmissionPolicyBindingSpec: {
    readonly matchResources?: Described['MatchResources'];
    readonly paramRef?: Described['ParamRef'];
    readonly policyName: string;
    readonly validationActions: readonly (string)[];
  };
  readonly ValidatingAdmissionPolicySpec: {
    readonly auditAnnotations?: readonly (Described['AuditAnnotation'])[];
    readonly failurePolicy?: string;
    readonly matchConditions?: readonly (Described['MatchCondition'])[];
    readonly matchConstraints?: Described['MatchResources'];
    readonly paramKind?: Described['ParamKind'];
    readonly validations?: readonly (Described['Validation'])[];
    readonly variables?: readonly (Described['Variable'])[];
  };
  readonly ValidatingAdmissionPolicyStatus: {
    readonly conditions?: readonly (Described['Condition'])[];
    readonly observedGeneration?: number;
    readonly typeChecking?: Described['TypeChecking'];
  };
  readonly ValidatingWebhook: {
    readonly admissionReviewVersions: readonly (string)[];
    readonly clientConfig: Described['AdmissionregistrationV1WebhookClientConfig'];
    readonly failurePolicy?: string;
    readonly matchConditions?: readonly (Described['MatchCondition'])[];
    readonly matchPolicy?: string;
    readonly name: string;
    readonly namespaceSelector?: Described['LabelSelector'];
    readonly objectSelector?: Described['LabelSelector'];
    readonly rules?: readonly (Described['RuleWithOperations'])[];
    readonly sideEffects: string;
    readonly timeoutSeconds?: number;
  };
  readonly ValidatingWebhookConfiguration: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly webhooks?: readonly (Described['ValidatingWebhook'])[];
  };
  readonly Validation: {
    readonly expression: string;
    readonly message?: string;
    readonly messageExpression?: string;
    readonly reason?: string;
  };
  readonly ValidationRule: {
    readonly fieldPath?: string;
    readonly message?: string;
    readonly messageExpression?: string;
    readonly optionalOldSelf?: boolean;
    readonly reason?: string;
    readonly rule: string;
  };
  readonly Variable: {
    readonly expression: string;
    readonly name: string;
  };
  readonly Volume: {
    readonly awsElasticBlockStore?: Described['AWSElasticBlockStoreVolumeSource'];
    readonly azureDisk?: Described['AzureDiskVolumeSource'];
    readonly azureFile?: Described['AzureFileVolumeSource'];
    readonly cephfs?: Described['CephFSVolumeSource'];
    readonly cinder?: Described['CinderVolumeSource'];
    readonly configMap?: Described['ConfigMapVolumeSource'];
    readonly csi?: Described['CSIVolumeSource'];
    readonly downwardAPI?: Described['DownwardAPIVolumeSource'];
    readonly emptyDir?: Described['EmptyDirVolumeSource'];
    readonly ephemeral?: Described['EphemeralVolumeSource'];
    readonly fc?: Described['FCVolumeSource'];
    readonly flexVolume?: Described['FlexVolumeSource'];
    readonly flocker?: Described['FlockerVolumeSource'];
    readonly gcePersistentDisk?: Described['GCEPersistentDiskVolumeSource'];
    readonly gitRepo?: Described['GitRepoVolumeSource'];
    readonly glusterfs?: Described['GlusterfsVolumeSource'];
    readonly hostPath?: Described['HostPathVolumeSource'];
    readonly image?: Described['ImageVolumeSource'];
    readonly iscsi?: Described['ISCSIVolumeSource'];
    readonly name: string;
    readonly nfs?: Described['NFSVolumeSource'];
    readonly persistentVolumeClaim?: Described['PersistentVolumeClaimVolumeSource'];
    readonly photonPersistentDisk?: Described['PhotonPersistentDiskVolumeSource'];
    readonly portworxVolume?: Described['PortworxVolumeSource'];
    readonly projected?: Described['ProjectedVolumeSource'];
    readonly quobyte?: Described['QuobyteVolumeSource'];
    readonly rbd?: Described['RBDVolumeSource'];
    readonly scaleIO?: Described['ScaleIOVolumeSource'];
    readonly secret?: Described['SecretVolumeSource'];
    readonly storageos?: Described['StorageOSVolumeSource'];
    readonly vsphereVolume?: Described['VsphereVirtualDiskVolumeSource'];
  };
  readonly VolumeAttachment: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly spec: Described['VolumeAttachmentSpec'];
    readonly status?: Described['VolumeAttachmentStatus'];
  };
  readonly VolumeAttachmentSource: {
    readonly inlineVolumeSpec?: Described['PersistentVolumeSpec'];
    readonly persistentVolumeName?: string;
  };
  readonly VolumeAttachmentSpec: {
    readonly attacher: string;
    readonly nodeName: string;
    readonly source: Described['VolumeAttachmentSource'];
  };
  readonly VolumeAttachmentStatus: {
    readonly attachError?: Described['VolumeError'];
    readonly attached: boolean;
    readonly attachmentMetadata?: Readonly<Record<string, string>>;
    readonly detachError?: Described['VolumeError'];
  };
  readonly VolumeAttributesClass: {
    readonly apiVersion?: string;
    readonly driverName: string;
    readonly kind?: string;
    readonly metadata?: Described['ObjectMeta'];
    readonly parameters?: Readonly<Record<string, string>>;
  };
  readonly VolumeDevice: {
    readonly devicePath: string;
    readonly name: string;
  };
  readonly VolumeError: {
    readonly errorCode?: number;
    readonly message?: string;
    readonly time?: string;
  };
  readonly VolumeMount: {
    readonly mountPath: string;
    readonly mountPropagation?: string;
    readonly name: string;
    readonly readOnly?: boolean;
    readonly recursiveReadOnly?: string;
    readonly subPath?: string;
    readonly subPathExpr?: string;
  };
  readonly VolumeMountStatus: {
    readonly mountPath: string;
    readonly name: string;
    readonly readOnly?: boolean;
    readonly recursiveReadOnly?: string;
    readonly volumeStatus?: Described['VolumeStatus'];
  };
  readonly VolumeNodeAffinity: {
    readonly required?: Described['NodeSelector'];
  };
  readonly VolumeNodeResources: {
    readonly count?: number;
  };
  readonly VolumeProjection: {
    readonly clusterTrustBundle?: Described['ClusterTrustBundleProjection'];
    readonly configMap?: Described['ConfigMapProjection'];
    readonly downwardAPI?: Described['DownwardAPIProjection'];
    readonly podCertificate?: Described['PodCertificateProjection'];
    readonly secret?: Described['SecretProjection'];
    readonly serviceAccountToken?: Described['ServiceAccountTokenProjection'];
  };
  readonly VolumeResourceRequirements: {
    readonly limits?: Readonly<Record<string, string | number>>;
    readonly requests?: Readonly<Record<string, string | number>>;
  };
  readonly VolumeStatus: {
    readonly image?: Described['ImageVolumeStatus'];
  };
  readonly VsphereVirtualDiskVolumeSource: {
    readonly fsType?: string;
    readonly storagePolicyID?: string;
    readonly storagePolicyName?: string;
    readonly volumePath: string;
  };
  readonly WebhookConversion: {
    readonly clientConfig?: Described['ApiextensionsV1WebhookClientConfig'];
    readonly conversionReviewVersions: readonly (string)[];
  };
  readonly WeightedPodAffinityTerm: {
    readonly podAffinityTerm: Described['PodAffinityTerm'];
    readonly weight: number;
  };
  readonly WindowsSecurityContextOptions: {
    readonly gmsaCredentialSpec?: string;
    readonly gmsaCredentialSpecName?: string;
    readonly hostProcess?: boolean;
    readonly runAsUserName?: string;
  };
}
