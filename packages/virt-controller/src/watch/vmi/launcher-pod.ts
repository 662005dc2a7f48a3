/** The launcher Pod as it is created: the translation, under its own name, managed by the VMI. Pure. */
import { claimName, type ClusterConfig, labels, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import {
  backupAnnotations,
  type ClaimFacts,
  type ContainerDiskForm,
  type MigrationTarget,
  type NamespaceFacts,
  networkAnnotations,
  renderLauncherPod,
} from '@podvisor/translate';
import { currentStateClaim, stateOwner } from '../backend-storage/state-claim.ts';
import { controllerReference } from '../ownership.ts';
import { launcherPodName } from './pod-name.ts';
import { launcherTolerations } from './tolerations.ts';
import type { VolumeView } from './volumes.ts';

export interface LauncherPodContext {
  readonly launcherImage: string;
  readonly passtSeccompProfile?: string;
  readonly virtiofsSeccompProfile?: string;
  readonly runtimeDefaultSeccomp?: boolean;
  readonly config: ClusterConfig;
  readonly containerDisks: ContainerDiskForm;
  readonly volumes: VolumeView;
  readonly namespace?: NamespaceFacts;
  /** Where the state is; absent: where it is now. */
  readonly stateClaim?: string;
  /** Set for a Pod that the guest is to move to. */
  readonly migrationTarget?: MigrationTarget;
}

export function buildLauncherPod(vmi: VirtualMachineInstance, context: LauncherPodContext): Pod {
  const { launcherImage, config, migrationTarget, namespace: facts, volumes } = context;
  const { containerDisks } = context;
  const { passtSeccompProfile, virtiofsSeccompProfile, runtimeDefaultSeccomp = false } = context;
  const stateClaim =
    context.stateClaim ?? currentStateClaim(vmi, volumes.ownedClaims?.(stateOwner(vmi)) ?? []);
  const pod = renderLauncherPod(vmi, {
    launcherImage,
    ...(passtSeccompProfile === undefined ? {} : { passtSeccompProfile }),
    ...(virtiofsSeccompProfile === undefined ? {} : { virtiofsSeccompProfile }),
    runtimeDefaultSeccomp,
    config,
    containerDisks,
    claims: claimFacts(vmi, volumes),
    ...(stateClaim && { stateClaim }),
    annotations: { ...backupAnnotations(vmi), ...networkAnnotations(vmi, config) },
    ...(facts && { namespace: facts }),
    ...(migrationTarget && { migrationTarget }),
  });
  const { name = '', uid = '', namespace } = vmi.metadata ?? {};
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name: launcherPodName(name, migrationTarget?.migrationUid ?? uid),
      namespace,
      labels: { ...pod.metadata.labels, [labels.createdBy]: uid },
      ownerReferences: [controllerReference(vmi, 'kubevirt.io/v1', 'VirtualMachineInstance')],
    },
    spec: { ...pod.spec, tolerations: launcherTolerations(pod.spec.tolerations) },
  };
}

function claimFacts(vmi: VirtualMachineInstance, volumes: VolumeView): Readonly<Record<string, ClaimFacts>> {
  const facts: Record<string, ClaimFacts> = {};
  for (const volume of vmi.spec.volumes ?? []) {
    const name = claimName(volume);
    const claim = name === undefined ? undefined : volumes.claim(name);
    if (name === undefined || claim === undefined) continue;
    facts[name] = {
      block: claim.spec.volumeMode === 'Block',
      shared: claim.spec.accessModes?.includes('ReadWriteMany') ?? false,
      ...(claim.metadata?.uid && { uid: claim.metadata.uid }),
    };
  }
  return facts;
}
