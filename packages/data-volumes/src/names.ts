/** Names that clients of CDI know. */
import { createHash } from 'node:crypto';

export const annotations = {
  contentType: 'cdi.kubevirt.io/storage.contentType',
  podPhase: 'cdi.kubevirt.io/storage.pod.phase',
  podReady: 'cdi.kubevirt.io/storage.pod.ready',
  podRestarts: 'cdi.kubevirt.io/storage.pod.restarts',
  /** Why the worker failed the last time. */
  runningMessage: 'cdi.kubevirt.io/storage.condition.running.message',
  importPod: 'cdi.kubevirt.io/storage.import.importPodName',
  uploadPod: 'cdi.kubevirt.io/storage.uploadPodName',
  /** On a claim without a DataVolume: it waits for an upload. */
  uploadTarget: 'cdi.kubevirt.io/storage.upload.target',
  bindImmediately: 'cdi.kubevirt.io/storage.bind.immediate.requested',
  /** On a DataVolume: its claim of this name is filled already. */
  prePopulated: 'cdi.kubevirt.io/storage.prePopulated',
  retainPod: 'cdi.kubevirt.io/storage.pod.retainAfterCompletion',
  /** Ours, for VM templates, whose schema has no checksum. */
  checksum: 'podvisor.io/import-checksum',
} as const;

export const labels = {
  app: 'app',
  component: 'cdi.kubevirt.io',
  appValue: 'containerized-data-importer',
} as const;

/** Labels with this prefix go from the source to the claim: they say what a VM of this image needs. */
export const INSTANCETYPE_PREFIX = 'instancetype.kubevirt.io/default-';

/** `bind`: a Pod that writes nothing, for which a volume is made that waits for its first consumer. */
export type WorkerKind = 'import' | 'upload' | 'bind';

const NAME_PREFIX: Readonly<Record<WorkerKind, string>> = {
  import: 'importer',
  upload: 'cdi-upload',
  bind: 'binder',
};

const MAX_NAME = 253;

/** Name of the Pod that fills a claim, or binds it. */
export function workerName(kind: WorkerKind, claimName: string): string {
  const name = `${NAME_PREFIX[kind]}-${claimName}`;
  if (name.length <= MAX_NAME) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, MAX_NAME - 9)}-${hash}`;
}
