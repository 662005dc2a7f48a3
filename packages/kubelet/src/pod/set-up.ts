/** What a Pod needs before its first container: devices, network, volumes; independent steps run together. */
import { mkdir } from 'node:fs/promises';
import type { Pod } from '@podvisor/api';
import { readAccessControl } from '../access-control/host.ts';
import { relabelVolumes } from '../access-control/relabel.ts';
import type { KubeletClient, PodEvents } from '../client.ts';
import { type KubeletContext, podDirectory } from '../context.ts';
import type { DeviceManager } from '../device-manager/manager.ts';
import { pullCredentials } from '../images/pull-secrets.ts';
import type { ImageStore } from '../images/store.ts';
import { attach, syncAttachments } from '../network/attachments.ts';
import { defaultSelectionOf } from '../network/multus.ts';
import { keptAddresses } from '../network/kept-address.ts';
import { addressesOf, createPodNetns, plugIn, podNetns, unplug } from '../network/sandbox.ts';
import { checkVolumes, claimUsers } from '../users/pod-users.ts';
import { setUpVolumes } from '../volumes/index.ts';
import type { ServiceAccountTokens } from '../volumes/service-account-token.ts';
import type { PodFacts } from './field-path.ts';
import type { PodMemory } from './memory.ts';
import { writePodFiles } from './pod-files.ts';
import { bootId, type PodRecord, readPodRecord, writePodRecord } from './records.ts';
import { settleAll } from './settle-all.ts';
import { allContainers, uidOf } from './types.ts';

export interface SetUpOptions {
  readonly context: KubeletContext;
  readonly client: KubeletClient;
  readonly images: ImageStore;
  readonly devices: DeviceManager;
  readonly tokens: ServiceAccountTokens;
  readonly allocatable: PodFacts['allocatable'];
  /** Hears of images on their way. */
  readonly events?: PodEvents;
}

/** Idempotent. Throws AdmissionError when the Pod can never run here. */
export async function setUpPod(options: SetUpOptions, memory: PodMemory, pod: Pod): Promise<void> {
  const { context, devices } = options;
  if (allContainers(pod).some((c) => c.resources?.limits !== undefined)) await devices.admit(pod);
  await mkdir(podDirectory(context, uidOf(pod)), { recursive: true, mode: 0o750 });
  // Volumes that show the Pod's address must wait for it; all others are made meanwhile.
  const early = needsAddress(pod) ? undefined : refreshVolumes(options, memory, pod);
  const [network] = await settleAll([setUpNetwork(options, pod), early]);
  if (early === undefined) await refreshVolumes(options, memory, pod);
  checkVolumes(context, pod, memory.volumes ?? new Map());
  const place = { uid: uidOf(pod), userRange: readPodRecord(context, uidOf(pod))?.userRange };
  const { hasSeLinux } = readAccessControl();
  await relabelVolumes(pod, memory.volumes ?? new Map(), place, { hasSeLinux, log: context.log });
  writePodFiles(context, pod, addressesOf(network));
}

/** Makes volumes that are missing and brings projected ones up to date. */
export async function refreshVolumes(options: SetUpOptions, memory: PodMemory, pod: Pod): Promise<void> {
  const { context, client, images, tokens } = options;
  memory.volumesAtMs = context.clock.elapsed();
  memory.volumesShow = shownMetadata(pod);
  memory.volumes = await setUpVolumes(
    {
      kubelet: context,
      client,
      pod,
      facts: podFacts(options, pod),
      image: (reference, policy) =>
        images.ensure(reference, {
          policy,
          signal: memory.ending.signal,
          credentials: () => pullCredentials(client, pod),
          onProgress: ({ reason, message }) => options.events?.event(pod, 'Normal', reason, message),
        }),
    },
    tokens,
  );
}

/** Plugs the running Pod into networks that its annotation names by now, and out of those that it does not. */
export async function refreshNetwork(
  { context, client }: Pick<SetUpOptions, 'context' | 'client'>,
  pod: Pod,
): Promise<void> {
  const netns = podNetns(context, uidOf(pod));
  const { network } = readPodRecord(context, uidOf(pod)) ?? {};
  if (netns !== undefined && network !== undefined)
    await syncAttachments({ context, client, pod, netns }, network);
}

/** The metadata that downward API volumes may show. */
export function shownMetadata({ metadata: { labels, annotations } }: Pod): string {
  return JSON.stringify([labels, annotations]);
}

function needsAddress(pod: Pod): boolean {
  return (pod.spec.volumes ?? []).some((v) =>
    JSON.stringify(v.downwardAPI ?? v.projected ?? '').includes('status.'),
  );
}

async function setUpNetwork(
  { context, client }: Pick<SetUpOptions, 'context' | 'client'>,
  pod: Pod,
): Promise<PodRecord['network']> {
  const uid = uidOf(pod);
  const place: PodRecord = {
    uid,
    namespace: pod.metadata.namespace ?? '',
    name: pod.metadata.name ?? '',
    hostNetwork: pod.spec.hostNetwork === true,
    bootId,
  };
  const known = readPodRecord(context, uid);
  if (known !== undefined && known.tornDown !== true && networkIsUp(context, pod, known))
    return known.network;
  const base: PodRecord = { ...place, ...(await claimUsers(context, pod, known)) };
  writePodRecord(context, base);
  if (base.hostNetwork) return undefined;
  // What an earlier try or an earlier boot left would make the plugin refuse.
  if (known !== undefined) await unplug(context, uid);
  const netns = await createPodNetns(context, uid, base.userRange);
  const replacement = defaultSelectionOf(pod);
  const attaching = { context, client, pod, netns };
  const network =
    replacement === undefined
      ? await plugIn(context, pod, netns, await keptAddresses(client, pod, context.config.nodes))
      : await attach(attaching, replacement);
  await syncAttachments(attaching, network);
  writePodRecord(context, { ...base, network });
  return network;
}

/** True while the namespace that the record tells of is there. */
export function networkIsUp(context: KubeletContext, pod: Pod, record: PodRecord): boolean {
  if (record.bootId !== bootId) return false;
  if (pod.spec.hostNetwork === true) return true;
  return record.network !== undefined && podNetns(context, uidOf(pod)) !== undefined;
}

/** Addresses of the Pod; with hostNetwork those of its node. */
export function podAddresses(
  context: KubeletContext,
  pod: Pod,
  record: PodRecord | undefined,
): readonly string[] {
  if (record === undefined) return [];
  return pod.spec.hostNetwork === true ? [context.node.address] : addressesOf(record.network);
}

export function podFacts(
  { context, allocatable }: Pick<SetUpOptions, 'context' | 'allocatable'>,
  pod: Pod,
): PodFacts {
  return {
    ips: podAddresses(context, pod, readPodRecord(context, uidOf(pod))),
    hostIp: context.node.address,
    nodeName: context.node.name,
    allocatable,
  };
}
