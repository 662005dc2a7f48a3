/** image-upload dv|pvc: a local image into a new or waiting volume, through CDI's upload proxy. */
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { isQuantity, messageOf, quantityMeant } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { type Command, Option } from 'commander';
import { request } from 'undici';
import { openSession } from '../../kube-access.ts';
import { at, textOf } from '../../plain.ts';
import { counting, Progress, type ProgressMode, progressOption } from '../../progress.ts';
import { findJson, isNotFound, objectPath, post } from '../../requests.ts';
import { say, type Shell, tell } from '../../shell.ts';
import { findHoldUp } from '../../upload/hold-up.ts';
import { labelsOf, type UploadFlags, uploadTarget } from '../../upload/manifest.ts';
import { uploadProxy } from '../../upload/proxy.ts';
import { SEEMS_BYTES, seemsToBe } from '../../upload/seems.ts';

const POLL_MS = 2000;
/** How long the end of a Pod takes to be told. */
const REASON_MS = 20_000;
const CDI = 'cdi.kubevirt.io/v1beta1';
const PROCESSING_TIMEOUT_MS = 24 * 3_600_000;

interface Place {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly shell: Shell;
}

export function addImageUploadCommand(program: Command, shell: Shell): void {
  program
    .command('image-upload <type> <name>')
    .description('Upload an image to a DataVolume (dv) or PersistentVolumeClaim (pvc).')
    .option('--image-path <file>', 'local image')
    .option('--archive-path <file>', 'local archive')
    .addOption(new Option('--image-offset <bytes>', 'where the image begins in the file').hideHelp())
    .addOption(new Option('--image-bytes <bytes>', 'how long the image in the file is').hideHelp())
    .option('--size <quantity>', 'size of the volume to create')
    .option('--storage-class <class>', 'storage class')
    .option('--access-mode <mode>', 'access mode')
    .option('--volume-mode <mode>', 'block or filesystem')
    .option('--uploadproxy-url <url>', 'upload proxy of CDI')
    .option('--insecure', "do not check the proxy's certificate", false)
    .option('--no-create', 'use a volume that exists')
    .option('--force-bind', 'bind the claim at once', false)
    .option('--wait-secs <seconds>', 'how long to wait for the upload server', '300')
    .option('--retry <count>', 'tries after a passing error', '5')
    .addOption(progressOption())
    .option('--datasource', 'also create a DataSource', false)
    .option('--default-instancetype <name>', 'instance type that goes with the image')
    .option('--default-instancetype-kind <kind>', 'its kind')
    .option('--default-preference <name>', 'preference that goes with the image')
    .option('--default-preference-kind <kind>', 'its kind')
    .action(async (type: string, name: string, flags: UploadFlags & ProxyFlags, self: Command) => {
      const target = uploadTarget(type, name, flags);
      const { client, namespace } = openSession(self, shell);
      const place = { client, namespace, shell };
      requireFile(target.file);
      if (flags.archivePath === undefined) warnOfNoDisk(shell, target.file, flags);
      await prepare(place, name, target, flags);
      const waitMs = Number(flags.waitSecs) * 1000;
      if (target.kind === 'dv') await waitForDataVolume(place, name, waitMs);
      else await waitForClaim(place, name, waitMs);
      const before = await workerOf(place, name);
      await upload(place, name, target.file, flags).catch((error: unknown) =>
        brokenOff(place, name, before, error),
      );
      await waitForProcessing(place, name, before);
      if (flags.datasource) await createDataSource(place, name, flags);
      say(shell, `Uploading ${target.file} completed successfully`);
    });
}

function requireFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`there is no file ${file}`);
  if (!found.isFile()) throw new Error(`${file} is not a file`);
}

/** Any bytes can be a raw disk, so that nothing is refused: whoever meant another file hears of it at once. */
function warnOfNoDisk(shell: Shell, file: string, { imageOffset, imageBytes }: ProxyFlags): void {
  const head = Buffer.alloc(Math.min(SEEMS_BYTES, Number(imageBytes ?? SEEMS_BYTES)));
  const handle = openSync(file, 'r');
  try {
    const seems = seemsToBe(
      head.subarray(0, readSync(handle, head, 0, head.length, Number(imageOffset ?? 0))),
    );
    if (seems === undefined) return;
    tell(
      shell,
      `warning: ${file} seems to be ${seems}, not a disk image; its bytes become those of a raw disk`,
    );
  } finally {
    closeSync(handle);
  }
}

