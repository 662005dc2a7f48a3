/**
 * The interfaces of Kubernetes' kinds are made from the API server's description of them. Here the compiler holds each
 * against a second source, `kubernetes-types`, made from Kubernetes' own. A field that one of the two does not have, or
 * has with another type, is a path that `Nothing` does not allow, and the error names it.
 */
import { test } from 'node:test';
import type * as api from '@podvisor/api';
import type * as extensions from 'kubernetes-types/apiextensions/v1.js';
import type * as apps from 'kubernetes-types/apps/v1.js';
import type * as autoscaling from 'kubernetes-types/autoscaling/v2.js';
import type * as batch from 'kubernetes-types/batch/v1.js';
import type * as certificates from 'kubernetes-types/certificates/v1.js';
import type * as coordination from 'kubernetes-types/coordination/v1.js';
import type * as core from 'kubernetes-types/core/v1.js';
import type * as discovery from 'kubernetes-types/discovery/v1.js';
import type * as meta from 'kubernetes-types/meta/v1.js';
import type * as networking from 'kubernetes-types/networking/v1.js';
import type * as policy from 'kubernetes-types/policy/v1.js';
import type * as storage from 'kubernetes-types/storage/v1.js';

type Primitive = string | number | boolean | bigint | null | undefined;

/** Paths of fields of `Ours` that `Theirs` lacks or has with another type; `never` when there are none. */
type Unknown<Ours, Theirs, Path extends string> = unknown extends Ours | Theirs
  ? never
  : [Ours] extends [Primitive]
    ? [Ours & Theirs] extends [never]
      ? Path
      : never
    : Ours extends readonly (infer Item)[]
      ? Theirs extends readonly (infer Other)[]
        ? Unknown<Item, Other, `${Path}[]`>
        : Path
      : string extends keyof Ours
        ? Theirs extends object
          ? never
          : Path
        : {
            // A schema holds schemas without end.
            [Key in Exclude<keyof Ours & string, 'openAPIV3Schema'>]: Key extends keyof Theirs
              ? Unknown<NonNullable<Ours[Key]>, NonNullable<Theirs[Key]>, `${Path}.${Key}`>
              : `${Path}.${Key}`;
          }[Exclude<keyof Ours & string, 'openAPIV3Schema'>];

/** Fields that came to Kubernetes after 1.30, the last version that `kubernetes-types` describes. */
type Newer =
  | `${string}.${'claims[].request' | 'valueFrom.fileKeyRef' | 'volumes[].image' | 'volumeMounts[].volumeStatus'}`
  | `${string}.${'restartPolicyRules' | 'stopSignal' | 'allocatedResourcesStatus' | 'user'}`
  | `${string}.resourceClaims[].${'resourceClaimName' | 'resourceClaimTemplateName'}`
  | `${string}.securityContext.${'seLinuxChangePolicy' | 'supplementalGroupsPolicy'}`
  | `${string}.spec.${'hostnameOverride' | 'resources' | 'schedulingGroup'}`
  | `${string}.volumes[].projected.sources[].podCertificate`
  | `Pod.status.${'allocatedResources' | 'extendedResourceClaimStatus' | 'nodeAllocatableResourceClaimStatuses'}`
  | `Pod.status.${'observedGeneration' | 'resources'}`
  | `Node.status.${'declaredFeatures' | 'features' | 'nodeInfo.swap'}`
  | 'Node.status.runtimeHandlers[].features.userNamespaces'
  | 'EndpointSlice.endpoints[].hints.forNodes'
  | `HorizontalPodAutoscaler.spec.behavior.${'scaleDown' | 'scaleUp'}.tolerance`
  | `Lease.spec.${'preferredHolder' | 'strategy'}`
  | `${'PodDisruptionBudget' | 'CustomResourceDefinition'}.status.observedGeneration`
  | `${'Deployment' | 'ReplicaSet'}.status.terminatingReplicas`;

/** Fields that Kubernetes has dropped since. */
type Dropped = `${string}.resourceClaims[].source`;

/** One interface serves the conditions of all kinds; some have fewer fields. */
type Shared =
  `${string}.conditions[].${'lastHeartbeatTime' | 'lastProbeTime' | 'lastUpdateTime' | 'observedGeneration'}`;

type Nothing<Rest extends never> = Rest;

/** By kind: our interface, the second source. */
interface Kinds {
  Pod: [api.Pod, core.Pod];
  Node: [api.Node, core.Node];
  PersistentVolumeClaim: [api.PersistentVolumeClaim, core.PersistentVolumeClaim];
  PersistentVolume: [api.PersistentVolume, core.PersistentVolume];
  StorageClass: [api.StorageClass, storage.StorageClass];
  ConfigMap: [api.ConfigMap, core.ConfigMap];
  Secret: [api.Secret, core.Secret];
  Namespace: [api.Namespace, core.Namespace];
  Lease: [api.Lease, coordination.Lease];
  ControllerRevision: [api.ControllerRevision, apps.ControllerRevision];
  ObjectReference: [api.ObjectReference, core.ObjectReference];
  ObjectMeta: [api.ObjectMeta, meta.ObjectMeta];
  LabelSelector: [api.LabelSelector, meta.LabelSelector];
  Deployment: [api.Deployment, apps.Deployment];
  ReplicaSet: [api.ReplicaSet, apps.ReplicaSet];
  DaemonSet: [api.DaemonSet, apps.DaemonSet];
  StatefulSet: [api.StatefulSet, apps.StatefulSet];
  Job: [api.Job, batch.Job];
  CronJob: [api.CronJob, batch.CronJob];
  HorizontalPodAutoscaler: [api.HorizontalPodAutoscaler, autoscaling.HorizontalPodAutoscaler];
  PodDisruptionBudget: [api.PodDisruptionBudget, policy.PodDisruptionBudget];
  ResourceQuota: [api.ResourceQuota, core.ResourceQuota];
  Service: [api.Service, core.Service];
  Endpoints: [api.Endpoints, core.Endpoints];
  EndpointSlice: [api.EndpointSlice, discovery.EndpointSlice];
  NetworkPolicy: [api.NetworkPolicy, networking.NetworkPolicy];
  CertificateSigningRequest: [api.CertificateSigningRequest, certificates.CertificateSigningRequest];
  CustomResourceDefinition: [api.CustomResourceDefinition, extensions.CustomResourceDefinition];
}

/** Fields of ours that the second source lacks or has with another type. */
type Invented = { [Kind in keyof Kinds]: Unknown<Kinds[Kind][0], Kinds[Kind][1], Kind> }[keyof Kinds];
/** Fields of the second source that ours lack or have with another type. */
type Missing = { [Kind in keyof Kinds]: Unknown<Kinds[Kind][1], Kinds[Kind][0], Kind> }[keyof Kinds];

export type Checked = [Nothing<Exclude<Invented, Newer | Shared>>, Nothing<Exclude<Missing, Dropped>>];

test('the interfaces of Kubernetes have the fields that Kubernetes has, and no others', () => {
  // The compiler has said so already: this file does not compile otherwise.
});
