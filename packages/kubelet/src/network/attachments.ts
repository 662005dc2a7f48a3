/**
 * Plugs a Pod into further networks and out again. What is done is noted before it is done, so that an
 * interrupted attempt is found and undone; the notes hold all that undoing takes, because definitions may be
 * deleted before the Pods that use them.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KubernetesObject, Pod } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { defineResource, resources } from '@podvisor/kube';
import { cniInvoke, type CniResult, listLinks, readJson, ToolError, writeJson } from '@podvisor/sys';
import type { KubeletClient } from '../client.ts';
import { type KubeletContext, podContainersDirectory } from '../context.ts';
import { uidOf } from '../pod/types.ts';
import { ipamDirectory, networkName } from './ipam.ts';
import {
  NETWORK_STATUS,
  type NetworkSelection,
  NetworkSelectionError,
  networkStatus,
  type PluginConfig,
  pluginChain,
  selectionsOf,
} from './multus.ts';
import { noteBridge } from './noted-bridges.ts';

interface Definition extends KubernetesObject {
  readonly spec?: { readonly config?: string };
}
const definitions = defineResource<Definition>(
  'NetworkAttachmentDefinition',
  'network-attachment-definitions',
  'k8s.cni.cncf.io/v1',
);

/** A network that the Pod is, or was about to be, plugged into. */
interface Attachment {
  readonly selection: NetworkSelection;
  readonly plugins: readonly PluginConfig[];
  /** Present once all plugins have run. */
  readonly result?: CniResult;
}

/** What attaching works with. */
export interface AttachmentOptions {
  readonly context: KubeletContext;
  readonly client: Pick<KubeletClient, 'find' | 'patch'>;
  readonly pod: Pod;
  /** Path of the Pod's namespace. */
  readonly netns: string;
}

/**
 * The Pod is in the networks that its annotation names, and in no others; its status annotation says so.
 * Idempotent; follows changes of a running Pod.
 */
export async function syncAttachments(options: AttachmentOptions, own: CniResult): Promise<void> {
  const { context, client, pod, netns } = options;
  const uid = uidOf(pod);
  const wanted = selectionsOf(pod);
  const known = readAttachments(context, uid).filter(({ selection }) => selection.ifname !== 'eth0');
  if (wanted.length === 0 && known.length === 0) return;
  for (const attachment of known)
    if (attachment.result === undefined || !wanted.some((one) => isSame(one, attachment.selection)))
      await detach(context, uid, netns, attachment);
  for (const one of wanted)
    if (!readAttachments(context, uid).some(({ selection }) => isSame(one, selection)))
      await attach(options, one);
  const attached = readAttachments(context, uid).filter(({ selection }) => selection.ifname !== 'eth0');
  const status = networkStatus(
    { network: networkName(context), ifname: 'eth0', result: own },
    attached.map(({ selection: { namespace, name, ifname }, result = {} }) => ({
      network: `${namespace}/${name}`,
      ifname,
      result,
    })),
  );
  if (pod.metadata.annotations?.[NETWORK_STATUS] === status) return;
  await client.patch(
    resources.pods,
    { namespace: pod.metadata.namespace, name: pod.metadata.name ?? '' },
    {
      type: 'merge',
      subresource: 'status',
      body: { metadata: { uid, annotations: { [NETWORK_STATUS]: status } } },
    },
  );
}

/** Plugs one network in; the plugins' result. */
export async function attach(options: AttachmentOptions, selection: NetworkSelection): Promise<CniResult> {
  const { context, client, pod, netns } = options;
  const uid = uidOf(pod);
  const { namespace, name } = selection;
  const definition = await client.find(definitions, { namespace, name });
  const config = definition?.spec?.config;
  if (config === undefined)
    throw new NetworkSelectionError(
      definition === undefined
        ? `there is no NetworkAttachmentDefinition ${namespace}/${name}, which the Pod asks for`
        : `NetworkAttachmentDefinition ${namespace}/${name} has no spec.config`,
    );
  const plugins = pluginChain(selection, config, join(ipamDirectory(context), `${namespace}-${name}`));
  const attachment: Attachment = { selection, plugins };
  note(context, uid, attachment);
  for (const plugin of plugins) await noteNewBridge(context, plugin);
  try {
    let result: CniResult = {};
    for (const [index, plugin] of plugins.entries())
      result = await invoke(
        context,
        'ADD',
        { uid, netns, pod, selection },
        index === 0 ? plugin : { ...plugin, prevResult: result },
      );
    note(context, uid, { ...attachment, result });
    return result;
  } catch (error) {
    await detach(context, uid, netns, attachment).catch((failure: unknown) =>
      context.log.warn({ uid, network: name, error: String(failure) }, 'a network could not be taken back'),
    );
    throw error;
  }
}

