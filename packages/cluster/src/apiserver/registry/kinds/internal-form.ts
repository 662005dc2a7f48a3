/**
 * Some refusals show what changed as a diff of the object in Kubernetes' internal form: Go's field names in Go's
 * order, nulls included. This is that form of the parts that such refusals are about. Pure.
 */
import { unifiedDiff } from '../../wire/unified-diff.ts';
import { asObject, type Json, type JsonObject } from '../../wire/json.ts';

/**
 * Fields in order: `Name` is null when not given; `Name:zero` has that zero value instead; `Name=key` is called so in
 * the API; `Name>Form` is an object of another form, `Name>>Form` a list of them, `Name!>Form` always there.
 */
const FORMS: Readonly<Record<string, string>> = {
  PodSpec:
    'Volumes>>Volume InitContainers>>Container Containers>>Container EphemeralContainers>>EphemeralContainer RestartPolicy:"" TerminationGracePeriodSeconds ActiveDeadlineSeconds DNSPolicy=dnsPolicy:"" NodeSelector ServiceAccountName:"" AutomountServiceAccountToken NodeName:"" SecurityContext>PodSecurityContext ImagePullSecrets>>LocalObjectReference Hostname:"" Subdomain:"" SetHostnameAsFQDN Affinity SchedulerName:"" Tolerations>>Toleration HostAliases PriorityClassName:"" Priority PreemptionPolicy DNSConfig=dnsConfig ReadinessGates RuntimeClassName Overhead EnableServiceLinks TopologySpreadConstraints OS=os SchedulingGates ResourceClaims Resources HostnameOverride',
  Container:
    'Name:"" Image:"" Command Args WorkingDir:"" Ports>>ContainerPort EnvFrom Env>>EnvVar Resources!>Resources ResizePolicy RestartPolicy RestartPolicyRules VolumeMounts>>VolumeMount VolumeDevices LivenessProbe ReadinessProbe StartupProbe Lifecycle TerminationMessagePath:"" TerminationMessagePolicy:"" ImagePullPolicy:"" SecurityContext Stdin:false StdinOnce:false TTY=tty:false',
  EphemeralContainer:
    'Name:"" Image:"" Command Args WorkingDir:"" Ports>>ContainerPort EnvFrom Env>>EnvVar Resources!>Resources ResizePolicy RestartPolicy RestartPolicyRules VolumeMounts>>VolumeMount VolumeDevices LivenessProbe ReadinessProbe StartupProbe Lifecycle TerminationMessagePath:"" TerminationMessagePolicy:"" ImagePullPolicy:"" SecurityContext Stdin:false StdinOnce:false TTY=tty:false TargetContainerName:""',
  Resources: 'Limits Requests Claims',
  ContainerPort: 'Name:"" HostPort:0 ContainerPort:0 Protocol:"" HostIP:""',
  EnvVar: 'Name:"" Value:"" ValueFrom',
  VolumeMount:
    'Name:"" ReadOnly:false RecursiveReadOnly MountPath:"" SubPath:"" MountPropagation SubPathExpr:""',
  LocalObjectReference: 'Name:""',
  Toleration: 'Key:"" Operator:"" Value:"" Effect:"" TolerationSeconds',
  PodSecurityContext:
    'HostNetwork:false HostPID=hostPID:false HostIPC=hostIPC:false ShareProcessNamespace HostUsers SELinuxOptions=seLinuxOptions WindowsOptions RunAsUser RunAsGroup RunAsNonRoot SupplementalGroups SupplementalGroupsPolicy FSGroup=fsGroup FSGroupChangePolicy=fsGroupChangePolicy Sysctls SeccompProfile AppArmorProfile SELinuxChangePolicy=seLinuxChangePolicy',
  Volume:
    'Name:"" HostPath EmptyDir GCEPersistentDisk=gcePersistentDisk AWSElasticBlockStore=awsElasticBlockStore GitRepo Secret NFS=nfs ISCSI=iscsi Glusterfs PersistentVolumeClaim RBD=rbd Quobyte FlexVolume Cinder CephFS=cephfs Flocker DownwardAPI FC=fc AzureFile ConfigMap VsphereVolume AzureDisk PhotonPersistentDisk Projected PortworxVolume ScaleIO StorageOS=storageos CSI=csi Ephemeral Image',
  ClaimSpec:
    'AccessModes Selector Resources!>ClaimResources VolumeName:"" StorageClassName VolumeMode DataSource DataSourceRef VolumeAttributesClassName',
  ClaimResources: 'Limits Requests',
};

/** What the pod itself says in the API is part of its security context in the internal form. */
const HOST_FIELDS = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];

const FIELD = /^(\w+?)(?:=(\w+))?(?::(.+?))?(?:(!?>>?)(\w+))?$/;

function formOf(name: string, object: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const word of (FORMS[name] ?? '').split(' ')) {
    const [, field = '', key, zero, arrow, inner = ''] = FIELD.exec(word) ?? [];
    const value = object[key ?? `${field.slice(0, 1).toLowerCase()}${field.slice(1)}`];
    out[field] = fieldOf(value, zero, arrow, inner);
  }
  return out;
}

function fieldOf(
  value: Json | undefined,
  zero: string | undefined,
  arrow: string | undefined,
  inner: string,
): Json {
  if (arrow === '!>') return formOf(inner, asObject(value) ?? {});
  if (value === undefined || value === null) return zero === undefined ? null : (JSON.parse(zero) as Json);
  if (arrow === '>') return formOf(inner, asObject(value) ?? {});
  if (arrow === '>>' && Array.isArray(value)) return value.map((item) => formOf(inner, asObject(item) ?? {}));
  return value;
}

const text = (form: JsonObject): string => JSON.stringify(form, undefined, 1);

/** What changed between two Pod specs. */
export function podSpecDiff(from: JsonObject, to: JsonObject): string {
  const whole = (spec: JsonObject): JsonObject => ({
    ...spec,
    securityContext: {
      ...asObject(spec['securityContext']),
      ...Object.fromEntries(
        HOST_FIELDS.flatMap((key) => (spec[key] === undefined ? [] : [[key, spec[key]]])),
      ),
    },
  });
  return unifiedDiff(text(formOf('PodSpec', whole(from))), text(formOf('PodSpec', whole(to))));
}

/** What changed between two specs of claims. */
export function claimSpecDiff(from: JsonObject, to: JsonObject): string {
  return unifiedDiff(text(formOf('ClaimSpec', from)), text(formOf('ClaimSpec', to)));
}
