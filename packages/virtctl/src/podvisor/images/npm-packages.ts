/** Which npm packages are in a program: what the bundler read, with versions and licences of package-lock.json. Pure. */
import type { NpmPackage } from './spdx.ts';

/** dist/bundled.json: program → names of the npm packages that are in it. */
export type Bundled = Readonly<Record<string, readonly string[]>>;

export interface PackageLock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly license?: string; readonly integrity?: string }>
  >;
}

/** Throws when a package is not in the lock file: the list would lie. */
export function npmPackages(names: Iterable<string>, lock: PackageLock): readonly NpmPackage[] {
  return [...new Set(names)].toSorted().map((name) => {
    const { version, license, integrity } = lock.packages[`node_modules/${name}`] ?? {};
    if (version === undefined)
      throw new Error(`package-lock.json does not have ${name}, which the bundles hold: run npm install`);
    return {
      name,
      version,
      ...(license === undefined ? {} : { license }),
      ...(integrity === undefined ? {} : { integrity }),
    };
  });
}
