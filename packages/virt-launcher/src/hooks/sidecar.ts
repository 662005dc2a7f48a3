/** One hook sidecar: what it says about itself, and which of our calls it wants. Pure. */

/** Points at which a sidecar may have a say. */
export type HookPoint = 'OnDefineDomain' | 'PreCloudInitIso' | 'Shutdown';
export type HookVersion = 'v1alpha1' | 'v1alpha2' | 'v1alpha3';

/** What a sidecar answered on its socket. */
export interface SidecarInfo {
  readonly socket: string;
  readonly name: string;
  readonly versions: readonly string[];
  readonly hookPoints: readonly { readonly name: string; readonly priority: number }[];
}

/** Versions that know each point, the newest first. */
const VERSIONS: Readonly<Record<HookPoint, readonly HookVersion[]>> = {
  OnDefineDomain: ['v1alpha3', 'v1alpha2', 'v1alpha1'],
  PreCloudInitIso: ['v1alpha3', 'v1alpha2'],
  Shutdown: ['v1alpha3'],
};

/** A call to make: where, and in which version. */
export interface HookCall {
  readonly sidecar: SidecarInfo;
  readonly version: HookVersion;
}

/**
 * The sidecars that want to be called at `point`, in order: higher priority first, and among equals the order
 * in which they are given, which is the order of their declaration.
 */
export function callsAt(point: HookPoint, sidecars: readonly SidecarInfo[]): readonly HookCall[] {
  return sidecars
    .flatMap((sidecar) => {
      const priorities = sidecar.hookPoints.filter(({ name }) => name === point).map((hook) => hook.priority);
      const version = VERSIONS[point].find((known) => sidecar.versions.includes(known));
      return priorities.length === 0 || version === undefined
        ? []
        : [{ sidecar, version, priority: Math.max(...priorities) }];
    })
    .toSorted((one, other) => other.priority - one.priority);
}

/** `hook-sidecar-10` comes after `hook-sidecar-9`. */
export function byDeclaration(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
