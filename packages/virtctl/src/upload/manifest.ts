/** The volume that an image is uploaded to. Pure. */

export interface UploadFlags {
  readonly imagePath?: string;
  readonly archivePath?: string;
  readonly size?: string;
  readonly storageClass?: string;
  readonly accessMode?: string;
  readonly volumeMode?: string;
  readonly create: boolean;
  readonly forceBind: boolean;
  readonly defaultInstancetype?: string;
  readonly defaultInstancetypeKind?: string;
  readonly defaultPreference?: string;
  readonly defaultPreferenceKind?: string;
}

export interface UploadTarget {
  readonly kind: 'dv' | 'pvc';
  readonly file: string;
  manifest(namespace: string): unknown;
}

/** Checks the flags and says what to create. */
export function uploadTarget(type: string, name: string, flags: UploadFlags): UploadTarget {
  const kind = type.toLowerCase();
  if (kind !== 'dv' && kind !== 'pvc') throw new Error(`invalid resource type ${type}`);
  const { imagePath, archivePath } = flags;
  if (imagePath !== undefined && archivePath !== undefined)
    throw new Error('cannot handle both image-path and archive-path, provide only one');
  const file = imagePath ?? archivePath;
  if (file === undefined) throw new Error('either image-path or archive-path must be provided');
  const mode = flags.volumeMode;
  if (mode !== undefined && mode !== 'block' && mode !== 'filesystem')
    throw new Error(`Invalid volume mode '${mode}'. Valid values are 'block' and 'filesystem'.`);
  if (archivePath !== undefined && mode === 'block')
    throw new Error('In archive upload the volume mode should always be filesystem');
  checkDefaults(flags);
  const build = kind === 'dv' ? dataVolume : claim;
  return { kind, file, manifest: (namespace) => build(name, namespace, flags) };
}

function checkDefaults(flags: UploadFlags): void {
  if (flags.defaultInstancetype === undefined && flags.defaultInstancetypeKind !== undefined)
    throw new Error('--default-instancetype must be provided with --default-instancetype-kind');
  if (flags.defaultPreference === undefined && flags.defaultPreferenceKind !== undefined)
    throw new Error('--default-preference must be provided with --default-preference-kind');
  if ((flags.defaultInstancetype !== undefined || flags.defaultPreference !== undefined) && !flags.create)
    throw new Error('--default-instancetype and --default-preference cannot be used with --no-create');
}

/** Labels that tell what a VM of this image needs. */
export function labelsOf(flags: UploadFlags): Record<string, string> {
  const all: readonly (readonly [string, string | undefined])[] = [
    ['instancetype.kubevirt.io/default-instancetype', flags.defaultInstancetype],
    ['instancetype.kubevirt.io/default-instancetype-kind', flags.defaultInstancetypeKind],
    ['instancetype.kubevirt.io/default-preference', flags.defaultPreference],
    ['instancetype.kubevirt.io/default-preference-kind', flags.defaultPreferenceKind],
  ];
  return Object.fromEntries(
    all.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  );
}

const bindNow = (flags: UploadFlags): Record<string, string> =>
  flags.forceBind ? { 'cdi.kubevirt.io/storage.bind.immediate.requested': '' } : {};

const contentType = (flags: UploadFlags): string =>
  flags.archivePath === undefined ? 'kubevirt' : 'archive';

function storageOf(flags: UploadFlags): Record<string, unknown> {
  const mode = flags.volumeMode ?? (flags.archivePath === undefined ? undefined : 'filesystem');
  return {
    resources: { requests: { storage: flags.size ?? '' } },
    ...(flags.storageClass === undefined ? {} : { storageClassName: flags.storageClass }),
    ...(flags.accessMode === undefined ? {} : { accessModes: [flags.accessMode] }),
    ...(mode === undefined ? {} : { volumeMode: mode === 'block' ? 'Block' : 'Filesystem' }),
  };
}

function dataVolume(name: string, namespace: string, flags: UploadFlags): unknown {
  const labels = labelsOf(flags);
  const annotations = bindNow(flags);
  return {
    kind: 'DataVolume',
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    metadata: {
      name,
      namespace,
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    spec: { source: { upload: {} }, storage: storageOf(flags), contentType: contentType(flags) },
    status: {},
  };
}

function claim(name: string, namespace: string, flags: UploadFlags): unknown {
  return {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    metadata: {
      name,
      namespace,
      labels: { 'cdi.kubevirt.io/applyStorageProfile': 'true', ...labelsOf(flags) },
      annotations: {
        'cdi.kubevirt.io/storage.contentType': contentType(flags),
        'cdi.kubevirt.io/storage.upload.target': '',
        ...bindNow(flags),
      },
    },
    spec: { accessModes: ['ReadWriteOnce'], ...storageOf(flags) },
    status: {},
  };
}
