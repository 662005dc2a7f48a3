/**
 * virt-operator's loop: look, decide, write. One key for everything, because everything follows from one object. It is
 * woken by whatever it follows; a certificate that must be renewed wakes it by time.
 */
import { API_VERSION, annotations, type KubernetesObject, type KubeVirt } from '@podvisor/api';
import { type Clock, isStatus, messageOf } from '@podvisor/base';
import {
  type EventRecorder,
  type KubeClient,
  type Log,
  type ReconcileResult,
  resources,
} from '@podvisor/kube';
import { nodeOfLease, planIdentity } from '../certificates/node-identity.ts';
import { type CertificatePlan, planCertificates } from '../certificates/plan.ts';
import { certificateSettings } from '../certificates/settings.ts';
import { certificateObjects, storedCertificates } from '../certificates/stored.ts';
import { applyCatalogue, isCatalogueEnabled } from '../catalogue/apply-catalogue.ts';
import { customized, CustomizeError } from '../install/customize.ts';
import {
  CDI_CRD,
  chooseDataVolumes,
  DATA_VOLUME_CRD,
  type DataVolumesChoice,
} from '../install/data-volumes/choice.ts';
import { handOver, toHandOver } from '../install/data-volumes/hand-over.ts';
import { ensureHibernationKey, hibernationKeyIn } from '../install/hibernation-key.ts';
import type { Manifest } from '../install/manifest.ts';
import { owned } from '../install/ownership.ts';
import { resourceOf } from '../install/resource-of.ts';
import type { Monitoring } from '../install/settings.ts';
import {
  defaultArchitecture,
  deploymentOf,
  type OperatorImage,
  podComponents,
} from '../install/settings-of.ts';
import { installStrategy } from '../install/strategy.ts';
import { type Deployment, type InstallState, plannedStatus, type StatusFacts } from '../status/status.ts';
import { takeUninstallStep } from '../uninstall/uninstall.ts';
import { applyAll, ApplyError, BlockedError, removeAll } from './apply.ts';
import type { Caches } from './caches.ts';
import { planObjects } from './plan.ts';
import { stuckPod, withoutNode } from './rollout.ts';
import { AppliedObjects } from './applied-objects.ts';

/** As KubeVirt's, so that its clients and ours see the same. */
export const FINALIZER = 'foregroundDeleteKubeVirt';
/** Steps of an uninstallation wait for objects that are not followed: guests, mostly. */
const UNINSTALL_AGAIN_MS = 1_000;
const BLOCKED_AGAIN_MS = 15_000;
const CATALOGUE_AGAIN_MS = 2_000;

export interface OperatorOptions {
  readonly client: KubeClient;
  readonly caches: Caches;
  readonly events: EventRecorder;
  /** Namespace of virt-operator; a KubeVirt object elsewhere is not installed. */
  readonly namespace: string;
  readonly image: OperatorImage;
  readonly monitoringKinds: Monitoring['kinds'];
  /** Where the page of an alert (`%s`) is; absent: its path in the repository. */
  readonly runbooks?: string;
  /** Why this cluster cannot be used; undefined: it can. */
  unsupported(signal: AbortSignal): Promise<string | undefined>;
  readonly clock: Clock;
  readonly log: Log;
}

export class OperatorController {
  readonly #options: OperatorOptions;
  readonly #applied = new AppliedObjects();
  /** The catalogue that was applied last. */
  #catalogue: string | undefined;
  /** UID of the KubeVirt object whose key for hibernated guests was seen. */
  #hasKey: string | undefined;

  constructor(options: OperatorOptions) {
    this.#options = options;
  }

  /** Nothing can be decided for want of rights: only that is said. */
  async tellMissing(message: string, signal: AbortSignal): Promise<ReconcileResult> {
    const [first] = this.#kubeVirts();
    if (first === undefined) return { requeueAfterMs: BLOCKED_AGAIN_MS };
    return this.#block(first, 'MissingPermissions', message, signal);
  }

