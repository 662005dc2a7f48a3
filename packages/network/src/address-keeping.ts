/**
 * Which addresses of a VM a migration would change, told before there is one. Pure. What decides is the network that
 * gives them, and a component sees of that only: what the installation says about its Pod network, what network plugins
 * that know VMs write on their Pods, and how the Pod asked for its further networks. What nothing vouches for counts as
 * changing: most Pod networks give every Pod a new address.
 */
import { annotations, type Interface, type Network, type VirtualMachineInstance } from '@podvisor/api';
import { parseList, podNicsOf } from './network-status.ts';

/** What is known of where a VM runs. */
export interface AddressFacts {
  /** Annotations of its Pod. */
  readonly podAnnotations: Readonly<Record<string, string>> | undefined;
  readonly podIps: readonly string[];
  /** The Pod's NIC of each interface. */
  readonly podInterfaces: ReadonlyMap<string, string>;
  /** The word of the installation: annotation `podvisor.io/pod-network-keeps-addresses` of the KubeVirt object. */
  readonly promise: string | undefined;
}

/** What changes, one sentence for each interface; none: the VM keeps all that it has. */
export function addressesThatChange(vmi: VirtualMachineInstance, facts: AddressFacts): readonly string[] {
  const networks = new Map((vmi.spec.networks ?? []).map((network) => [network.name, network]));
  return (vmi.spec.domain.devices.interfaces ?? []).flatMap((nic) => {
    const network = networks.get(nic.name);
    // Addresses of a passed-through device are the guest's own affair, those of a plugin its plugin's.
    if (
      network === undefined ||
      nic.state === 'absent' ||
      nic.sriov !== undefined ||
      nic.binding !== undefined
    )
      return [];
    const change = isPodNetwork(network) ? podAddress(nic, network, facts) : furtherAddress(nic, facts);
    return change === undefined ? [] : [`interface ${nic.name}: ${change}`];
  });
}

function isPodNetwork({ pod, multus }: Network): boolean {
  return pod !== undefined || multus?.default === true;
}

function podAddress(nic: Interface, network: Network, facts: AddressFacts): string | undefined {
  const { podIps } = facts;
  if (podIps.length === 0 || isPodAddressKept(nic, network, facts)) return undefined;
  const whose =
    nic.masquerade === undefined
      ? 'the guest has to ask for the new one (DHCP)'
      : 'the guest itself notices nothing';
  return `${podIps.join(', ')} is an address of the Pod network, which is not known to take it to another node; with a migration it changes, connections into the guest end, Services follow, ${whose}`;
}

/** In a selection of a network: the claim of addresses that outlives the Pod. */
const CLAIM = 'ipam-claim-reference';
const DEFAULT_NETWORK = 'v1.multus-cni.io/default-network';

function isPodAddressKept(
  nic: Interface,
  { multus }: Network,
  { podAnnotations = {}, promise }: AddressFacts,
): boolean {
  // Addresses that outlive Pods were claimed for the VM: OVN-Kubernetes, user-defined primary networks.
  const isClaimed = (entry: Readonly<Record<string, unknown>>): boolean => entry[CLAIM] !== undefined;
  if (podAnnotations['k8s.ovn.org/primary-udn-ipamclaim'] !== undefined) return true;
  if (parseList(podAnnotations[DEFAULT_NETWORK]).some(isClaimed)) return true;
  // Another network stands in for the cluster's, and nobody spoke for that one.
  if (multus !== undefined || podAnnotations[DEFAULT_NETWORK] !== undefined) return false;
  if (promise !== undefined) return promise === 'true';
  // Kube-OVN gives addresses to VMs and names them on their Pods.
  if (podAnnotations['ovn.kubernetes.io/virtualmachine'] !== undefined) return true;
  // OVN-Kubernetes takes along the addresses of bridged guests that are allowed to move.
  const isAllowed = podAnnotations[annotations.allowPodBridgeNetworkLiveMigration] !== undefined;
  return nic.bridge !== undefined && isAllowed && podAnnotations['k8s.ovn.org/pod-networks'] !== undefined;
}

const NETWORKS = 'k8s.v1.cni.cncf.io/networks';

/** A further network gives the guest an address only where its definition has address management. */
function furtherAddress(
  { name }: Interface,
  { podAnnotations, podInterfaces }: AddressFacts,
): string | undefined {
  const podNic = podInterfaces.get(name);
  if (podNic === undefined) return undefined;
  const addresses = podNicsOf(podAnnotations).get(podNic)?.addresses ?? [];
  if (addresses.length === 0) return undefined;
  const selection = parseList(podAnnotations?.[NETWORKS]).find((entry) => entry['interface'] === podNic);
  // An address that was asked for by itself, or claimed for the VM, is asked for again by the next Pod.
  if (selection?.['ips'] !== undefined || selection?.[CLAIM] !== undefined) return undefined;
  return `${addresses.join(', ')} was given to the Pod by its network's address management, not to the VM (no ${CLAIM}); after a migration the network has another one for it`;
}
