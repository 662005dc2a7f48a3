/** What the Pod that fills a claim is told, and what it tells back (embedded home). */

/** Environment variable that holds the ImportJob, as JSON. */
export const IMPORT_JOB_VARIABLE = 'PODVISOR_IMPORT_JOB';

/** Where the Pod finds things. */
export const importPaths = {
  /** Claim of mode Filesystem. */
  data: '/data',
  /** Claim of mode Block. */
  device: '/dev/cdi-block-volume',
  /** Room for a file on its way, when the claim is a device. */
  scratch: '/scratch',
  /** Content of the container image that is imported. */
  image: '/image',
  /** Secrets and config maps, one directory each. */
  secret: '/secrets/auth',
  headers: '/secrets/headers',
  certificates: '/certificates',
} as const;

/** Port on the Pod's own loopback that an upload arrives at. */
export const UPLOAD_PORT = 8443;

/** Header of an upload that may go on after a cut: names its content. Absent: it begins at the beginning. */
export const UPLOAD_VERSION = 'podvisor-upload-version';
/** Header: of an answer to HEAD, how much of that content is kept; of a POST, where its body begins. */
export const UPLOAD_OFFSET = 'upload-offset';

export type ImportSource =
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers?: readonly string[];
      readonly hasSecret?: boolean;
      /** What the secret is for: a password, unless it holds the keys of an S3 store. */
      readonly protocol?: 's3';
      /** How many secrets with headers there are: directories `0`, `1` … below `headers`. */
      readonly secretHeaders?: number;
      readonly hasCertificates?: boolean;
    }
  /** The image is a volume of the Pod; the node pulled and checked it. */
  | { readonly kind: 'image' }
  | { readonly kind: 'upload' }
  /** The provisioner fills the claim; the Pod is only its first consumer, and ends at once. */
  | { readonly kind: 'none' };

export interface ImportJob {
  readonly source: ImportSource;
  /** `archive`: a tar archive whose files are put into the claim. */
  readonly contentType: 'kubevirt' | 'archive';
  readonly volumeMode: 'Filesystem' | 'Block';
  /** What the claim can hold. */
  readonly capacityBytes: number;
  /** `sha256:…`, `sha512:…` or `md5:…` of the bytes as they come from the source. */
  readonly checksum?: string;
  /** Take all space at once. */
  readonly preallocation?: boolean;
}

/** A line that the Pod prints. */
export interface ImportProgress {
  readonly percent: number;
  readonly bytes: number;
  readonly bytesPerSecond: number;
  readonly step: 'download' | 'convert';
}
