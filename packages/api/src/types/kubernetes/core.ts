/**
 * The parts of Kubernetes' own kinds that Podvisor reads or writes. Not a copy of the Kubernetes API:
 * a field is here when some package uses it. Names and meanings are Kubernetes'.
 */
import type {
  Affinity,
  LabelSelector,
  LocalObjectReference,
  NodeSelector,
  PodDNSConfig,
  PodResourceClaim,
  ResourceRequirementsWithoutClaims,
  Toleration,
  TopologySpreadConstraint,
} from './kubernetes.ts';
import type {
  Base64,
  Int32,
  Int64,
  IntOrString,
  Json,
  KubernetesObject,
  ObjectMeta,
  Quantity,
  Time,
} from './meta.ts';

export type ResourceList = Readonly<Record<string, Quantity>>;

export interface PodResources {
  readonly requests?: ResourceList;
  readonly limits?: ResourceList;
  readonly claims?: readonly { readonly name: string; readonly request?: string }[];
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly apiVersion?: string; readonly fieldPath: string };
    readonly resourceFieldRef?: {
      readonly containerName?: string;
      readonly resource: string;
      readonly divisor?: Quantity;
    };
    readonly configMapKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
    readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
  };
}

export interface SELinuxOptions {
  readonly user?: string;
  readonly role?: string;
  readonly type?: string;
  readonly level?: string;
}

export interface SeccompProfile {
  readonly type: 'RuntimeDefault' | 'Unconfined' | 'Localhost';
  readonly localhostProfile?: string;
}

export interface AppArmorProfile {
  readonly type: 'RuntimeDefault' | 'Unconfined' | 'Localhost';
  readonly localhostProfile?: string;
}

export interface SecurityContext {
  readonly runAsUser?: Int64;
  readonly runAsGroup?: Int64;
  readonly runAsNonRoot?: boolean;
  readonly privileged?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  readonly seLinuxOptions?: SELinuxOptions;
  readonly seccompProfile?: SeccompProfile;
  readonly appArmorProfile?: AppArmorProfile;
  readonly procMount?: string;
}

export interface PodSecurityContext {
  readonly runAsUser?: Int64;
  readonly runAsGroup?: Int64;
  readonly runAsNonRoot?: boolean;
  readonly fsGroup?: Int64;
  readonly fsGroupChangePolicy?: string;
  readonly supplementalGroups?: readonly Int64[];
  readonly seLinuxOptions?: SELinuxOptions;
  readonly seccompProfile?: SeccompProfile;
  readonly appArmorProfile?: AppArmorProfile;
  readonly sysctls?: readonly { readonly name: string; readonly value: string }[];
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
  readonly readOnly?: boolean;
  readonly mountPropagation?: 'None' | 'HostToContainer' | 'Bidirectional';
}

export interface PodProbe {
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: {
    readonly path?: string;
    readonly port: IntOrString;
    readonly host?: string;
    readonly scheme?: string;
    readonly httpHeaders?: readonly { readonly name: string; readonly value: string }[];
  };
  readonly tcpSocket?: { readonly port: IntOrString; readonly host?: string };
  readonly grpc?: { readonly port: Int32; readonly service?: string };
  readonly initialDelaySeconds?: Int32;
  readonly timeoutSeconds?: Int32;
  readonly periodSeconds?: Int32;
  readonly successThreshold?: Int32;
  readonly failureThreshold?: Int32;
  readonly terminationGracePeriodSeconds?: Int64;
}

export interface ContainerPort {
  readonly name?: string;
  readonly containerPort: Int32;
  readonly hostPort?: Int32;
  readonly hostIP?: string;
  readonly protocol?: string;
}

export interface LifecycleHandler {
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: PodProbe['httpGet'];
  readonly tcpSocket?: PodProbe['tcpSocket'];
  readonly sleep?: { readonly seconds: Int64 };
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly {
    readonly prefix?: string;
    readonly configMapRef?: { readonly name: string; readonly optional?: boolean };
    readonly secretRef?: { readonly name: string; readonly optional?: boolean };
  }[];
  readonly resources?: PodResources;
  readonly restartPolicy?: 'Always';
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly { readonly name: string; readonly devicePath: string }[];
  readonly livenessProbe?: PodProbe;
  readonly readinessProbe?: PodProbe;
  readonly startupProbe?: PodProbe;
  readonly lifecycle?: { readonly postStart?: LifecycleHandler; readonly preStop?: LifecycleHandler };
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly securityContext?: SecurityContext;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
}

export interface KeyToPath {
  readonly key: string;
  readonly path: string;
  readonly mode?: Int32;
}

