/**
 * The disks of a VM that have a claim, link by link: claim → bound → on the node → in the Pod → in the domain, each
 * with what shows it, and the first that is broken. Disks without a claim are made inside the Pod. Pure.
 */
import { claimName, isHotpluggable, type VolumeStatus } from '@podvisor/api';
import { at, textOf } from '../plain.ts';
import type { Observed } from './evidence.ts';
import type { ChainLink } from './network-chain.ts';

export interface DiskChain {
  readonly volume: string;
  readonly links: readonly ChainLink[];
}

/** How far a plugged claim has come. */
const ON_NODE: ReadonlySet<string> = new Set(['AttachedToNode', 'MountedToPod', 'Ready', 'Detaching']);
const IN_POD: ReadonlySet<string> = new Set(['MountedToPod', 'Ready', 'Detaching']);

export function diskChains({ vmi, claims }: Pick<Observed, 'vmi' | 'claims'>): readonly DiskChain[] {
  return (vmi?.spec.volumes ?? []).flatMap((volume): DiskChain[] => {
    const name = claimName(volume);
    if (name === undefined) return [];
    const claim = claims.find((one) => textOf(at(one, 'metadata', 'name')) === name);
    const status = vmi?.status?.volumeStatus?.find((one) => one.name === volume.name);
    const plugged = isHotpluggable(volume) ? pluggedLinks(status) : [];
    return [{ volume: volume.name, links: [...claimLinks(name, claim), ...plugged, domainLink(status)] }];
  });
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
