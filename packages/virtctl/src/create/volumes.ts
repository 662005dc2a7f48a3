/** The volumes of a generated VM: flags to volumes, DataVolume templates and boot orders. Pure. */
import { flagError, type Params, parseParams, prefixedName, required, sizeOf } from './params.ts';

export interface Volume {
  readonly name: string;
  readonly [source: string]: unknown;
}

/** One flag's contribution. */
export interface VolumePart {
  readonly flag: string;
  readonly volume: Volume;
  readonly template?: unknown;
  readonly bootOrder?: number;
  /** Can an instance type or a preference be read off it? */
  readonly inferable: boolean;
}

const NAMED = ['name', 'src', 'bootorder'];

export function containerDisk(text: string, index: number, vmName: string): VolumePart {
  const flag = 'volume-containerdisk';
  const params = parseParams(flag, text, NAMED);
  const image = required(flag, params, 'src');
  const name = params.get('name') ?? `${vmName}-containerdisk-${index}`;
  return { flag, volume: { name, containerDisk: { image } }, inferable: false, ...bootOrder(flag, params) };
}

export function claim(text: string): VolumePart {
  const flag = 'volume-pvc';
  const params = parseParams(flag, text, NAMED);
  const { prefix, name } = prefixedName(flag, required(flag, params, 'src'));
  if (prefix !== undefined) throw flagError(flag, `not allowed to specify namespace of pvc "${name}"`);
  const volume = { name: params.get('name') ?? name, persistentVolumeClaim: { claimName: name } };
  return { flag, volume, inferable: true, ...bootOrder(flag, params) };
}

export function sysprep(text: string): VolumePart {
  const flag = 'volume-sysprep';
  const params = parseParams(flag, text, ['src', 'type']);
  const { prefix, name } = prefixedName(flag, required(flag, params, 'src'));
  if (prefix !== undefined)
    throw flagError(flag, `not allowed to specify namespace of configmap or secret "${name}"`);
  const type = params.get('type') ?? 'configmap';
  if (type !== 'configmap' && type !== 'secret')
    throw flagError(flag, `invalid sysprep source type "${type}", supported values are: configmap, secret`);
  const source = type === 'configmap' ? { configMap: { name } } : { secret: { name } };
  return { flag, volume: { name: 'sysprepdisk', sysprep: source }, inferable: false };
}

const IMPORT = 'volume-import';
const COMMON = ['type', 'name', 'size', 'bootorder'];

interface Source {
  readonly params: readonly string[];
  readonly required: readonly string[];
  readonly inferable?: boolean;
  /** Part of the DataVolume's spec. */
  build(params: Params): Readonly<Record<string, unknown>>;
}

const many = (text: string | undefined): readonly string[] | undefined => text?.split(';');

