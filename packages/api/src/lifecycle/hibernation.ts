/**
 * Hibernation between the components: which claim takes the state of a guest, which state a VMI is to wake from, and
 * the words in which a launcher refuses one. The identity of a state is the UID of the VMI whose memory it is. Pure.
 */
import { annotations } from '../names.ts';
import type { UtilityVolume, VirtualMachineInstance, VMISpec } from '../types/index.ts';

/** Type of the utility volume that has a running guest hibernate: ours, KubeVirt has none. */
export const HIBERNATION_VOLUME_TYPE = 'Hibernation';
/** Name of that volume, in the VMI and in its Pod. */
export const HIBERNATION_VOLUME = 'hibernation-state';

/** The claim that the guest is to write its state to; its presence is the request. */
export function hibernationVolume({ utilityVolumes = [] }: VMISpec): UtilityVolume | undefined {
  return utilityVolumes.find(({ type }) => type === HIBERNATION_VOLUME_TYPE);
}

/** What a VMI is to begin with, instead of a boot. */
export interface HibernatedState {
  readonly claimName: string;
  /** UID of the VMI whose memory it is. */
  readonly id: string;
  /**
   * The state is known to be whole: it is loaded, or the start is refused. Otherwise the VMI ended before anybody
   * heard whether it was: what is there is loaded, and where nothing is there the guest boots.
   */
  readonly isWhole: boolean;
  /**
   * It is a copy of the memory of a snapshot, and the disks are copies too: they have other claims, and may belong to
   * another VM.
   */
  readonly isOfSnapshot?: boolean;
  /** The guest is a copy that gets an identity of its own through its agent before it counts as running. */
  readonly newIdentity?: boolean;
}

const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The state that the annotation of a VMI names; undefined: there is none, or it makes no sense. */
export function hibernatedStateOf({ metadata }: VirtualMachineInstance): HibernatedState | undefined {
  const [claimName = '', id = '', ...facts] = (
    metadata?.annotations?.[annotations.hibernatedState] ?? ''
  ).split(' ');
  if (!NAME.test(claimName) || !UID.test(id)) return undefined;
  return {
    claimName,
    id,
    isWhole: facts.includes('whole'),
    ...(facts.includes('snapshot') ? { isOfSnapshot: true } : {}),
    ...(facts.includes('identity') ? { newIdentity: true } : {}),
  };
}

/** The annotation that `hibernatedStateOf` reads. */
export function hibernatedStateText(state: HibernatedState): string {
  return [
    state.claimName,
    state.id,
    ...(state.isWhole ? ['whole'] : []),
    ...(state.isOfSnapshot === true ? ['snapshot'] : []),
    ...(state.newIdentity === true ? ['identity'] : []),
  ].join(' ');
}

/** Why a state is not loaded. */
export const hibernationRefusals = ['StateDamaged', 'StateMissing', 'StateDoesNotFit', 'StateInUse'] as const;
export type HibernationRefusal = (typeof hibernationRefusals)[number];

/** What the launcher says of a state that it does not load; virt-handler finds the reason in it. */
export function refusalText(reason: HibernationRefusal, message: string): string {
  return `the hibernated state is refused (${reason}): ${message}`;
}

/** The reason and the sentence of a refusal within the words of a launcher. */
export function refusalIn(
  text: string,
): { readonly reason: HibernationRefusal; readonly message: string } | undefined {
  const found = /the hibernated state is refused \((\w+)\): (.*)/s.exec(text);
  const reason = hibernationRefusals.find((known) => known === found?.[1]);
  return reason === undefined ? undefined : { reason, message: found?.[2] ?? '' };
}
