/** The volume that an upload fills: made when it is not there, and waited for until it takes the image. */
import { isQuantity, quantityMeant } from '@podvisor/base';
import { at, textOf } from '../plain.ts';
import { findJson, isNotFound, objectPath, post } from '../requests.ts';
import { say } from '../shell.ts';
import { findHoldUp } from './hold-up.ts';
import { labelsOf, type UploadFlags, type uploadTarget } from './manifest.ts';
import { CDI, type Place, until } from './place.ts';

/** Makes the DataVolume or claim, unless there is a claim of that name. */
export async function prepareVolume(
  { client, namespace, shell }: Place,
  name: string,
  target: ReturnType<typeof uploadTarget>,
  flags: UploadFlags,
): Promise<void> {
  const claim = await findJson(client, objectPath('v1', namespace, 'persistentvolumeclaims', name));
  if (claim !== undefined) return say(shell, `Using existing PVC ${namespace}/${name}`);
  say(shell, `PVC ${namespace}/${name} not found `);
  if (!flags.create) {
    if (target.kind === 'pvc') throw new Error(`persistentvolumeclaims "${name}" not found`);
    return;
  }
  if (flags.size === undefined) throw new Error('when creating a resource, the size must be specified');
  if (!isQuantity(flags.size))
    throw new Error(
      `--size "${flags.size}" is not a quantity${quantityMeant(flags.size) || ': write 512Mi, 2Gi or 20G'}`,
    );
  const manifest = target.manifest(namespace);
  if (target.kind === 'dv')
    await post(client, objectPath(CDI, namespace, 'datavolumes'), manifest).catch(noCdi);
  else await post(client, objectPath('v1', namespace, 'persistentvolumeclaims'), manifest);
  say(shell, `${target.kind === 'dv' ? 'DataVolume' : 'PersistentVolumeClaim'} ${namespace}/${name} created`);
}

/** A name under which DataVolumes find the image. */
export async function createDataSource(
  { client, namespace, shell }: Place,
  name: string,
  flags: UploadFlags,
): Promise<void> {
  const labels = labelsOf(flags);
  await post(client, objectPath(CDI, namespace, 'datasources'), {
    kind: 'DataSource',
    apiVersion: CDI,
    metadata: { name, namespace, ...(Object.keys(labels).length === 0 ? {} : { labels }) },
    spec: { source: { pvc: { name, namespace } } },
    status: {},
  });
  say(shell, `DataSource ${namespace}/${name} created`);
}

function noCdi(error: unknown): never {
  if (!isNotFound(error)) throw error;
  throw new Error(
    'this cluster serves no DataVolumes (cdi.kubevirt.io): install CDI, or put the image into a containerDisk',
    {
      cause: error,
    },
  );
}

export function waitForDataVolume(place: Place, name: string, timeoutMs: number): Promise<void> {
  const { client, namespace, shell } = place;
  let told = false;
  return untilReady(place, name, timeoutMs, `DataVolume ${name}`, async () => {
    const volume = await findJson(client, objectPath(CDI, namespace, 'datavolumes', name));
    if (volume === undefined) {
      say(shell, `DV ${name} not found... `);
      return { isReady: false };
    }
    const phase = textOf(at(volume, 'status', 'phase'));
    if (phase === 'WaitForFirstConsumer' || phase === 'PendingPopulation')
      throw new Error(
        'cannot upload to DataVolume in WaitForFirstConsumer state, make sure the PVC is Bound, or use force-bind flag',
      );
    if (!told) say(shell, `Waiting for PVC ${name} upload pod to be ready...`);
    told = true;
    return { isReady: phase === 'UploadReady', target: volume };
  });
}

export function waitForClaim(place: Place, name: string, timeoutMs: number): Promise<void> {
  const { client, namespace } = place;
  return untilReady(place, name, timeoutMs, `PVC ${name}`, async () => {
    const claim = await findJson(client, objectPath('v1', namespace, 'persistentvolumeclaims', name));
    const isReady = at(claim, 'metadata', 'annotations', 'cdi.kubevirt.io/storage.pod.ready') === 'true';
    return { isReady, target: claim };
  });
}

interface Readiness {
  readonly isReady: boolean;
  /** The object that tells of it. */
  readonly target?: unknown;
}

/** Says what it waits for whenever that is another thing, and why it gave up. */
async function untilReady(
  place: Place,
  name: string,
  timeoutMs: number,
  what: string,
  look: () => Promise<Readiness>,
): Promise<void> {
  const { client, namespace, shell } = place;
  let looks = 0;
  let told: string | undefined;
  const ready = async (): Promise<boolean> => {
    const { isReady, target } = await look();
    looks += 1;
    // Most wait for a moment only, which nobody needs to have explained.
    if (isReady || target === undefined || looks === 1) return isReady;
    const holdUp = await findHoldUp(client, namespace, name, target);
    if (holdUp !== undefined && holdUp !== told) say(shell, `${what} is not ready yet: ${holdUp}`);
    told = holdUp ?? told;
    return false;
  };
  await until(place, timeoutMs, `${what} is not ready for an upload`, ready, () => told);
}
