/** Reads everything about one VM that can tell why it stands where it stands. What cannot be read is left out. */
import type { DiskPath, DiskPicture, InterfacePicture, NetworkPath, Node } from '@podvisor/api';
import { messageOf, StatusError } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';
import { readPipeline } from '../handoffs/pipeline-watch.ts';
import type { PipelineObjects } from '../handoffs/handoffs.ts';
import { at, listOf, textOf } from '../plain.ts';
import { findJson, getJson, objectPath } from '../requests.ts';
import { subresourcePath } from '../subresource-path.ts';
import type { Observed } from './observed.ts';
import { missingOf, referencesOf } from './references.ts';

/** A node that is gone must not keep us from saying so. */
const LOG_MS = 5_000;
const LOG_LINES = 60;
const LOG_BYTES = 64 * 1024;

/** The pipeline's objects and what surrounds them. */
export async function gather(
  client: KubeClient,
  namespace: string,
  name: string,
  nowMs: number,
): Promise<Observed> {
  return surroundings(client, namespace, await readPipeline(client, namespace, name), nowMs);
}

/** What surrounds objects that were read already. */
async function surroundings(
  client: KubeClient,
  namespace: string,
  objects: PipelineObjects,
  nowMs: number,
): Promise<Observed> {
  const { vm, vmi, pod } = objects;
  const uids = [vm?.metadata?.uid, vmi?.metadata?.uid, pod?.metadata.uid].filter((uid) => uid !== undefined);
  const nodeName = vmi?.status?.nodeName ?? pod?.spec.nodeName;
  const isRunning = vmi?.status?.phase === 'Running';
  const vmiName = vmi?.metadata?.name ?? '';
  const isScheduled = pod === undefined || pod.spec.nodeName !== undefined;
  const [events, node, claims, log, serverTrouble, network, disks, missing, nodes] = await Promise.all([
    eventsOf(client, namespace, uids, vm?.status?.startFailure === undefined ? undefined : vm.metadata?.name),
    nodeName === undefined ? undefined : readNode(client, nodeName),
    claimsOf(client, namespace, objects),
    pod === undefined ? [] : lastLines(client, namespace, pod.metadata.name ?? ''),
    probeServer(client),
    isRunning ? networkOf(client, namespace, vmiName) : undefined,
    isRunning ? disksOf(client, namespace, vmiName) : undefined,
    isRunning ? [] : missingOf(client, referencesOf(objects)),
    isScheduled ? [] : nodesOf(client),
  ]);
  return {
    ...objects,
    events,
    ...node,
    claims,
    missing,
    nodes,
    log,
    ...(serverTrouble === undefined ? {} : { serverTrouble }),
    ...(network === undefined ? {} : { network }),
    ...(disks === undefined ? {} : { disks }),
    nowMs,
  };
}

/**
 * Events of exactly these objects: an earlier VM of the same name is another one. Only for a VM that fails
 * again and again the VMIs before count as well; the reason stands with them.
 */
async function eventsOf(
  client: KubeClient,
  namespace: string,
  uids: readonly string[],
  failing: string | undefined,
): Promise<readonly unknown[]> {
  const list = await getJson(client, objectPath('v1', namespace, 'events')).catch(() => undefined);
  return listOf(at(list, 'items')).filter((event) => {
    const object = at(event, 'involvedObject');
    if (uids.includes(textOf(at(object, 'uid')) ?? '')) return true;
    return (
      failing !== undefined &&
      at(object, 'kind') === 'VirtualMachineInstance' &&
      at(object, 'name') === failing
    );
  });
}

async function readNode(client: KubeClient, name: string): Promise<{ node?: unknown; nodeMissing?: string }> {
  try {
    const node = await findJson(client, `/api/v1/nodes/${encodeURIComponent(name)}`);
    return node === undefined ? { nodeMissing: name } : { node };
  } catch {
    return {}; // not everybody may read nodes
  }
}

async function nodesOf(client: KubeClient): Promise<readonly Node[]> {
  const list = await client.list(resources.nodes, {}).catch(() => undefined); // not everybody may read nodes
  return list?.items ?? [];
}

async function claimsOf(
  client: KubeClient,
  namespace: string,
  { vm, vmi }: PipelineObjects,
): Promise<readonly unknown[]> {
  const volumes = vmi?.spec.volumes ?? vm?.spec.template?.spec?.volumes ?? [];
  const names = volumes.flatMap(
    (volume) => volume.persistentVolumeClaim?.claimName ?? volume.dataVolume?.name ?? [],
  );
  const claims = await Promise.all(
    names.map((name) =>
      findJson(client, objectPath('v1', namespace, 'persistentvolumeclaims', name)).catch(() => undefined),
    ),
  );
  return claims.filter((claim) => claim !== undefined);
}

async function lastLines(client: KubeClient, namespace: string, pod: string): Promise<readonly string[]> {
  try {
    const { headers, body } = await client.raw(
      {
        method: 'GET',
        path: `${objectPath('v1', namespace, 'pods', pod)}/log`,
        query: { container: 'compute', tailLines: LOG_LINES, limitBytes: LOG_BYTES },
        headers: { accept: '*/*' },
      },
      AbortSignal.timeout(LOG_MS),
    );
    // A server without logs may answer with the Pod itself; that is no log.
    if (String(headers['content-type']).includes('json')) return [];
    return body
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return []; // no container has started, or logs may not be read: the other evidence stands
  }
}

/** Ours and additional: a KubeVirt does not serve it, and not everybody may ask. */
async function networkOf(
  client: KubeClient,
  namespace: string,
  name: string,
): Promise<readonly InterfacePicture[] | undefined> {
  const path = subresourcePath('virtualmachineinstances', namespace, name, 'networkpath');
  return await getJson<Partial<NetworkPath>>(client, path).then(
    ({ interfaces }) => interfaces,
    () => undefined,
  );
}

/** Ours too. */
async function disksOf(
  client: KubeClient,
  namespace: string,
  name: string,
): Promise<readonly DiskPicture[] | undefined> {
  const path = subresourcePath('virtualmachineinstances', namespace, name, 'diskpath');
  return await getJson<Partial<DiskPath>>(client, path).then(
    ({ disks }) => disks,
    () => undefined,
  );
}

/** virt-api's own words or those of who could not reach it; undefined when it is well. */
async function probeServer(client: KubeClient): Promise<string | undefined> {
  try {
    await getJson(client, '/apis/subresources.kubevirt.io/v1/version');
    return undefined;
  } catch (error) {
    // To be refused is to be answered.
    const refused = error instanceof StatusError && (error.code === 401 || error.code === 403);
    return refused ? undefined : messageOf(error);
  }
}
