/**
 * One virtual machine of a pool: its name, and the pool's template with the machine's number in every name
 * that must be its own. Pure.
 */
import {
  labels as labelKeys,
  type VirtualMachine,
  type VirtualMachinePool,
  type VirtualMachinePoolSpec,
  type VMISpec,
  type VMSpec,
  type Volume,
} from '@podvisor/api';
import { controllerReference } from '../ownership.ts';

export const POOL_API_VERSION = 'pool.kubevirt.io/v1beta1';

/** The part of a pool's spec that makes its machines; kept in the revision. */
export type PoolTemplate = Pick<
  VirtualMachinePoolSpec,
  'nameGeneration' | 'virtualMachineTemplate' | 'source' | 'identityless'
>;

export function templateOfSpec(spec: PoolTemplate): PoolTemplate {
  const { nameGeneration, virtualMachineTemplate, source, identityless } = spec;
  return {
    nameGeneration,
    virtualMachineTemplate,
    ...(source === undefined ? {} : { source }),
    ...(identityless === undefined ? {} : { identityless }),
  };
}

/** `<pool>-<generation>`. */
export function poolRevisionName({ metadata }: VirtualMachinePool): string {
  return `${metadata?.name}-${metadata?.generation ?? 0}`;
}

/** The number in a machine's name; undefined for a name that the pool did not give. */
export function indexOf({ metadata }: VirtualMachine): number | undefined {
  const [, digits] = /-(\d+)$/.exec(metadata?.name ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The lowest numbers whose names are free. */
export function freeIndexes(count: number, isTaken: (index: number) => boolean): readonly number[] {
  const free: number[] = [];
  for (let index = 0; free.length < count; index += 1) if (!isTaken(index)) free.push(index);
  return free;
}

/** The machine as it is created. */
export function buildMember(pool: VirtualMachinePool, index: number): VirtualMachine {
  const { metadata } = pool.spec.virtualMachineTemplate;
  const revision = poolRevisionName(pool);
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: {
      name: `${pool.metadata?.name}-${index}`,
      namespace: pool.metadata?.namespace,
      labels: { ...metadata?.labels, [labelKeys.poolRevisionName]: revision },
      annotations: metadata?.annotations,
      ownerReferences: [controllerReference(pool, POOL_API_VERSION, 'VirtualMachinePool')],
    },
    spec: withRevision(memberSpec(pool.spec, index), revision),
  };
}

/** The revision goes into the template too: its VMIs tell by it what they were made from. */
export function withRevision(spec: VMSpec, revision: string): VMSpec {
  const { metadata } = spec.template;
  const labels = { ...metadata?.labels, [labelKeys.poolRevisionName]: revision };
  return { ...spec, template: { ...spec.template, metadata: { ...metadata, labels } } };
}

/** The spec of the machine with this number. */
export function memberSpec({ nameGeneration, virtualMachineTemplate }: PoolTemplate, index: number): VMSpec {
  const spec = virtualMachineTemplate.spec;
  if (spec === undefined) throw new Error('spec.virtualMachineTemplate.spec is missing');
  const own = new Set((spec.dataVolumeTemplates ?? []).map(({ metadata }) => metadata?.name ?? ''));
  const suffix = `-${index}`;
  const rename = (name: string): string => (own.has(name) ? `${name}${suffix}` : name);
  const configMap = nameGeneration?.appendIndexToConfigMapRefs === true ? suffix : '';
  const secret = nameGeneration?.appendIndexToSecretRefs === true ? suffix : '';
  const template = spec.template.spec;
  if (template === undefined) return spec;
  return {
    ...spec,
    ...(spec.dataVolumeTemplates && {
      dataVolumeTemplates: spec.dataVolumeTemplates.map((dataVolume) => ({
        ...dataVolume,
        metadata: { ...dataVolume.metadata, name: `${dataVolume.metadata?.name}${suffix}` },
      })),
    }),
    template: { ...spec.template, spec: withOwnNames(template, rename, configMap, secret) },
  };
}

function withOwnNames(
  spec: VMISpec,
  rename: (name: string) => string,
  configMap: string,
  secret: string,
): VMISpec {
  return {
    ...spec,
    ...(spec.volumes && {
      volumes: spec.volumes.map((volume) => ownVolume(volume, rename, configMap, secret)),
    }),
    ...(spec.accessCredentials &&
      secret !== '' && {
        accessCredentials: spec.accessCredentials.map((credential) => ownCredential(credential, secret)),
      }),
  };
}

type NamedRef = { readonly name?: string };

const suffixed = <T extends NamedRef>(ref: T, suffix: string): T => ({
  ...ref,
  name: `${ref.name}${suffix}`,
});

function ownVolume(
  volume: Volume,
  rename: (name: string) => string,
  configMap: string,
  secret: string,
): Volume {
  const { cloudInitConfigDrive, cloudInitNoCloud, dataVolume, persistentVolumeClaim, sysprep } = volume;
  return {
    ...volume,
    ...(dataVolume && { dataVolume: { ...dataVolume, name: rename(dataVolume.name) } }),
    ...(persistentVolumeClaim && {
      persistentVolumeClaim: { ...persistentVolumeClaim, claimName: rename(persistentVolumeClaim.claimName) },
    }),
    ...(volume.configMap && { configMap: suffixed(volume.configMap, configMap) }),
    ...(volume.secret && {
      secret: { ...volume.secret, secretName: `${volume.secret.secretName}${secret}` },
    }),
    ...(sysprep && {
      sysprep: {
        ...sysprep,
        ...(sysprep.configMap && { configMap: suffixed(sysprep.configMap, configMap) }),
        ...(sysprep.secret && { secret: suffixed(sysprep.secret, secret) }),
      },
    }),
    ...(cloudInitNoCloud && { cloudInitNoCloud: ownCloudInit(cloudInitNoCloud, secret) }),
    ...(cloudInitConfigDrive && { cloudInitConfigDrive: ownCloudInit(cloudInitConfigDrive, secret) }),
  };
}

function ownCloudInit<T extends { readonly secretRef?: NamedRef; readonly networkDataSecretRef?: NamedRef }>(
  source: T,
  suffix: string,
): T {
  return {
    ...source,
    ...(source.secretRef && { secretRef: suffixed(source.secretRef, suffix) }),
    ...(source.networkDataSecretRef && {
      networkDataSecretRef: suffixed(source.networkDataSecretRef, suffix),
    }),
  };
}

type Credential = NonNullable<VMISpec['accessCredentials']>[number];

function ownCredential(credential: Credential, suffix: string): Credential {
  const { sshPublicKey, userPassword } = credential;
  const own = <T extends { readonly source: { readonly secret?: { readonly secretName: string } } }>(
    part: T,
  ): T => ({
    ...part,
    source: {
      ...part.source,
      ...(part.source.secret && { secret: { secretName: `${part.source.secret.secretName}${suffix}` } }),
    },
  });
  return {
    ...credential,
    ...(sshPublicKey && { sshPublicKey: own(sshPublicKey) }),
    ...(userPassword && { userPassword: own(userPassword) }),
  };
}
