/** The list of packages of an image, as SPDX 2.3 in JSON: Debian's, those of npm in our bundles, Node, ours. Pure. */
import { createHash } from 'node:crypto';
import type { DebianPackage } from './debian-packages.ts';

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** As package-lock.json has it; absent: not said. */
  readonly license?: string;
  /** Of the archive that npm checks. */
  readonly integrity?: string;
}

export interface SpdxInput {
  readonly image: string;
  readonly version: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly debian: readonly DebianPackage[];
  readonly npm: readonly NpmPackage[];
}

/** Of one input always the same text. */
export function spdxDocument({ image, version, created, debian, npm }: SpdxInput): string {
  const packages = [
    {
      SPDXID: 'SPDXRef-Image',
      name: image,
      versionInfo: version,
      downloadLocation: 'NOASSERTION',
      filesAnalyzed: false,
      licenseDeclared: 'Apache-2.0',
      primaryPackagePurpose: 'CONTAINER',
    },
    ...debian.map((one) => debianEntry(one)),
    ...npm.map((one) => npmEntry(one)),
  ];
  const digest = createHash('sha256')
    .update(JSON.stringify([packages, created]))
    .digest('hex');
  return `${JSON.stringify(
    {
      spdxVersion: 'SPDX-2.3',
      dataLicense: 'CC0-1.0',
      SPDXID: 'SPDXRef-DOCUMENT',
      name: `${image}-${version}`,
      documentNamespace: `https://podvisor.local/spdx/${image}/${digest}`,
      creationInfo: {
        created: `${new Date(created * 1000).toISOString().slice(0, 19)}Z`,
        creators: ['Tool: podvisor-images-build'],
      },
      packages,
      relationships: [
        relation('SPDXRef-DOCUMENT', 'DESCRIBES', 'SPDXRef-Image'),
        ...packages.slice(1).map(({ SPDXID }) => relation('SPDXRef-Image', 'CONTAINS', SPDXID)),
      ],
    },
    undefined,
    1,
  )}\n`;
}

function relation(from: string, relationshipType: string, to: string): object {
  return { spdxElementId: from, relationshipType, relatedSpdxElement: to };
}

/** The licences of Debian's packages are in their copyright files, in the image. */
function debianEntry({ name, version, architecture, source, homepage }: DebianPackage): SpdxPackage {
  return {
    SPDXID: `SPDXRef-deb-${idOf(name)}`,
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseDeclared: 'NOASSERTION',
    sourceInfo: `built from Debian source ${source}`,
    ...(homepage === undefined ? {} : { homepage }),
    externalRefs: [
      purl(`pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`),
    ],
  };
}

function npmEntry({ name, version, license = 'NOASSERTION', integrity }: NpmPackage): SpdxPackage {
  const [algorithm, base64 = ''] = integrity?.split('-') ?? [];
  return {
    SPDXID: `SPDXRef-npm-${idOf(name)}`,
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseDeclared: license,
    ...(algorithm === 'sha512'
      ? {
          checksums: [{ algorithm: 'SHA512', checksumValue: Buffer.from(base64, 'base64').toString('hex') }],
        }
      : {}),
    externalRefs: [purl(`pkg:npm/${name.replace('@', '%40')}@${version}`)],
  };
}

interface SpdxPackage {
  readonly SPDXID: string;
  readonly [field: string]: unknown;
}

/** SPDX identifiers have letters, digits, dots and dashes. */
function idOf(name: string): string {
  return name.replaceAll('+', '.plus.').replaceAll(/[^A-Za-z0-9.-]/g, '-');
}

function purl(locator: string): object {
  return { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: locator };
}
