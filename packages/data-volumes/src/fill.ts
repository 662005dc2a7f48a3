/** Who fills a claim, and with what: the provisioner as it makes the volume, or a Pod. Pure. */
import type {
  DataVolume,
  DataVolumeImportSource,
  ImportJob,
  ImportSource,
  PersistentVolumeClaim,
} from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { annotations, type WorkerKind } from './names.ts';

export type Fill =
  /** The provisioner does it: the claim is filled when it is bound. */
  | { readonly kind: 'provisioner'; readonly what: 'blank' | 'clone' | 'snapshot' | 'external' }
  | { readonly kind: 'pod'; readonly worker: FillingPod }
  | { readonly kind: 'unsupported'; readonly message: string };

export interface PodFill {
  readonly kind: WorkerKind;
  readonly source: ImportSource;
  readonly contentType: ImportJob['contentType'];
  readonly checksum?: string;
  readonly preallocation?: boolean;
  /** What the Pod mounts to reach the source. */
  readonly image?: { readonly reference: string; readonly pullSecret?: string };
  readonly secretRef?: string;
  readonly secretExtraHeaders?: readonly string[];
  readonly certConfigMap?: string;
}

/** A Pod that writes into the claim. */
export type FillingPod = PodFill & { readonly kind: Exclude<WorkerKind, 'bind'> };

const NOT_HERE = 'is not built: serve the image over http, or install CDI';

/** What fills the claim of a DataVolume. `source` is the resolved one. */
export function fillOf({ spec, metadata }: DataVolume, source: DataVolumeImportSource): Fill {
  const contentType = spec.contentType ?? 'kubevirt';
  const common = {
    contentType,
    ...checksumOf(source, metadata.annotations),
    ...(spec.preallocation === undefined ? {} : { preallocation: spec.preallocation }),
  };
  if (source.blank !== undefined) return { kind: 'provisioner', what: 'blank' };
  if (source.pvc !== undefined) return { kind: 'provisioner', what: 'clone' };
  if (source.snapshot !== undefined) return { kind: 'provisioner', what: 'snapshot' };
  if (source.upload !== undefined)
    return { kind: 'pod', worker: { ...common, kind: 'upload', source: { kind: 'upload' } } };
  if (source.http !== undefined) return ofHttp(source.http, common);
  if (source.s3 !== undefined) return ofS3(source.s3, common);
  if (source.registry !== undefined) return ofRegistry(source.registry, common);
  const other = Object.keys(source)[0];
  if (other !== undefined) return { kind: 'unsupported', message: `source.${other} ${NOT_HERE}` };
  return { kind: 'provisioner', what: 'external' };
}

/** A claim on its own that waits for an upload. */
export function fillOfClaim({ metadata }: PersistentVolumeClaim): Fill | undefined {
  if (metadata.annotations?.[annotations.uploadTarget] === undefined) return undefined;
  const contentType = metadata.annotations[annotations.contentType] === 'archive' ? 'archive' : 'kubevirt';
  return { kind: 'pod', worker: { kind: 'upload', source: { kind: 'upload' }, contentType } };
}

type Common = Pick<PodFill, 'contentType' | 'checksum' | 'preallocation'>;

function ofHttp(http: NonNullable<DataVolumeImportSource['http']>, common: Common): Fill {
  const { url, extraHeaders, secretExtraHeaders, secretRef, certConfigMap } = http;
  if (!/^https?:\/\//.test(url))
    return { kind: 'unsupported', message: `source.http.url "${url}" is neither http:// nor https://` };
  const source: ImportSource = {
    kind: 'http',
    url,
    ...(extraHeaders === undefined ? {} : { headers: extraHeaders }),
    ...(secretRef === undefined ? {} : { hasSecret: true }),
    ...(secretExtraHeaders === undefined ? {} : { secretHeaders: secretExtraHeaders.length }),
    ...(certConfigMap === undefined ? {} : { hasCertificates: true }),
  };
  return {
    kind: 'pod',
    worker: {
      ...common,
      kind: 'import',
      source,
      ...(secretRef === undefined ? {} : { secretRef }),
      ...(secretExtraHeaders === undefined ? {} : { secretExtraHeaders }),
      ...(certConfigMap === undefined ? {} : { certConfigMap }),
    },
  };
}

/** `https://ENDPOINT/BUCKET/OBJECT`, read with the keys of the secret, or by anybody. */
function ofS3(s3: NonNullable<DataVolumeImportSource['s3']>, common: Common): Fill {
  const { url, secretRef, certConfigMap } = s3;
  if (!/^https?:\/\//.test(url))
    return { kind: 'unsupported', message: `source.s3.url "${url}" is neither http:// nor https://` };
  const fill = ofHttp(
    {
      url,
      ...(secretRef === undefined ? {} : { secretRef }),
      ...(certConfigMap === undefined ? {} : { certConfigMap }),
    },
    common,
  );
  if (fill.kind !== 'pod' || fill.worker.source.kind !== 'http') return fill;
  return { kind: 'pod', worker: { ...fill.worker, source: { ...fill.worker.source, protocol: 's3' } } };
}

function ofRegistry(registry: NonNullable<DataVolumeImportSource['registry']>, common: Common): Fill {
  const { url, imageStream, secretRef, certConfigMap } = registry;
  if (imageStream !== undefined && url === undefined)
    return { kind: 'unsupported', message: `source.registry.imageStream ${NOT_HERE}` };
  if (certConfigMap !== undefined)
    return {
      kind: 'unsupported',
      message:
        'source.registry.certConfigMap is not built: the node pulls the image; put the CA into /etc/containers/certs.d of the machine',
    };
  const reference = /^docker:\/\/(.+)$/.exec(url ?? '')?.[1];
  if (reference === undefined)
    return {
      kind: 'unsupported',
      message: `source.registry.url "${url ?? ''}" does not begin with docker://; an archive is loaded with \`podvisor image import\` and then named docker://NAME`,
    };
  return {
    kind: 'pod',
    worker: {
      ...common,
      kind: 'import',
      source: { kind: 'image' },
      image: { reference, ...(secretRef === undefined ? {} : { pullSecret: secretRef }) },
    },
  };
}

/** CDI's field, which templates of VMs do not have, or our annotation, which they may have. */
function checksumOf(
  { http }: DataVolumeImportSource,
  given: Readonly<Record<string, string>> | undefined,
): { readonly checksum?: string } {
  const field = http !== undefined && 'checksum' in http ? http.checksum : undefined;
  const checksum = typeof field === 'string' ? field : given?.[annotations.checksum];
  return checksum === undefined ? {} : { checksum };
}

/** What the Pod is told. */
export function jobOf(fill: PodFill, claim: PersistentVolumeClaim): ImportJob {
  const { source, contentType, checksum, preallocation } = fill;
  const size = claim.status?.capacity?.['storage'] ?? claim.spec.resources?.requests?.['storage'] ?? 0;
  return {
    source,
    contentType,
    volumeMode: claim.spec.volumeMode ?? 'Filesystem',
    capacityBytes: parseQuantity(size).value(),
    ...(checksum === undefined ? {} : { checksum }),
    ...(preallocation === undefined ? {} : { preallocation }),
  };
}