export interface PodVolumeSource {
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: Quantity };
  readonly hostPath?: { readonly path: string; readonly type?: string };
  readonly configMap?: {
    readonly name?: string;
    readonly items?: readonly KeyToPath[];
    readonly optional?: boolean;
    readonly defaultMode?: Int32;
  };
  readonly secret?: {
    readonly secretName?: string;
    readonly items?: readonly KeyToPath[];
    readonly optional?: boolean;
    readonly defaultMode?: Int32;
  };
  readonly downwardAPI?: {
    readonly items?: readonly {
      readonly path: string;
      readonly fieldRef?: { readonly fieldPath: string; readonly apiVersion?: string };
      readonly resourceFieldRef?: {
        readonly containerName?: string;
        readonly resource: string;
        readonly divisor?: Quantity;
      };
      readonly mode?: Int32;
    }[];
    readonly defaultMode?: Int32;
  };
  readonly projected?: {
    readonly sources?: readonly {
      readonly configMap?: Omit<NonNullable<PodVolumeSource['configMap']>, 'defaultMode'>;
      readonly secret?: {
        readonly name?: string;
        readonly items?: readonly KeyToPath[];
        readonly optional?: boolean;
      };
      readonly downwardAPI?: Omit<NonNullable<PodVolumeSource['downwardAPI']>, 'defaultMode'>;
      readonly serviceAccountToken?: {
        readonly audience?: string;
        readonly expirationSeconds?: Int64;
        readonly path: string;
      };
    }[];
    readonly defaultMode?: Int32;
  };
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean };
  readonly image?: { readonly reference?: string; readonly pullPolicy?: 'Always' | 'IfNotPresent' | 'Never' };
}

export interface PodVolume extends PodVolumeSource {
  readonly name: string;
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly PodVolume[];
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  readonly terminationGracePeriodSeconds?: Int64;
  readonly activeDeadlineSeconds?: Int64;
  readonly dnsPolicy?: string;
  readonly dnsConfig?: PodDNSConfig;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly nodeName?: string;
  readonly serviceAccountName?: string;
  readonly serviceAccount?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly hostUsers?: boolean;
  readonly securityContext?: PodSecurityContext;
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly affinity?: Affinity;
  readonly schedulerName?: string;
  readonly tolerations?: readonly Toleration[];
  readonly hostAliases?: readonly { readonly ip: string; readonly hostnames?: readonly string[] }[];
  readonly priorityClassName?: string;
  readonly priority?: Int32;
  readonly preemptionPolicy?: string;
  readonly readinessGates?: readonly { readonly conditionType: string }[];
  readonly runtimeClassName?: string;
  readonly enableServiceLinks?: boolean;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly overhead?: ResourceList;
  readonly resourceClaims?: readonly PodResourceClaim[];
  readonly schedulingGates?: readonly { readonly name: string }[];
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: Time;
  readonly lastProbeTime?: Time | null;
  readonly observedGeneration?: Int64;
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: Time };
  readonly terminated?: {
    readonly exitCode: Int32;
    readonly signal?: Int32;
    readonly reason?: string;
    readonly message?: string;
    readonly startedAt?: Time;
    readonly finishedAt?: Time;
    readonly containerID?: string;
  };
}

export interface ContainerStatus {
  readonly name: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restartCount: Int32;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
}

export interface PodStatus {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly conditions?: readonly Condition[];
  readonly message?: string;
  readonly reason?: string;
  readonly nominatedNodeName?: string;
  readonly hostIP?: string;
  readonly hostIPs?: readonly { readonly ip: string }[];
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly startTime?: Time;
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly qosClass?: 'Guaranteed' | 'Burstable' | 'BestEffort';
}

export interface Pod extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly timeAdded?: Time;
}

export interface Node extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly podCIDR?: string;
    readonly podCIDRs?: readonly string[];
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
    readonly providerID?: string;
  };
  readonly status?: {
    readonly capacity?: ResourceList;
    readonly allocatable?: ResourceList;
    readonly conditions?: readonly Condition[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly nodeInfo?: Readonly<Record<string, string>>;
    readonly images?: readonly Json[];
    readonly daemonEndpoints?: Json;
  };
}

/** The object whose content a claim starts with. */
export interface ClaimSource {
  readonly apiGroup?: string | null;
  readonly kind: string;
  readonly name: string;
}

export interface PersistentVolumeClaim extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly accessModes?: readonly string[];
    readonly resources?: ResourceRequirementsWithoutClaims;
    readonly storageClassName?: string;
    readonly volumeMode?: 'Filesystem' | 'Block';
    readonly volumeName?: string;
    readonly selector?: LabelSelector;
    readonly dataSource?: ClaimSource;
    readonly dataSourceRef?: ClaimSource & { readonly namespace?: string };
  };
  readonly status?: {
    readonly phase?: 'Pending' | 'Bound' | 'Lost';
    readonly accessModes?: readonly string[];
    readonly capacity?: ResourceList;
    readonly conditions?: readonly Condition[];
  };
}

export interface PersistentVolume extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly capacity?: ResourceList;
    readonly accessModes?: readonly string[];
    readonly persistentVolumeReclaimPolicy?: string;
    readonly storageClassName?: string;
    readonly volumeMode?: 'Filesystem' | 'Block';
    readonly claimRef?: Readonly<Record<string, string>>;
    readonly local?: { readonly path: string };
    readonly hostPath?: { readonly path: string; readonly type?: string };
    readonly nodeAffinity?: { readonly required?: NodeSelector };
  };
  readonly status?: { readonly phase?: string; readonly message?: string };
}

export interface StorageClass extends KubernetesObject {
  readonly provisioner: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: string;
  readonly volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer';
  readonly allowVolumeExpansion?: boolean;
}

export interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, Base64>>;
  readonly immutable?: boolean;
}

export interface Secret extends KubernetesObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, Base64>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

export interface Namespace extends KubernetesObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: 'Active' | 'Terminating'; readonly conditions?: readonly Condition[] };
}

export interface Lease extends KubernetesObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: Int32;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: Int32;
  };
}

export interface ControllerRevision extends KubernetesObject {
  readonly data?: Json;
  readonly revision: Int64;
}

export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}