/** A server that has heard enough may close the connection before it is asked why: the claim knows. */
async function brokenOff(place: Place, name: string, before: UploadWorker, error: unknown): Promise<never> {
  const isCut = /EPIPE|ECONNRESET|other side closed|socket hang up/.test(messageOf(error));
  const over = place.shell.now() + (isCut ? REASON_MS : 0);
  while (place.shell.now() < over) {
    throwIfRefused(name, before, await workerOf(place, name));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw error;
}

/** The image arrived and is no good: whoever waits for it shall hear why. */
function throwIfRefused(name: string, before: UploadWorker, now: UploadWorker): void {
  if (hasRefused(before, now)) throw new Error(`the upload of ${name} was not accepted: ${now.problem}`);
}

/**
 * Its last words stay when it starts anew, so they count only once it has ended since. That is told before it is
 * started again, for which the kubelet waits longer each time. Pure.
 */
export function hasRefused(before: UploadWorker, now: UploadWorker): boolean {
  const hasEnded = before.isReady && !now.isReady && now.phase !== 'Succeeded';
  return now.problem !== '' && (hasEnded || now.restarts > before.restarts);
}

interface ProxyFlags {
  readonly uploadproxyUrl?: string;
  readonly insecure: boolean;
  readonly waitSecs: string;
  readonly retry: string;
  readonly datasource: boolean;
  readonly progress: ProgressMode;
  /** A part of the file: a member of an archive. */
  readonly imageOffset?: string;
  readonly imageBytes?: string;
}

async function prepare(
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
async function createDataSource(
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

async function until(
  place: Place,
  timeoutMs: number,
  what: string,
  ready: () => Promise<boolean>,
  reason: () => string | undefined = () => undefined,
): Promise<void> {
  const over = place.shell.now() + timeoutMs;
  while (!(await ready())) {
    const why = reason() === undefined ? '' : `: ${reason()}`;
    if (place.shell.now() > over) throw new Error(`${what} after ${timeoutMs / 1000} s${why}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function waitForDataVolume(place: Place, name: string, timeoutMs: number): Promise<void> {
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

function waitForClaim(place: Place, name: string, timeoutMs: number): Promise<void> {
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

async function upload(
  { client, namespace, shell }: Place,
  name: string,
  file: string,
  flags: ProxyFlags,
): Promise<void> {
  const { url, headers, dispatcher } = await uploadProxy(
    client,
    namespace,
    name,
    { url: flags.uploadproxyUrl, insecure: flags.insecure },
    (base) => say(shell, `Uploading data to ${base}`),
  );
  const start = Number(flags.imageOffset ?? 0);
  const size = Number(flags.imageBytes ?? statSync(file).size);
  for (let left = Number(flags.retry); ; left -= 1) {
    const out = flags.progress === 'json' ? shell.stderr : shell.stdout;
    const progress = new Progress({ what: 'upload', mode: flags.progress, out, now: () => shell.now() });
    const response = await request(url, {
      method: 'POST',
      dispatcher,
      headers: {
        ...headers,
        'content-type': 'application/octet-stream',
        'content-length': String(size),
      },
      // Whichever end breaks, the other hears of it; who waits for the answer gets the error.
      body: pipeline(
        createReadStream(file, { start, end: start + size - 1 }),
        counting(progress, size),
        () => undefined,
      ),
    });
    const words = (await response.body.text()).slice(0, 1000);
    if (response.statusCode === 200) break;
    if (response.statusCode < 500 || left <= 0)
      throw new Error(`unexpected return value ${response.statusCode}, ${words}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  say(
    shell,
    'Uploading data completed successfully, waiting for processing to complete, you can hit ctrl-c without interrupting the progress',
  );
}

/** How the Pod that takes the upload is doing, as the claim tells it. */
export interface UploadWorker {
  readonly phase: string;
  readonly isReady: boolean;
  readonly restarts: number;
  /** Why it ended last time. */
  readonly problem: string;
}

async function workerOf({ client, namespace }: Place, name: string): Promise<UploadWorker> {
  const claim = await findJson(client, objectPath('v1', namespace, 'persistentvolumeclaims', name));
  const note = (key: string): string =>
    textOf(at(claim, 'metadata', 'annotations', `cdi.kubevirt.io/storage.${key}`)) ?? '';
  return {
    phase: note('pod.phase'),
    isReady: note('pod.ready') === 'true',
    restarts: Number(note('pod.restarts') || 0),
    problem: note('condition.running.message'),
  };
}

function waitForProcessing(place: Place, name: string, before: UploadWorker): Promise<void> {
  return until(place, PROCESSING_TIMEOUT_MS, `the upload of ${name} is not processed`, async () => {
    const worker = await workerOf(place, name);
    throwIfRefused(name, before, worker);
    return worker.phase === 'Succeeded';
  });
}
