/**
 * The interfaces of Kubernetes' kinds are views: they are written by hand and hold what Podvisor reads of a kind. Here
 * the compiler holds each against the API server's description of the kind (`gen/kubernetes.ts` is made from it) and
 * against a second source, `kubernetes-types`, made from Kubernetes' own. A field that one of them does not have, or
 * has with another type, is a path that `Nothing` does not allow, and the error names it.
 */
import { test } from 'node:test';
import type * as api from '@podvisor/api';
import type * as network from '@podvisor/service-network';
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
import type { CertificateSigningRequest } from '../../packages/cluster/src/certificate-signing/decide.ts';
import type { NetworkPolicy } from '../../packages/service-network/src/policies/types.ts';
import type { Autoscaler } from '../../packages/workload-controllers/src/autoscaler/types.ts';
import type { CronJob } from '../../packages/workload-controllers/src/cron-job/types.ts';
import type { DisruptionBudget } from '../../packages/workload-controllers/src/disruption/reconcile.ts';
import type { Quota } from '../../packages/workload-controllers/src/quota/reconcile.ts';
import type * as workloads from '../../packages/workload-controllers/src/workloads/types.ts';
import type { Described } from './gen/kubernetes.ts';

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
  | `${string}.${'containers' | 'initContainers'}[].resources.claims[].request`
  | `${string}.resourceClaims[].resourceClaim${'Name' | 'TemplateName'}`
  | `${string}.volumes[].image`
  | 'Pod.status.conditions[].observedGeneration';

/** One interface serves the conditions of all kinds; some have fewer fields. */
type Shared = `${string}.status.conditions[].${'lastProbeTime' | 'observedGeneration'}`;

type Nothing<Rest extends never> = Rest;

/** By kind: our view, the API server's description, the second source. */
interface Views {
  Pod: [api.Pod, Described['Pod'], core.Pod];
  Node: [api.Node, Described['Node'], core.Node];
  PersistentVolumeClaim: [
    api.PersistentVolumeClaim,
    Described['PersistentVolumeClaim'],
    core.PersistentVolumeClaim,
  ];
  PersistentVolume: [api.PersistentVolume, Described['PersistentVolume'], core.PersistentVolume];
  StorageClass: [api.StorageClass, Described['StorageClass'], storage.StorageClass];
  ConfigMap: [api.ConfigMap, Described['ConfigMap'], core.ConfigMap];
  Secret: [api.Secret, Described['Secret'], core.Secret];
  Namespace: [api.Namespace, Described['Namespace'], core.Namespace];
  Lease: [api.Lease, Described['Lease'], coordination.Lease];
  ControllerRevision: [api.ControllerRevision, Described['ControllerRevision'], apps.ControllerRevision];
  ObjectReference: [api.ObjectReference, Described['ObjectReference'], core.ObjectReference];
  ObjectMeta: [api.ObjectMeta, Described['ObjectMeta'], meta.ObjectMeta];
  LabelSelector: [api.LabelSelector, Described['LabelSelector'], meta.LabelSelector];
  Deployment: [workloads.Deployment, Described['Deployment'], apps.Deployment];
  ReplicaSet: [workloads.ReplicaSet, Described['ReplicaSet'], apps.ReplicaSet];
  DaemonSet: [workloads.DaemonSet, Described['DaemonSet'], apps.DaemonSet];
  StatefulSet: [workloads.StatefulSet, Described['StatefulSet'], apps.StatefulSet];
  Job: [workloads.Job, Described['Job'], batch.Job];
  CronJob: [CronJob, Described['CronJob'], batch.CronJob];
  Autoscaler: [Autoscaler, Described['V2HorizontalPodAutoscaler'], autoscaling.HorizontalPodAutoscaler];
  DisruptionBudget: [DisruptionBudget, Described['PodDisruptionBudget'], policy.PodDisruptionBudget];
  ResourceQuota: [Quota, Described['ResourceQuota'], core.ResourceQuota];
  Service: [network.Service, Described['Service'], core.Service];
  Endpoints: [network.Endpoints, Described['Endpoints'], core.Endpoints];
  EndpointSlice: [network.EndpointSlice, Described['EndpointSlice'], discovery.EndpointSlice];
  NetworkPolicy: [NetworkPolicy, Described['NetworkPolicy'], networking.NetworkPolicy];
  CertificateSigningRequest: [
    CertificateSigningRequest,
    Described['CertificateSigningRequest'],
    certificates.CertificateSigningRequest,
  ];
  CustomResourceDefinition: [
    api.CustomResourceDefinition,
    Described['CustomResourceDefinition'],
    extensions.CustomResourceDefinition,
  ];
}

/** What is found of all views against one of their two sources. */
type Found<Source extends 1 | 2> = {
  [Kind in keyof Views]: Unknown<Views[Kind][0], Views[Kind][Source], Kind>;
}[keyof Views];

export type Checked = [Nothing<Exclude<Found<1>, Shared>>, Nothing<Exclude<Found<2>, Newer | Shared>>];

test('the interfaces of Kubernetes have no field that Kubernetes has not', () => {
  // The compiler has said so already: this file does not compile otherwise.
});