const SOURCES: Readonly<Record<string, Source>> = {
  blank: { params: [], required: ['size'], build: () => ({ source: { blank: {} } }) },
  gcs: {
    params: ['url', 'secretref'],
    required: ['url'],
    build: (p) => ({ source: { gcs: { url: p.get('url'), secretRef: p.get('secretref') } } }),
  },
  http: {
    params: ['url', 'secretref', 'certconfigmap', 'extraheaders', 'secretextraheaders'],
    required: ['url'],
    build: (p) => ({
      source: {
        http: {
          url: p.get('url'),
          secretRef: p.get('secretref'),
          certConfigMap: p.get('certconfigmap'),
          extraHeaders: many(p.get('extraheaders')),
          secretExtraHeaders: many(p.get('secretextraheaders')),
        },
      },
    }),
  },
  imageio: {
    params: ['url', 'diskid', 'secretref', 'certconfigmap'],
    required: ['url', 'diskid'],
    build: (p) => ({
      source: {
        imageio: {
          url: p.get('url'),
          diskId: p.get('diskid'),
          secretRef: p.get('secretref'),
          certConfigMap: p.get('certconfigmap'),
        },
      },
    }),
  },
  pvc: {
    params: ['src'],
    required: ['src'],
    inferable: true,
    build: (p) => ({ source: { pvc: withNamespace(p, 'pvc') } }),
  },
  ds: {
    params: ['src'],
    required: ['src'],
    inferable: true,
    build: (p) => {
      const { prefix, name } = prefixedName(IMPORT, p.get('src') ?? '');
      return { sourceRef: { kind: 'DataSource', name, namespace: prefix } };
    },
  },
  registry: {
    params: ['url', 'secretref', 'certconfigmap', 'imagestream', 'pullmethod'],
    required: [],
    inferable: true,
    build: (p) => {
      if ((p.get('url') === undefined) === (p.get('imagestream') === undefined))
        throw flagError(IMPORT, 'exactly one of url and imagestream must be specified');
      return {
        source: {
          registry: {
            url: p.get('url'),
            secretRef: p.get('secretref'),
            certConfigMap: p.get('certconfigmap'),
            imageStream: p.get('imagestream'),
            pullMethod: p.get('pullmethod'),
          },
        },
      };
    },
  },
  s3: {
    params: ['url', 'secretref', 'certconfigmap'],
    required: ['url'],
    build: (p) => ({
      source: {
        s3: { url: p.get('url'), secretRef: p.get('secretref'), certConfigMap: p.get('certconfigmap') },
      },
    }),
  },
  snapshot: {
    params: ['src'],
    required: ['src'],
    inferable: true,
    build: (p) => ({ source: { snapshot: withNamespace(p, 'snapshot') } }),
  },
  vddk: {
    params: ['url', 'uuid', 'backingfile', 'thumbprint', 'secretref', 'initimageurl'],
    required: [],
    build: (p) => ({
      source: {
        vddk: {
          url: p.get('url'),
          uuid: p.get('uuid'),
          backingFile: p.get('backingfile'),
          thumbprint: p.get('thumbprint'),
          secretRef: p.get('secretref'),
          initImageURL: p.get('initimageurl'),
        },
      },
    }),
  },
};

/** `--volume-import type:…`: a DataVolume template and the volume that uses it. */
export function importedVolume(text: string, random: () => string): VolumePart {
  const type = /(?:^|,)type:([^,]*)/.exec(text)?.[1];
  if (type === undefined) throw flagError(IMPORT, 'type must be specified');
  const source = SOURCES[type];
  if (source === undefined)
    throw flagError(
      IMPORT,
      `invalid volume import type "${type}", supported values are: ${Object.keys(SOURCES).toSorted().join(', ')}`,
    );
  const params = parseParams(IMPORT, text, [...COMMON, ...source.params]);
  for (const key of source.required) required(IMPORT, params, key);
  const name = params.get('name') ?? `imported-volume-${random()}`;
  const size = sizeOf(IMPORT, params);
  const resources = size === undefined ? {} : { requests: { storage: size } };
  return {
    flag: IMPORT,
    volume: { name, dataVolume: { name } },
    template: { metadata: { name }, spec: { ...source.build(params), storage: { resources } } },
    inferable: source.inferable ?? false,
    ...bootOrder(IMPORT, params),
  };
}

function withNamespace(params: Params, what: string): { readonly name: string; readonly namespace: string } {
  const { prefix, name } = prefixedName(IMPORT, params.get('src') ?? '');
  if (prefix === undefined) throw flagError(IMPORT, `namespace of ${what} '${name}' must be specified`);
  return { name, namespace: prefix };
}

function bootOrder(flag: string, params: Params): { readonly bootOrder?: number } {
  const text = params.get('bootorder');
  if (text === undefined) return {};
  const order = Number(text);
  if (!Number.isInteger(order) || order < 0)
    throw flagError(flag, `failed to parse param "bootorder": "${text}" is not a number`);
  if (order === 0) throw flagError(flag, 'bootorder must be greater than 0');
  return { bootOrder: order };
}
