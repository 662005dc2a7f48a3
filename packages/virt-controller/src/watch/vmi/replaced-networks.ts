/**
 * A running VMI whose network names another definition than its Pod is plugged into. The new one is plugged in beside
 * the old one, under a name of its own; virt-handler moves the guest over and reports the new NIC
 * (`status.interfaces[].podInterfaceName`), and then the old one leaves. Pure.
 */
import type { Interface, Network, Pod, VirtualMachineInstance } from '@podvisor/api';
import {
  definitionReference,
  type NetworkSelection,
  replacementInterfaceName,
  secondaryInterfaceName,
} from '@podvisor/translate';
import { POD_NETWORKS } from './pod-networks.ts';

type Vmi = VirtualMachineInstance;

/** What the annotation of a Pod says; empty when it is not a list of ours. */
export function selectionsOf({ metadata }: Pod): readonly NetworkSelection[] {
  return parse(metadata.annotations?.[POD_NETWORKS] ?? '');
}

/** The annotation that this running Pod should have. `rendered`: what a new Pod of the VMI would have. */
export function runningPodNetworks(vmi: Vmi, pod: Pod, rendered: string): string {
  if (rendered === '') return '';
  const current = selectionsOf(pod);
  const selections = parse(rendered).flatMap((desired) => {
    const network = networkOf(vmi, desired);
    return network === undefined ? [desired] : replaced(vmi, network, desired, current);
  });
  return JSON.stringify(selections);
}

function replaced(
  vmi: Vmi,
  network: Network,
  desired: NetworkSelection,
  current: readonly NetworkSelection[],
): readonly NetworkSelection[] {
  const mine = current.filter((entry) => isOf(network, entry));
  const used = mine.find((entry) => entry.interface === usedInterface(vmi, network.name)) ?? mine[0];
  if (used === undefined || referenceOf(used) === referenceOf(desired))
    return [{ ...desired, interface: used?.interface ?? desired.interface }];
  // A device of the node, or of a plugin, is not exchanged under a running guest: that takes a new Pod.
  const nic = vmi.spec.domain.devices.interfaces?.find(({ name }) => name === network.name);
  if (!canBeReplaced(nic)) return [used];
  return [used, { ...desired, interface: replacementInterfaceName(network.name, referenceOf(desired)) }];
}

/** The guest's side of a bridge does not care which NIC the other side has. */
export function canBeReplaced(nic: Interface | undefined): boolean {
  return nic?.bridge !== undefined;
}

/** The definition that the guest uses in this Pod though its VMI names another one; undefined: it is the right one. */
export function otherDefinition(vmi: Vmi, pod: Pod, network: Network): string | undefined {
  const { multus } = network;
  if (multus === undefined || multus.default === true) return undefined;
  const mine = selectionsOf(pod).filter((entry) => isOf(network, entry));
  const used = mine.find((entry) => entry.interface === usedInterface(vmi, network.name)) ?? mine[0];
  const wanted = definitionReference(multus.networkName, vmi.metadata?.namespace ?? 'default');
  return used === undefined || referenceOf(used) === wanted ? undefined : referenceOf(used);
}

function usedInterface({ status }: Vmi, network: string): string | undefined {
  return status?.interfaces?.find(({ name }) => name === network)?.podInterfaceName;
}

function networkOf({ spec }: Vmi, desired: NetworkSelection): Network | undefined {
  return spec.networks?.find(({ name }) => secondaryInterfaceName(name) === desired.interface);
}

/** Names of NICs tell whose they are: that of the network, or one of its replacements. */
function isOf({ name }: Network, entry: NetworkSelection): boolean {
  return (
    entry.interface === secondaryInterfaceName(name) ||
    entry.interface === replacementInterfaceName(name, referenceOf(entry))
  );
}

function referenceOf({ namespace, name }: NetworkSelection): string {
  return `${namespace}/${name}`;
}

function parse(text: string): readonly NetworkSelection[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(isSelection) : [];
  } catch {
    return []; // Names with commas between are nothing that we wrote.
  }
}

function isSelection(value: unknown): value is NetworkSelection {
  if (typeof value !== 'object' || value === null) return false;
  return 'name' in value && typeof value.name === 'string' && 'namespace' in value;
}
