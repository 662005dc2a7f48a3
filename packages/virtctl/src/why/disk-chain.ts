/**
 * The disks of a VM, link by link: claim → bound → mounted (or, of a plugged one, on the node → in the Pod) → overlay,
 * where there is one → in the domain → seen by the guest; each with what shows it, and the first that is broken. Of
 * disks that are made inside the Pod only overlays are followed. Pure.
 */
import { claimName, type DiskPicture, isHotpluggable, type Volume, type VolumeStatus } from '@podvisor/api';
import { at, textOf } from '../plain.ts';
import type { Observed } from './observed.ts';
import { hasMoved } from './has-moved.ts';
import type { ChainLink } from './network-chain.ts';

export interface DiskChain {
  readonly volume: string;
  readonly links: readonly ChainLink[];
}

/** How far a plugged claim has come. */
const ON_NODE: ReadonlySet<string> = new Set(['AttachedToNode', 'MountedToPod', 'Ready', 'Detaching']);
const IN_POD: ReadonlySet<string> = new Set(['MountedToPod', 'Ready', 'Detaching']);

export function diskChains({
  vmi,
  pod,
  claims,
  disks,
}: Pick<Observed, 'vmi' | 'pod' | 'claims' | 'disks'>): readonly DiskChain[] {
  const shown = new Set((vmi?.spec.domain.devices.disks ?? []).map(({ name }) => name));
  return (vmi?.spec.volumes ?? []).flatMap((volume): DiskChain[] => {
    const name = claimName(volume) ?? volume.ephemeral?.persistentVolumeClaim?.claimName;
    const hasOverlay = volume.containerDisk !== undefined || volume.ephemeral !== undefined;
    // A claim that no disk shows is a directory of files for the guest.
    const isDisk = shown.has(volume.name) || isHotpluggable(volume);
    // Of a disk without a claim there is nothing to tell before it is there.
    if (!isDisk || (name === undefined && (!hasOverlay || disks === undefined))) return [];
    const claim = claims.find((one) => textOf(at(one, 'metadata', 'name')) === name);
    const status = vmi?.status?.volumeStatus?.find((one) => one.name === volume.name);
    const picture = disks?.find((one) => one.volume === volume.name);
    return [
      {
        volume: volume.name,
        links: [
          ...(name === undefined ? [] : [...claimLinks(name, claim), ...placeLinks(volume, status, pod)]),
          ...(hasOverlay ? [overlayLink(picture)] : []),
          domainLink(status),
          ...(disks === undefined ? [] : [guestLink(picture, hasMoved(vmi))]),
        ],
      },
    ];
  });
}

function placeLinks(
  volume: Volume,
  status: VolumeStatus | undefined,
  pod: Observed['pod'],
): readonly ChainLink[] {
  if (isHotpluggable(volume)) return pluggedLinks(status);
  const phase = pod?.status?.phase;
  if (phase === 'Running')
    return [{ name: 'mounted', state: 'good', evidence: `in Pod ${pod?.metadata.name}` }];
  const evidence = phase === undefined ? 'there is no Pod' : `the Pod is ${phase}; its events say more`;
  return [{ name: 'mounted', state: 'unknown', evidence }];
}

function overlayLink(picture: DiskPicture | undefined): ChainLink {
  return picture?.backing === undefined
    ? { name: 'overlay', state: 'unknown', evidence: 'nothing is known of it while the guest does not run' }
    : { name: 'overlay', state: 'good', evidence: `${picture.source} over ${picture.backing}` };
}

/** QEMU knows what the guest asks for; its agent, where the disk has a serial number, what is mounted. */
function guestLink(picture: DiskPicture | undefined, moved: boolean): ChainLink {
  const name = 'seen by the guest';
  if (picture?.mountedAt !== undefined)
    return { name, state: 'good', evidence: `mounted at ${picture.mountedAt.join(', ')}` };
  const { reads = 0, writes = 0, bus = 'its bus' } = picture ?? {};
  if (reads + writes > 0)
    return { name, state: 'good', evidence: `${reads} reads and ${writes} writes so far` };
  const evidence = moved
    ? 'the guest has not used it since it moved to this node'
    : `the guest has not read from it (yet); see that it has a driver for ${bus}`;
  return { name, state: 'unknown', evidence };
}

function claimLinks(name: string, claim: unknown): readonly ChainLink[] {
  // Not read is not missing: the state of the volume tells.
  if (claim === undefined)
    return [{ name: 'claim', state: 'unknown', evidence: `PVC ${name} was not found or could not be read` }];
  const phase = textOf(at(claim, 'status', 'phase')) ?? 'Pending';
  const size = textOf(at(claim, 'status', 'capacity', 'storage'));
  const volume = textOf(at(claim, 'spec', 'volumeName'));
  return [
    { name: 'claim', state: 'good', evidence: `PVC ${name}${size === undefined ? '' : `, ${size}`}` },
    phase === 'Bound'
      ? { name: 'bound', state: 'good', evidence: `to ${volume ?? 'a volume'}` }
      : { name: 'bound', state: 'broken', evidence: `the claim is ${phase}` },
  ];
}

function pluggedLinks(status: VolumeStatus | undefined): readonly ChainLink[] {
  const phase = status?.phase ?? '';
  const why = status?.message ?? `the volume is ${phase || 'not looked at yet'}`;
  const pod = status?.hotplugVolume?.attachPodName;
  const link = (name: string, isGood: boolean, evidence: string): ChainLink => ({
    name,
    state: isGood ? 'good' : 'broken',
    evidence: isGood ? evidence : why,
  });
  return [
    link('on the node', ON_NODE.has(phase), `held by Pod ${pod ?? 'hp-volume-…'}`),
    link('in the Pod', IN_POD.has(phase), 'virt-handler shows it to the launcher'),
  ];
}

function domainLink(status: VolumeStatus | undefined): ChainLink {
  const target = status?.target ?? '';
  return target === ''
    ? {
        name: 'in the domain',
        state: 'broken',
        evidence: status?.message ?? 'the guest has no such disk (yet)',
      }
    : { name: 'in the domain', state: 'good', evidence: `as ${target}` };
}

/** One line for a disk that is whole; for others, a line for each link that is not good. */
export function diskLines({ volume, links }: DiskChain): readonly string[] {
  const marks = { good: '✓', broken: '✗', unknown: '?' } as const;
  const line = links.map(({ name, state }) => `${name} ${marks[state]}`).join(' → ');
  const first =
    links.find(({ state }) => state === 'broken') ?? links.find(({ state }) => state === 'unknown');
  return [
    `${volume}: ${line}`,
    ...(first === undefined ? [] : [`  ${marks[first.state]} ${first.name}: ${first.evidence}`]),
  ];
}
