/** What webhooks know beside the request, and what one is. */
import {
  type CloneRight,
  type ClusterConfig,
  type DataSource,
  type Expansion,
  type KubeVirt,
  type Pod,
  serviceAccounts,
  serviceAccountUser,
  type VirtualMachine,
  type VirtualMachineBackup,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
  type VirtualMachineInstancePreset,
  type VirtualMachineRestore,
  type VirtualMachineSnapshot,
  type VirtualMachineSnapshotContent,
} from '@podvisor/api';
import type { AdmissionAnswer, AdmissionRequest } from './review.ts';

export interface WebhookContext {
  readonly config: ClusterConfig;
  /** Where Podvisor is installed: its service accounts are trusted. */
  readonly namespace: string;
  /** RFC 3339. */
  readonly now: string;
  newUuid(): string;
  /** Five characters for generated names. */
  newSuffix(): string;
  presets(namespace: string): readonly VirtualMachineInstancePreset[];
  findPod(namespace: string, name: string): Promise<Pod | undefined>;
  findVmi(namespace: string, name: string): Promise<VirtualMachineInstance | undefined>;
  /** What a VM's matchers select. Throws ExpansionError. */
  findExpansion(vm: VirtualMachine, namespace: string): Promise<Expansion>;
  /** Sets `status.evacuationNodeName`, if the VMI is still on that node. */
  markForEvacuation(vmi: VirtualMachineInstance, mark: EvacuationMark): Promise<void>;
  /** The VM with the names that its volumes stand for. Throws InferenceError. */
  inferMatchers(vm: VirtualMachine, namespace: string): Promise<VirtualMachine>;
  /** The architecture that the VM's disks are made for, if they say so. */
  dataSourceArchitecture(vm: VirtualMachine, namespace: string): Promise<string | undefined>;
  findSnapshot(namespace: string, name: string): Promise<VirtualMachineSnapshot | undefined>;
  findSnapshotContent(namespace: string, name: string): Promise<VirtualMachineSnapshotContent | undefined>;
  findVm(namespace: string, name: string): Promise<VirtualMachine | undefined>;
  restores(namespace: string): Promise<readonly VirtualMachineRestore[]>;
  backups(namespace: string): Promise<readonly VirtualMachineBackup[]>;
  kubeVirts(): Promise<readonly KubeVirt[]>;
  /** A kind of workload that exists somewhere in the cluster, in words for people. */
  anyWorkload(): Promise<string | undefined>;
  findDataSource(namespace: string, name: string): Promise<DataSource | undefined>;
  /** Whether somebody else has a right, by an access review. */
  isAllowed(subject: Subject, right: CloneRight): Promise<boolean>;
  /** Migrations of one VMI. */
  migrationsOf(namespace: string, vmiName: string): Promise<readonly VirtualMachineInstanceMigration[]>;
}

/** Who made a request, as an access review names them. */
export interface Subject {
  readonly user: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** That a guest is to leave its node, and who asked for it where that makes a difference. */
export interface EvacuationMark {
  readonly nodeName: string;
  readonly source: 'descheduler' | undefined;
  readonly dryRun: boolean;
}

export type Webhook = (
  request: AdmissionRequest,
  context: WebhookContext,
) => AdmissionAnswer | Promise<AdmissionAnswer>;

/** Components whose work it is to write VMs and VMIs. virt-operator's is the installation. */
const WRITERS = [serviceAccounts.api, serviceAccounts.controller, serviceAccounts.handler];

/** True for requests of those of our components that write VMs and VMIs. */
export function isOwnComponent(user: string, namespace: string): boolean {
  return WRITERS.some((account) => serviceAccountUser(namespace, account) === user);
}
