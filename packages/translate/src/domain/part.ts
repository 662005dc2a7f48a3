/**
 * A part of the conversion: one concern, from the VMI's fields to a piece of the domain. Parts do not see each
 * other's result; what two of them need is computed once, in `Conversion`.
 */
import type { LauncherPaths, VirtualMachineInstance } from '@podvisor/api';
import type { Architecture } from './platform/architecture.ts';
import type { ConverterContext } from './context.ts';
import type { Domain } from './model/domain.ts';

/** Everything a part may read. */
export interface Conversion {
  readonly vmi: VirtualMachineInstance;
  readonly spec: VirtualMachineInstance['spec'];
  readonly context: ConverterContext;
  readonly architecture: Architecture;
  /** Who the VMI is; empty strings for what it does not say. */
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly paths: LauncherPaths;
  /** Model of virtio devices. */
  readonly virtio: string;
  /** Guest memory is encrypted, so virtio devices go through the IOMMU. */
  readonly encrypted: boolean;
  readonly vcpuCount: number;
  /** The guest's architecture is not the node's: all of it is emulated. */
  readonly crossesArchitectures: boolean;
}

/** A piece of a domain; pieces of several parts are merged. */
export type DomainPart = Domain;

/** One concern of the conversion. */
export interface Part {
  readonly name: string;
  /** The fields of the VMI it reads, for `--explain`. */
  readonly fields: readonly string[];
  readonly convert: (input: Conversion) => DomainPart;
}

/** The VMI asks for something that cannot be converted. */
export class ConversionError extends Error {
  /** Path of the field, when one is to blame. */
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.name = 'ConversionError';
    this.field = field;
  }
}
