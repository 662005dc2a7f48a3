import type { TypedLocalObjectReference } from '../kubernetes/kubernetes.ts';
import type { KubernetesObject, Time } from '../kubernetes/meta.ts';
import type { VMICondition } from '../vmi/vmi-status.ts';

/** Copies a virtual machine. */
export interface VirtualMachineClone extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineClone';
  /** What is copied, and to where. */
  readonly spec: VirtualMachineCloneSpec;
  /** How far the copy is. */
  readonly status?: VirtualMachineCloneStatus;
}

/** What is copied, and to where. */
export interface VirtualMachineCloneSpec {
  /**
   * Annotations to copy, as patterns; ! excludes, * at the end matches all; all when unset.
   * @listType atomic
   */
  readonly annotationFilters?: readonly string[];
  /** A warm copy goes on as the guest that was copied, with its host name, machine id and keys. Podvisor's own. */
  readonly identityless?: boolean;
  /**
   * Labels to copy, in the same way.
   * @listType atomic
   */
  readonly labelFilters?: readonly string[];
  /** MAC addresses of the copy, by interface; new ones are chosen when unset. */
  readonly newMacAddresses?: Readonly<Record<string, string>>;
  /** Serial number of the copy's board. */
  readonly newSMBiosSerial?: string;
  /**
   * JSON patches of the copy.
   * @listType atomic
   */
  readonly patches?: readonly string[];
  /** The VirtualMachine or VirtualMachineSnapshot to copy. */
  readonly source: TypedLocalObjectReference;
  /** The new machine; a name is chosen when unset. */
  readonly target?: TypedLocalObjectReference;
  /** Filters for the copy's template. */
  readonly template?: VirtualMachineCloneTemplateFilters;
  /** How the copy's volumes are named: RandomizeNames or PrefixTargetName. */
  readonly volumeNamePolicy?: 'RandomizeNames' | 'PrefixTargetName';
  /** The copy goes on from the memory of the snapshot that it is made of, instead of booting. Podvisor's own. */
  readonly warm?: boolean;
}

/** Filters for the template of a copy. */
export interface VirtualMachineCloneTemplateFilters {
  /**
   * Annotations to copy.
   * @listType atomic
   */
  readonly annotationFilters?: readonly string[];
  /**
   * Labels to copy.
   * @listType atomic
   */
  readonly labelFilters?: readonly string[];
}

/** How far a copy is. */
export interface VirtualMachineCloneStatus {
  /**
   * Ready and Progressing.
   * @listType atomic
   */
  readonly conditions?: readonly VMICondition[];
  /**
   * When the copy was made.
   * @nullable
   */
  readonly creationTime?: Time;
  /** SnapshotInProgress, RestoreInProgress, CreatingTargetVM, Succeeded, Failed or Unknown. */
  readonly phase?: string;
  /**
   * The restore that makes the copy.
   * @nullable
   */
  readonly restoreName?: string;
  /**
   * The snapshot that is copied.
   * @nullable
   */
  readonly snapshotName?: string;
  /**
   * The new machine.
   * @nullable
   */
  readonly targetName?: string;
}
