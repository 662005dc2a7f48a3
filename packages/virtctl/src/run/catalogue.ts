/**
 * Images that have a name: where the distributions themselves publish them, with the lists of checksums that they
 * publish beside them, and what a VM of each needs. Debian can also be made here, from Debian's packages.
 */

export interface NamedImage {
  /** What people type. */
  readonly name: string;
  readonly description: string;
  /** Preference of the catalogue that fits the guest. */
  readonly preference: string;
  /** The user that the image's cloud-init makes when none is asked for. */
  readonly user: string;
  /** Size of the root disk when none is asked for. */
  readonly disk: string;
  readonly memory: string;
  /** HTTPS only: the list of checksums is believed because of its server. */
  readonly url: string;
  readonly checksums: { readonly url: string; readonly algorithm: 'sha256' | 'sha512' };
  /** Folder below `images/` that builds it where there is no internet. */
  readonly buildsFrom?: string;
}

const cloud = (base: string, file: string, list: string, algorithm: 'sha256' | 'sha512') => ({
  url: `${base}/${file}`,
  checksums: { url: `${base}/${list}`, algorithm },
});

export const NAMED_IMAGES: readonly NamedImage[] = [
  {
    name: 'debian',
    description: 'Debian 12 (bookworm)',
    preference: 'debian',
    user: 'debian',
    disk: '10Gi',
    memory: '1Gi',
    buildsFrom: 'debian',
    ...cloud(
      'https://cloud.debian.org/images/cloud/bookworm/latest',
      'debian-12-genericcloud-amd64.qcow2',
      'SHA512SUMS',
      'sha512',
    ),
  },
  {
    name: 'debian13',
    description: 'Debian 13 (trixie)',
    preference: 'debian',
    user: 'debian',
    disk: '10Gi',
    memory: '1Gi',
    ...cloud(
      'https://cloud.debian.org/images/cloud/trixie/latest',
      'debian-13-genericcloud-amd64.qcow2',
      'SHA512SUMS',
      'sha512',
    ),
  },
  {
    name: 'ubuntu',
    description: 'Ubuntu 24.04 LTS (noble)',
    preference: 'ubuntu',
    user: 'ubuntu',
    disk: '10Gi',
    memory: '2Gi',
    ...cloud(
      'https://cloud-images.ubuntu.com/noble/current',
      'noble-server-cloudimg-amd64.img',
      'SHA256SUMS',
      'sha256',
    ),
  },
  {
    name: 'centos',
    description: 'CentOS Stream 9',
    preference: 'centos.stream9',
    user: 'cloud-user',
    disk: '12Gi',
    memory: '2Gi',
    ...cloud(
      'https://cloud.centos.org/centos/9-stream/x86_64/images',
      'CentOS-Stream-GenericCloud-9-latest.x86_64.qcow2',
      'CentOS-Stream-GenericCloud-9-latest.x86_64.qcow2.SHA256SUM',
      'sha256',
    ),
  },
  {
    name: 'rocky',
    description: 'Rocky Linux 9',
    preference: 'rhel.9',
    user: 'rocky',
    disk: '12Gi',
    memory: '2Gi',
    ...cloud(
      'https://dl.rockylinux.org/pub/rocky/9/images/x86_64',
      'Rocky-9-GenericCloud-Base.latest.x86_64.qcow2',
      'Rocky-9-GenericCloud-Base.latest.x86_64.qcow2.CHECKSUM',
      'sha256',
    ),
  },
];

/** The image of a name; throws with those that there are. */
export function namedImage(name: string): NamedImage {
  const found = NAMED_IMAGES.find((image) => image.name === name);
  if (found === undefined)
    throw new Error(
      `there is no image "${name}": ${NAMED_IMAGES.map((image) => image.name).join(', ')}, or a container disk such as registry.example/name:tag`,
    );
  return found;
}

/**
 * The checksum of a file in a published list: `HEX  NAME`, `HEX *NAME`, `SHA256 (NAME) = HEX`, or a list of one HEX
 * alone. Undefined when the list does not name the file.
 */
export function checksumOf(list: string, file: string, algorithm: 'sha256' | 'sha512'): string | undefined {
  const length = algorithm === 'sha256' ? 64 : 128;
  for (const line of list.split('\n')) {
    const plain = /^([0-9a-fA-F]+)(?:\s+\*?(?:\S*\/)?([^\s/]+))?\s*$/.exec(line);
    const tagged = /^SHA\d+ \(([^)]+)\) = ([0-9a-fA-F]+)\s*$/.exec(line);
    const [hex = '', name] = tagged === null ? [plain?.[1], plain?.[2]] : [tagged[2], tagged[1]];
    if (hex.length === length && (name === undefined || name === file)) return hex.toLowerCase();
  }
  return undefined;
}
