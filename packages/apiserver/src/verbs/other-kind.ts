/** What a kube-apiserver says of an object that was sent to the endpoint of another kind. */
import { builtinType } from '../registry/builtin-type.ts';

/** Groups whose kinds are decoded by servers of their own inside a kube-apiserver. */
const OWN_SCHEMES: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

export function hasOwnScheme(group: string): boolean {
  return OWN_SCHEMES.has(group);
}

export interface ExpectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A built-in kind by the name of the Go type that a kube-apiserver has of it. */
export function internalType({ group, kind }: { readonly group: string; readonly kind: string }): string {
  // Events of both groups are one type.
  const isCore = group === '' || group === 'events.k8s.io';
  return `${isCore ? 'core' : (group.split('.')[0] ?? '')}.${kind}`;
}

/** What is said of an object of another kind: it is read as what it says it is, and cannot become this one. */
export function otherKind(
  { group, version, kind }: ExpectedKind,
  givenVersion: string,
  givenKind: string,
): ((object: string) => string) | undefined {
  const expected = group === '' ? version : `${group}/${version}`;
  if (givenVersion === expected && givenKind === kind) return undefined;
  const parts = givenVersion.split('/');
  if (parts.length > 2)
    return (object) =>
      `the object provided is unrecognized (must be of type ${kind}): unexpected GroupVersion string: ${givenVersion} (${object})`;
  const short = parts.at(-1) ?? '';
  const why =
    builtinType(givenVersion, givenKind) === undefined
      ? `no kind "${givenKind}" is registered for version "${givenVersion}" in scheme "pkg/api/legacyscheme/scheme.go:30"`
      : `converting (${short}.${givenKind}) to (${internalType({ group, kind })}): unknown conversion`;
  return () => `${givenKind} in version "${short}" cannot be handled as a ${kind}: ${why}`;
}
