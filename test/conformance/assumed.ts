/** What an assumption may add to a recorded case, and how the additions for one case are found. */
import type { KubernetesObject, KubeVirtConfiguration, Pod } from '@podvisor/api';
import type { ClaimFacts } from '@podvisor/translate';

/** State of the recorded system that the recording itself does not hold. */
export interface Assumed {
  /** Objects that stood in the cluster. */
  readonly objects?: readonly KubernetesObject[];
  /** The configuration of the cluster, beside what was recorded. */
  readonly configuration?: KubeVirtConfiguration;
  /** Labels of the Pod that is evicted, its phase, and what is known of its guest. */
  readonly evicted?: EvictedPod;
  /** Who asks, where nobody was recorded. */
  readonly user?: string;
  /** The node that the token of a virt-handler names. */
  readonly tokenNode?: string;
  /** Writes that fail, by what they are about, with the words of the failure. */
  readonly failingWrites?: Readonly<Record<string, string>>;
  /** Claims of volumes, by name. */
  readonly claims?: Readonly<Record<string, ClaimFacts>>;
  /** The claim that keeps the state of a guest. */
  readonly stateClaim?: string;
  /** Annotations of extensions on the launcher Pod. */
  readonly podAnnotations?: Readonly<Record<string, string>>;
  readonly defaultArchitecture?: string;
  /** The brand of virtual machines; one without any words makes empty entries. */
  readonly smbios?: { readonly manufacturer?: string };
}

type PodPhase = NonNullable<Pod['status']>['phase'];

/** A Pod that the API is asked to evict. */
export interface EvictedPod {
  readonly app: 'virt-launcher' | 'hotplug-disk' | 'other';
  readonly phase?: PodPhase | undefined;
  readonly evictionStrategy?: string;
  readonly migratable?: boolean;
  readonly marked?: boolean;
}

/** One thing that is taken to have been so, for the cases that it is about. */
export interface Assumption {
  /** Path below the directory of recordings. */
  readonly file: string;
  /** Identifiers of the cases; `all` where it holds for the whole recording. */
  readonly cases: readonly string[] | 'all';
  /** What is assumed, and where the assumption comes from. */
  readonly words: string;
  readonly adds: Assumed;
}

/** Nothing but what was recorded. */
export const NOTHING: Assumed = {};

/** What the assumptions add to a case; undefined when none is about it. Objects add up, later ones come first. */
export function assumedFor(
  assumptions: readonly Assumption[],
  file: string,
  id: string,
): Assumed | undefined {
  const own = assumptions.filter(
    (one) => one.file === file && (one.cases === 'all' || one.cases.includes(id)),
  );
  if (own.length === 0) return undefined;
  const objects = own.toReversed().flatMap(({ adds }) => adds.objects ?? []);
  const rest = own.reduce<Assumed>((all, { adds }) => ({ ...all, ...adds }), {});
  return objects.length === 0 ? rest : { ...rest, objects };
}
