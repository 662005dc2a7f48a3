/** What the server knows about one served resource: names, scope, type, subresources, and the kind's rules. */
import type { FieldError } from '../wire/field-errors.ts';
import type { Json, KubeObject } from '../wire/json.ts';
import type { StructSchema } from './schema.ts';

export interface Subresource {
  readonly name: string;
  readonly kind: string;
  /** Group and version of `kind`, when they differ from the resource's. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** A column of a Table. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, more only in wide output. */
  readonly priority: number;
}

/** How a kind is shown in a Table. `cells` gets the time for ages. */
export interface Printer {
  readonly columns: readonly Column[];
  cells(object: KubeObject, nowMs: number): Json[];
  /** Conditions of a row, such as Completed for a Pod that ended. */
  conditions?(object: KubeObject): Json[];
}

/** What a rule may look at besides the object. */
export interface RuleContext {
  readonly nowMs: number;
  /** A stored object of a built-in kind, by `group/plural`. */
  lookup(collection: string, namespace: string, name: string): KubeObject | undefined;
  list(collection: string): readonly KubeObject[];
}

/** The behaviour of a kind beyond storing it. Objects given to `default` and `prepare*` may be changed. */
export interface KindRules {
  /** How names are checked; a subdomain unless given. */
  readonly nameRule?: 'subdomain' | 'label' | 'path';
  /** `metadata.generation` is kept, and grows when something outside metadata and status changes. */
  readonly hasGeneration?: boolean;
  /** The generation is set at creation and never grows. */
  readonly fixedGeneration?: boolean;
  /** A warning for every request of a kind that is on its way out. */
  readonly deprecation?: string;
  /** PUT of a name that does not exist creates it. */
  readonly createOnUpdate?: boolean;
  /** PUT without a resourceVersion is refused. */
  readonly requiresVersionOnUpdate?: boolean;
  /** A create may carry a status, as a kubelet's registration of its Node does. */
  readonly statusOnCreate?: boolean;
  /** Fields besides `metadata` that the main resource may not write and `/status` may. */
  readonly statusFields?: readonly string[];
  default?(object: KubeObject): void;
  prepareCreate?(object: KubeObject, context: RuleContext): void;
  prepareUpdate?(object: KubeObject, old: KubeObject, context: RuleContext): void;
  prepareStatusUpdate?(object: KubeObject, old: KubeObject): void;
  validate?(object: KubeObject, context: RuleContext): FieldError[];
  /** What holds for new objects only. */
  validateCreate?(object: KubeObject): FieldError[];
  validateUpdate?(object: KubeObject, old: KubeObject, context: RuleContext): FieldError[];
  /** Of subresources that write a part of the object: what may change through them. */
  validatePart?(part: string, object: KubeObject, old: KubeObject): FieldError[];
  validateStatusUpdate?(object: KubeObject, old: KubeObject): FieldError[];
  /** What is taken and yet told to whoever sent it. `old` is there on an update. */
  warnings?(object: KubeObject, old?: KubeObject): string[];
  /** Fields that a field selector may name besides metadata.name and metadata.namespace. */
  readonly selectable?: readonly string[];
  /** Value of a selectable field; the plain path unless given. */
  select?(object: KubeObject, field: string): string;
}

export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: ReadonlyMap<string, Subresource>;
  /** `group/plural`: where the objects are stored. Two versions of a resource share it. */
  readonly collection: string;
  /** The version objects are stored in. */
  readonly storageVersion: string;
  readonly schema: StructSchema;
  readonly rules: KindRules;
  readonly printer: Printer;
  /** Set for custom resources. */
  readonly custom: CustomBehaviour | undefined;
  /** Set when objects are stored in another version or group than this one. */
  readonly conversion?: Conversion;
}

/** Between this version and the stored one. */
export interface Conversion {
  toStorage(object: KubeObject): KubeObject;
  fromStorage(object: KubeObject): KubeObject;
  /** Where somebody has to be asked: must be awaited for objects before they are converted. */
  prepare?(objects: readonly KubeObject[], direction: 'in' | 'out'): Promise<void>;
}

/** What differs for custom resources: the schema decides. Made by `crd/`. */
export interface CustomBehaviour {
  /** Removes what the schema does not have; returns the removed paths. */
  prune(object: KubeObject): string[];
  default(object: KubeObject): void;
  validate(object: KubeObject, old: KubeObject | undefined): FieldError[];
  readonly selectable: readonly string[];
  select(object: KubeObject, field: string): string;
  readonly deprecation: string | undefined;
  readonly statusSubresource: boolean;
  readonly scale: ScalePaths | undefined;
  /** Objects arrive in this version and are kept in another: the schema of that one. */
  readonly openApi: unknown;
}

/** JSON paths of the scale subresource, without the leading dot. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly selector: readonly string[] | undefined;
}

export const ALL_VERBS = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
] as const;
