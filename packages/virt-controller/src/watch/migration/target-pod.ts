/** The Pod that a guest moves to. Pure. */
import type { Node, Pod, VirtualMachineInstance, VirtualMachineInstanceMigration } from '@podvisor/api';
import { fitMigrationTarget, hasHostModelCpu, seLinuxLevelOf } from '@podvisor/translate';
import { targetStateClaimName } from '../backend-storage/hand-over.ts';
import { sourceImages } from './source-images.ts';
import { buildLauncherPod, type LauncherPodContext } from '../vmi/launcher-pod.ts';

export interface TargetPodContext extends LauncherPodContext {
  /** The node that the guest leaves; undefined when it is not known. */
  readonly sourceNode: Node | undefined;
  /** The Pod that the guest leaves. */
  readonly sourcePod: Pod | undefined;
}

/** Throws while the source is not known well enough to choose a node for the guest's CPU. */
export function buildTargetPod(
  migration: VirtualMachineInstanceMigration,
  vmi: VirtualMachineInstance,
  context: TargetPodContext,
): Pod {
  const { sourceNode, sourcePod, config } = context;
  if (sourceNode === undefined && hasHostModelCpu(vmi))
    throw new Error(`node ${vmi.status?.nodeName} is not known, so neither is the CPU of the guest`);
  const level = config.migrations.matchSELinuxLevelOnMigration
    ? seLinuxLevelOf(vmi.status?.selinuxContext)
    : undefined;
  const stateClaim = targetStateClaimName(migration, vmi, context.volumes);
  const pod = buildLauncherPod(vmi, {
    ...context,
    ...(stateClaim === undefined ? {} : { stateClaim }),
    migrationTarget: {
      migrationUid: migration.metadata?.uid ?? '',
      migrationName: migration.metadata?.name ?? '',
      imageIds: sourceImages(vmi, sourcePod),
      ...(level === undefined ? {} : { seLinuxLevel: level }),
    },
  });
  const source = {
    nodeLabels: sourceNode?.metadata.labels ?? {},
    podNodeSelector: sourcePod?.spec.nodeSelector ?? {},
  };
  return fitMigrationTarget(pod, vmi, source, migration.spec.addedNodeSelector);
}
