import type { DataVolumeTemplate } from '../storage/data-volume.ts';
import type { EmbeddedObjectMeta, KubernetesObject } from '../kubernetes/meta.ts';
import type { VMStatus } from './vm-status.ts';
import type { VMISpec } from '../vmi/vmi.ts';

/**
 * A virtual machine: it exists whether or not its guest runs, and starts a VirtualMachineInstance from
 * its template.
 */
export interface VirtualMachine extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachine';
  /** What the machine should be and whether it should run. */
  readonly spec: VMSpec;
  /** What is known of the machine; written by Podvisor. */
  readonly status?: VMStatus;
}

/** What a virtual machine should be, and whether it should run. */
export interface VMSpec {
  /** DataVolumes that are created with the machine and deleted with it. */
  readonly dataVolumeTemplates?: readonly DataVolumeTemplate[];
  /** The instance type that gives the guest its CPUs, memory and devices. */
  readonly instancetype?: InstancetypeMatcher;
  /** The preference that fills in what the template leaves open. */
  readonly preference?: InstancetypeMatcher;
  /**
   * When the guest runs: Always, Halted, Manual, RerunOnFailure, Once or WaitAsReceiver; excludes
   * running.
   */
  readonly runStrategy?: string;
  /** Old form of runStrategy: true is Always, false is Halted. Use runStrategy instead. */
  readonly running?: boolean;
  /** The VirtualMachineInstance that is started. */
  readonly template: VMITemplate;
  /**
   * What a change of volumes does to a running guest: Replacement needs a restart, Migration moves the
   * data while it runs.
   */
  readonly updateVolumesStrategy?: string;
}

/** Names an instance type or a preference, or says where its name is found. */
export interface InstancetypeMatcher {
  /** Volume whose claim or DataVolume carries the name as a label; excludes name and kind. */
  readonly inferFromVolume?: string;
  /** What happens when nothing can be inferred: Reject (default) or Ignore. */
  readonly inferFromVolumeFailurePolicy?: string;
  /** Kind of the object; the cluster-wide kind when empty. */
  readonly kind?: string;
  /** Name of the object. */
  readonly name?: string;
  /**
   * ControllerRevision that holds the object as it was when it was first used; normally set by Podvisor.
   */
  readonly revisionName?: string;
}

/** Metadata and spec of the VirtualMachineInstances that are made from it. */
export interface VMITemplate {
  /**
   * Labels and annotations that every instance gets.
   * @nullable
   */
  readonly metadata?: EmbeddedObjectMeta;
  /** The spec that every instance starts from. */
  readonly spec?: VMISpec;
}