  /** The one that is installed comes first. */
  #kubeVirts(): readonly KubeVirt[] {
    const { caches, namespace } = this.#options;
    return caches.kubeVirts.list().toSorted((a, b) => rank(a, namespace) - rank(b, namespace));
  }

  async reconcile(signal: AbortSignal): Promise<ReconcileResult> {
    const [first, ...others] = this.#kubeVirts();
    for (const other of others) await this.#refuse(other, first, signal);
    if (first === undefined) return;
    if (first.metadata?.namespace !== this.#options.namespace)
      return this.#block(
        first,
        'WrongNamespace',
        `virt-operator installs in its own namespace only: create the KubeVirt object in namespace ${this.#options.namespace}`,
        signal,
      );
    if (first.metadata?.deletionTimestamp !== undefined) return this.#uninstall(first, signal);
    const unsupported = await this.#options.unsupported(signal);
    if (unsupported !== undefined) return this.#block(first, 'UnsupportedKubernetes', unsupported, signal);
    try {
      return await this.#install(first, signal);
    } catch (error) {
      if (error instanceof BlockedError) return this.#block(first, error.reason, error.message, signal);
      if (error instanceof CustomizeError)
        return this.#block(first, 'InvalidCustomization', error.message, signal);
      if (error instanceof ApplyError)
        await this.#tell(
          first,
          { kind: 'deploying', created: false, message: error.message },
          this.#target(first).deployment,
          signal,
        );
      throw error;
    }
  }

  async #install(kubevirt: KubeVirt, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, caches, namespace, clock } = this.#options;
    if (kubevirt.metadata?.finalizers?.includes(FINALIZER) !== true)
      return this.#addFinalizer(kubevirt, signal);
    const live = caches.installed();
    const choice = await this.#dataVolumes(kubevirt, live, signal);
    // Once they are not among what we follow, an event brings us here again.
    if (choice.handOver === true) return handOver(client, toHandOver(live), signal);
    const { components, deployment } = this.#target(kubevirt);
    const certificates = planCertificates(
      storedCertificates(live, namespace),
      certificateSettings(kubevirt, namespace),
      clock.now(),
    );
    const strategy = installStrategy({
      namespace,
      caBundle: certificates.bundle.join(''),
      components,
      dataVolumes: choice.dataVolumes,
    });
    const mark = (object: Manifest): Manifest => owned(object, kubevirt, deployment);
    if (this.#hasKey !== kubevirt.metadata.uid) await ensureHibernationKey(client, namespace, mark, signal);
    this.#hasKey = kubevirt.metadata.uid;
    const wanted = [
      ...hibernationKeyIn(live, namespace),
      ...customized(
        [...certificateObjects(certificates, namespace), ...strategy],
        kubevirt.spec.customizeComponents?.patches,
      ).map(mark),
    ];
    const observed = kubevirt.status?.observedDeploymentID;
    const isUpdate = observed !== undefined && observed !== deployment.id;
    const plan = planObjects(wanted, live, isUpdate, this.#applied);
    await applyAll(client, plan.apply, live, namespace, this.#applied, signal);
    await removeAll(client, plan.remove, signal);
    await this.#certifyNodes(kubevirt, certificates, signal);
    const isReady = plan.apply.length === 0 && plan.waitsFor === undefined;
    const stuck = plan.waitsFor === undefined ? undefined : this.#stuck(plan.waitsFor, live);
    if (stuck !== undefined) this.#options.events.event(kubevirt, 'Warning', 'ComponentNotReady', stuck);
    const message = stuck ?? (plan.waitsFor === undefined ? undefined : `waiting for ${plan.waitsFor}`);
    await this.#tell(
      kubevirt,
      isReady
        ? { kind: 'deployed' }
        : { kind: 'deploying', created: plan.created, ...(message === undefined ? {} : { message }) },
      deployment,
      signal,
      choice.said,
    );
    const hasCatalogue = !isReady || (await this.#keepCatalogue(kubevirt, deployment, signal));
    // Whether others have gone is not followed.
    const again = choice.said?.status === 'False' ? BLOCKED_AGAIN_MS : certificates.againAfterMs;
    return { requeueAfterMs: hasCatalogue ? again : CATALOGUE_AGAIN_MS };
  }

  /** Why a component does not become ready, where that can be seen. */
  #stuck(component: string, live: ReadonlyMap<string, KubernetesObject>): string | undefined {
    const { caches, namespace } = this.#options;
    return (
      stuckPod(caches.pods.list(), component) ??
      withoutNode(live.get(`DaemonSet ${namespace}/${component}`), caches.nodes.list())
    );
  }

  /** A definition of others is not among what we follow: it is asked for, when somebody wants DataVolumes of ours. */
  async #dataVolumes(
    kubevirt: KubeVirt,
    live: ReadonlyMap<string, KubernetesObject>,
    signal: AbortSignal,
  ): Promise<DataVolumesChoice> {
    const resource = resourceOf({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' });
    const own = live.get(`CustomResourceDefinition ${DATA_VOLUME_CRD}`);
    const withoutOthers = chooseDataVolumes(kubevirt, { dataVolumes: own });
    if (withoutOthers.dataVolumes === 'absent') return withoutOthers;
    const find = (name: string) => this.#options.client.find(resource, { name }, signal);
    return chooseDataVolumes(kubevirt, {
      dataVolumes: own ?? (await find(DATA_VOLUME_CRD)),
      cdi: await find(CDI_CRD),
    });
  }

  #target(kubevirt: KubeVirt): { components: ReturnType<typeof podComponents>; deployment: Deployment } {
    const { caches, image, monitoringKinds, runbooks } = this.#options;
    const components = podComponents(kubevirt, image, {
      nodes: caches.nodes.list(),
      monitoringKinds,
      ...(runbooks === undefined ? {} : { runbooks }),
    });
    return { components, deployment: deploymentOf(kubevirt, components) };
  }

  /** Answers the requests in the Leases of virt-handlers. */
  async #certifyNodes(kubevirt: KubeVirt, plan: CertificatePlan, signal: AbortSignal): Promise<void> {
    const { client, caches, namespace, clock, log } = this.#options;
    const settings = certificateSettings(kubevirt, namespace);
    const pods = caches.pods
      .list()
      .filter(({ metadata }) => metadata.labels?.['kubevirt.io'] === 'virt-handler');
    for (const lease of caches.leases.list()) {
      const node = nodeOfLease(lease);
      const onNode = pods.filter(({ spec }) => spec.nodeName === node);
      const asked = onNode.find(({ metadata }) => isAskedBy(lease.metadata?.annotations, metadata.uid));
      const answer = planIdentity(
        lease,
        { pod: asked, ca: plan.ca, bundle: plan.bundle, settings },
        clock.now(),
      );
      if (answer === undefined) continue;
      const body = { metadata: { annotations: { [annotations.certificates]: JSON.stringify(answer) } } };
      const key = { namespace, name: lease.metadata?.name ?? '' };
      await client.patch(resources.leases, key, { type: 'merge', body }, signal);
      log.info({ node }, 'keys of virt-handler were certified');
    }
  }

  /** Instance types and preferences, once virt-api answers for their webhooks; false: it does not yet. */
  async #keepCatalogue(kubevirt: KubeVirt, { id }: Deployment, signal: AbortSignal): Promise<boolean> {
    const enabled = isCatalogueEnabled(kubevirt);
    const wanted = `${id} ${enabled}`;
    if (this.#catalogue === wanted) return true;
    try {
      await applyCatalogue(this.#options.client, enabled, signal);
      this.#catalogue = wanted;
      return true;
    } catch (error) {
      this.#options.log.info(
        { error: messageOf(error) },
        'the catalogue of instance types waits for virt-api',
      );
      return false;
    }
  }

  async #uninstall(kubevirt: KubeVirt, signal: AbortSignal): Promise<ReconcileResult> {
    const { client } = this.#options;
    const finalizers = kubevirt.metadata?.finalizers ?? [];
    if (!finalizers.includes(FINALIZER)) return;
    const step = await takeUninstallStep(this.#options, kubevirt, signal);
    if (step.kind === 'done') {
      const body = { metadata: { finalizers: finalizers.filter((name) => name !== FINALIZER) } };
      await client.patch(resources.kubeVirts, keyOf(kubevirt), { type: 'merge', body }, signal);
      return;
    }
    await this.#tell(
      kubevirt,
      { kind: 'deleting', message: step.message },
      this.#target(kubevirt).deployment,
      signal,
    );
    return { requeueAfterMs: UNINSTALL_AGAIN_MS };
  }

  async #addFinalizer(kubevirt: KubeVirt, signal: AbortSignal): Promise<void> {
    const finalizers = [...(kubevirt.metadata?.finalizers ?? []), FINALIZER];
    const { resourceVersion } = kubevirt.metadata ?? {};
    const body = { metadata: { finalizers, resourceVersion } };
    await this.#options.client.patch(resources.kubeVirts, keyOf(kubevirt), { type: 'merge', body }, signal);
  }

  async #refuse(other: KubeVirt, first: KubeVirt | undefined, signal: AbortSignal): Promise<void> {
    const name = `${first?.metadata?.namespace}/${first?.metadata?.name}`;
    await this.#block(
      other,
      'ExistingDeployment',
      `There is an active KubeVirt deployment already, ${name}; a cluster has one. Delete this object`,
      signal,
    );
  }

  async #block(
    kubevirt: KubeVirt,
    reason: string,
    message: string,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const isNews = !(kubevirt.status?.conditions ?? []).some(
      (condition) => condition.reason === reason && condition.message === message,
    );
    if (isNews) this.#options.events.event(kubevirt, 'Warning', reason, message);
    await this.#tell(
      kubevirt,
      { kind: 'blocked', reason, message },
      this.#target(kubevirt).deployment,
      signal,
    );
    return { requeueAfterMs: BLOCKED_AGAIN_MS };
  }

  async #tell(
    kubevirt: KubeVirt,
    state: InstallState,
    target: Deployment,
    signal: AbortSignal,
    dataVolumes?: StatusFacts['dataVolumes'],
  ): Promise<void> {
    const { client, caches, clock, log } = this.#options;
    const facts = {
      state,
      operatorVersion: API_VERSION,
      target,
      defaultArchitecture: defaultArchitecture(caches.nodes.list()),
      ...(dataVolumes === undefined ? {} : { dataVolumes }),
    };
    const status = plannedStatus(kubevirt, facts, clock.now());
    if (status === undefined) return;
    try {
      await client.updateStatus(resources.kubeVirts, { ...kubevirt, status }, {}, signal);
    } catch (error) {
      // Somebody wrote in between: their event brings us here again.
      if (isStatus(error, 'Conflict') || isStatus(error, 'NotFound')) return;
      log.warn({ error: messageOf(error) }, 'the status of the KubeVirt object could not be written');
      throw error;
    }
  }
}

function isAskedBy(found: Readonly<Record<string, string>> | undefined, uid: string | undefined): boolean {
  return uid !== undefined && (found?.[annotations.certificateRequest] ?? '').includes(uid);
}

function keyOf({ metadata }: KubeVirt): { readonly namespace?: string; readonly name: string } {
  return { namespace: metadata?.namespace, name: metadata?.name ?? '' };
}

/** The one that is installed: of our namespace, and the first of these. */
function rank({ metadata }: KubeVirt, namespace: string): number {
  const elsewhere = metadata?.namespace === namespace ? 0 : Number.MAX_SAFE_INTEGER / 2;
  return elsewhere + Date.parse(metadata?.creationTimestamp ?? '');
}
