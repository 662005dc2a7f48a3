/**
 * Notes what the components of a home ask of the API server while tests run, for the lists of their rights
 * (bootstrap-objects/rights.test.ts, and scripts/test.ts after a whole run). Every instance of a test notes its requests
 * by an audit policy and leaves a file in build/rbac-recording; `node scripts/rbac-recording.ts` makes the recording of
 * them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DEFAULT_AUDIT_POLICY } from '@podvisor/apiserver';

/** `user verb group/resource[/subresource] scope`, one for each that was allowed. */
export type RecordedRight = `${string} ${string} ${string} ${string}`;

/** Set by Node's test runner. Benches use the same homes, and measure what users run: nothing is noted there. */
const isTest = process.env['NODE_TEST_CONTEXT'] !== undefined;

/** A file for each home, named as it is. */
const RECORDINGS = join(import.meta.dirname, '../../../../../build/rbac-recording');

const USERS = ['system:kube-proxy', 'system:kube-scheduler'];

/**
 * All requests of service accounts in `kubevirt`, of controllers and scheduler, and of what keeps the machine's network;
 * of everybody else what a home without a policy notes.
 */
const POLICY = DEFAULT_AUDIT_POLICY.replace(
  'rules:\n',
  `rules:
- level: Metadata
  userGroups: ["system:serviceaccounts:kubevirt", "system:serviceaccounts:kube-system"]
- level: Metadata
  users: ${JSON.stringify(USERS)}
`,
);

/** Before the home starts. */
export function beginRecording(home: string): void {
  if (isTest) writeFileSync(join(home, 'audit-policy.yaml'), POLICY);
}

/** The same for an API server that a test starts by itself. */
export function recordingAudit(
  controlPlane: string,
): { readonly policy: string; readonly path: string; readonly maxBytes: number } | undefined {
  return isTest ? { policy: POLICY, path: join(controlPlane, 'audit.log'), maxBytes: 2 ** 26 } : undefined;
}

/** Before the home is removed. Its processes may still run: a line that is being written is left out. */
export function endRecording(home: string): void {
  if (!isTest) return;
  const rights = new Set<string>();
  for (const file of ['audit.log.1', 'audit.log']) {
    const path = join(home, 'control-plane', file);
    if (!existsSync(path)) continue;
    for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1)) {
      const right = rightOf(JSON.parse(line) as AuditEvent);
      if (right !== undefined) rights.add(right);
    }
  }
  mkdirSync(RECORDINGS, { recursive: true });
  writeFileSync(join(RECORDINGS, `${basename(home)}.json`), JSON.stringify([...rights].toSorted(), null, 1));
}

/** What all homes have noted; a whole run removes what was there before it (scripts/test.ts). */
export function recordedRights(): readonly string[] {
  if (!existsSync(RECORDINGS)) return [];
  const files = readdirSync(RECORDINGS).map((name) => readFileSync(join(RECORDINGS, name), 'utf8'));
  return [...new Set(files.flatMap((text) => JSON.parse(text) as string[]))].toSorted();
}

interface AuditEvent {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource: string;
    readonly subresource?: string;
    readonly namespace?: string;
  };
  readonly responseStatus?: { readonly code?: number };
}

/** Namespaces that a right may be limited to; any other is a tenant's. */
const OWN = ['kubevirt', 'kube-system', 'kube-node-lease', 'default'];

function rightOf({ verb, user, objectRef, responseStatus }: AuditEvent): RecordedRight | undefined {
  if (objectRef === undefined || responseStatus?.code === 403 || responseStatus?.code === 401)
    return undefined;
  const { apiGroup = '', resource, subresource, namespace } = objectRef;
  // Everybody may ask what they may.
  if (resource.startsWith('selfsubject')) return undefined;
  const name = nameOf(user.username);
  if (name === undefined) return undefined;
  const what = [apiGroup, resource, ...(subresource === undefined ? [] : [subresource])].join('/');
  const scope = namespace === undefined ? 'cluster' : OWN.includes(namespace) ? namespace : 'tenant';
  return `${name} ${verb} ${what} ${scope}`;
}

/** Undefined: nobody whose rights are a list of ours. */
function nameOf(user: string): string | undefined {
  if (USERS.includes(user)) return user;
  return /^system:serviceaccount:(?:kubevirt|kube-system):(.*)$/.exec(user)?.[1];
}