/** Takes all networks of the list back; what is gone already is fine. */
export async function detachAll(context: KubeletContext, uid: string, netns: string): Promise<void> {
  for (const attachment of readAttachments(context, uid)) await detach(context, uid, netns, attachment);
}

async function detach(
  context: KubeletContext,
  uid: string,
  netns: string,
  attachment: Attachment,
): Promise<void> {
  const { selection, plugins, result } = attachment;
  // The CNI specification: the other way round, each with the result of the whole chain.
  for (const plugin of plugins.toReversed())
    await invoke(
      context,
      'DEL',
      { uid, netns, selection },
      result === undefined ? plugin : { ...plugin, prevResult: result },
    ).catch((error: unknown) => {
      // What is not installed has made nothing, or cannot take it back. What could not plug the Pod in need not take
      // it out: it may have refused what the Pod says of its network, and does so again. Such a Pod can be deleted all
      // the same.
      const isMissing = error instanceof ToolError && error.kind === 'missing';
      if (!isMissing && result !== undefined) throw error;
      const fields = { uid, plugin: plugin.type, error: messageOf(error) };
      context.log.warn(fields, 'the CNI plugin of a network takes nothing back');
    });
  write(
    context,
    uid,
    readAttachments(context, uid).filter((a) => a.selection.ifname !== selection.ifname),
  );
}

function invoke(
  context: KubeletContext,
  command: 'ADD' | 'DEL',
  { uid, netns, pod, selection }: { uid: string; netns: string; pod?: Pod; selection: NetworkSelection },
  config: PluginConfig,
): Promise<CniResult> {
  return cniInvoke(context.nodeNetns, {
    command,
    containerId: uid,
    netns,
    ifname: selection.ifname,
    config,
    args: {
      K8S_POD_NAMESPACE: pod?.metadata.namespace ?? '',
      K8S_POD_NAME: pod?.metadata.name ?? '',
      K8S_POD_UID: uid,
      ...(selection.mac === undefined ? {} : { MAC: selection.mac }),
    },
  });
}

/** Bridges that a plugin is about to make are ours to remove with the instance. */
async function noteNewBridge(context: KubeletContext, { type, bridge }: PluginConfig): Promise<void> {
  if (type !== 'bridge') return;
  const name = typeof bridge === 'string' ? bridge : 'cni0';
  const exists = (await listLinks(context.nodeNetns)).some(({ ifname }) => ifname === name);
  if (!exists) noteBridge(context, name);
}

function isSame(a: NetworkSelection, b: NetworkSelection): boolean {
  return a.namespace === b.namespace && a.name === b.name && a.ifname === b.ifname && a.mac === b.mac;
}

function file(context: KubeletContext, uid: string): string {
  return join(podContainersDirectory(context, uid), 'networks.json');
}

function readAttachments(context: KubeletContext, uid: string): readonly Attachment[] {
  return (readJson(file(context, uid)) ?? []) as readonly Attachment[];
}

function note(context: KubeletContext, uid: string, attachment: Attachment): void {
  const others = readAttachments(context, uid).filter(
    (a) => a.selection.ifname !== attachment.selection.ifname,
  );
  write(context, uid, [...others, attachment]);
}

function write(context: KubeletContext, uid: string, attachments: readonly Attachment[]): void {
  const path = file(context, uid);
  if (attachments.length === 0) return rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true, mode: 0o711 });
  writeJson(path, attachments);
}
