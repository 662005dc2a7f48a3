/**
 * Images that have a name: where the distributions themselves publish them, with the lists of checksums that they
 * publish beside them, and what a VM of each needs. Debian can also be made here, from Debian's packages.
 */
import { nearest } from '@podvisor/base';

/** A key that a distribution signs with. Its fingerprint is what is believed. */
export interface SigningKey {
  /** Of the primary key, 40 upper-case digits. */
  readonly fingerprint: string;
  /** Where the key can be fetched. */
  readonly url: string;
  /** Keyrings that packages of some machines bring along; read first. */
  readonly keyrings: readonly string[];
}

/** How a list of checksums is signed: by a file beside it, inside itself (clear-signed), or not at all, with who says so. */
export type ListSignature =
  | { readonly kind: 'detached'; readonly url: string; readonly keys: readonly SigningKey[] }
  | { readonly kind: 'inside'; readonly keys: readonly SigningKey[] }
  | { readonly kind: 'none'; readonly because: string };

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
  /** HTTPS only: a list of checksums that nobody signed is believed because of its server. */
  readonly url: string;
  readonly checksums: {
    readonly url: string;
    readonly algorithm: 'sha256' | 'sha512';
    readonly signature: ListSignature;
  };
  /** Folder below `images/` that builds it where there is no internet. */
  readonly buildsFrom?: string;
}

const cloud = (
  base: string,
  file: string,
  list: string,
  algorithm: 'sha256' | 'sha512',
  signature: ListSignature,
) => ({
  url: `${base}/${file}`,
  checksums: { url: `${base}/${list}`, algorithm, signature },
});

const beside = (url: string, ...keys: readonly SigningKey[]): ListSignature => ({
  kind: 'detached',
  url,
  keys,
});

const ubuntuKey = (fingerprint: string): SigningKey => ({
  fingerprint,
  url: `https://keyserver.ubuntu.com/pks/lookup?op=get&options=mr&search=0x${fingerprint}`,
  keyrings: ['/usr/share/keyrings/ubuntu-cloudimage-keyring.gpg'],
});

/** Installation images of Debian have a SHA512SUMS.sign; nobody is known to have one of the cloud images. */
const DEBIAN_SIGNS_NOT: ListSignature = {
  kind: 'none',
  because: 'no signature of Debian for its cloud images is known',
};

const DEBIAN_CLOUD = 'https://cloud.debian.org/images/cloud';
const UBUNTU_CLOUD = 'https://cloud-images.ubuntu.com/noble/current';
const FEDORA_CLOUD = 'https://download.fedoraproject.org/pub/fedora/linux/releases/44/Cloud/x86_64/images';
const ALMALINUX = 'https://repo.almalinux.org/almalinux';

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
      `${DEBIAN_CLOUD}/bookworm/latest`,
      'debian-12-genericcloud-amd64.qcow2',
      'SHA512SUMS',
      'sha512',
      DEBIAN_SIGNS_NOT,
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
      `${DEBIAN_CLOUD}/trixie/latest`,
      'debian-13-genericcloud-amd64.qcow2',
      'SHA512SUMS',
      'sha512',
      DEBIAN_SIGNS_NOT,
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
      UBUNTU_CLOUD,
      'noble-server-cloudimg-amd64.img',
      'SHA256SUMS',
      'sha256',
      beside(
        `${UBUNTU_CLOUD}/SHA256SUMS.gpg`,
        ubuntuKey('D2EB44626FDDC30B513D5BB71A5D6C4C7DB87C81'),
        ubuntuKey('4A3CE3CD565D7EB5C810E2B97FF3F408476CF100'),
      ),
    ),
  },
  {
    name: 'fedora',
    description: 'Fedora 44',
    preference: 'fedora',
    user: 'fedora',
    disk: '10Gi',
    memory: '2Gi',
    ...cloud(
      FEDORA_CLOUD,
      'Fedora-Cloud-Base-Generic-44-1.7.x86_64.qcow2',
      'Fedora-Cloud-44-1.7-x86_64-CHECKSUM',
      'sha256',
      {
        kind: 'inside',
        keys: [
          {
            fingerprint: '36F612DCF27F7D1A48A835E4DBFCF71C6D9F90A6',
            url: 'https://fedoraproject.org/fedora.gpg',
            keyrings: ['/usr/share/distribution-gpg-keys/fedora/RPM-GPG-KEY-fedora-44-primary'],
          },
        ],
      },
    ),
  },
  {
    name: 'almalinux',
    description: 'AlmaLinux 9',
    preference: 'rhel.9',
    user: 'almalinux',
    disk: '12Gi',
    memory: '2Gi',
    ...cloud(
      `${ALMALINUX}/9/cloud/x86_64/images`,
      'AlmaLinux-9-GenericCloud-latest.x86_64.qcow2',
      'CHECKSUM',
      'sha256',
      beside(`${ALMALINUX}/9/cloud/x86_64/images/CHECKSUM.asc`, {
        fingerprint: 'BF18AC2876178908D6E71267D36CB86CB86B3716',
        url: `${ALMALINUX}/RPM-GPG-KEY-AlmaLinux-9`,
        keyrings: ['/usr/share/distribution-gpg-keys/alma/RPM-GPG-KEY-AlmaLinux-9'],
      }),
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
      { kind: 'none', because: 'no signature of CentOS for its cloud images is known' },
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
      // By its own word (README of rocky-linux/checksums): of its releases only 8 and 10 sign them.
      { kind: 'none', because: 'Rocky Linux 9 signs no lists on its mirrors' },
    ),
  },
];

/** The image of a name; throws with those that there are. */
export function namedImage(name: string): NamedImage {
  const found = NAMED_IMAGES.find((image) => image.name === name);
  if (found === undefined) {
    const names = NAMED_IMAGES.map((image) => image.name);
    const near = nearest(name, names);
    throw new Error(
      `there is no image "${name}"${near === undefined ? '' : ` (did you mean "${near}"?)`}: ${names.join(', ')}, or a container disk such as registry.example/name:tag`,
    );
  }
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
