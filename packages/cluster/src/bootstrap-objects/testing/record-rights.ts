/**
 * Notes what the components of a home ask of the API server while tests run, for the lists of their rights
 * (bootstrap-objects/rights.test.ts). With PODVISOR_RECORD_RBAC=DIRECTORY every instance notes its requests by an audit
 * policy and leaves a file there; `node scripts/rbac-recording.ts DIRECTORY` makes the recording of them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** `user verb group/resource[/subresource] scope`, one for each that was allowed. */
export type RecordedRight = `${string} ${string} ${string} ${string}`;

const directory = process.env['PODVISOR_RECORD_RBAC'];

export const isRecording = directory !== undefined;

/** Requests of service accounts in `kubevirt`, of controllers and scheduler, and of what keeps the machine's network; of nobody else. */
const POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [
    { level: 'Metadata', userGroups: ['system:serviceaccounts:kubevirt'] },
    { level: 'Metadata', userGroups: ['system:serviceaccounts:kube-system'] },
    { level: 'Metadata', users: ['system:kube-proxy', 'system:kube-scheduler'] },
    { level: 'None' },
  ],
};

/** Before the home starts. */
export function beginRecording(home: string): void {
  if (isRecording) writeFileSync(join(home, 'audit-policy.yaml'), JSON.stringify(POLICY));
}

/** The same for an API server that a test starts by itself; undefined when nothing is recorded. */
export function recordingAudit(
  controlPlane: string,
): { readonly policy: string; readonly path: string; readonly maxBytes: number } | undefined {
  return isRecording
    ? { policy: JSON.stringify(POLICY), path: join(controlPlane, 'audit.log'), maxBytes: 2 ** 26 }
    : undefined;
}

/** When its processes have ended and it is still there. */
export function endRecording(home: string): void {
  if (directory === undefined) return;
  const rights = new Set<string>();
  for (const file of ['audit.log.1', 'audit.log']) {
    const path = join(home, 'control-plane', file);
    if (!existsSync(path)) continue;
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const right = line === '' ? undefined : rightOf(JSON.parse(line) as AuditEvent);
      if (right !== undefined) rights.add(right);
    }
  }
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${basename(home)}.json`), JSON.stringify([...rights].toSorted(), null, 1));
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
  const what = [apiGroup, resource, ...(subresource === undefined ? [] : [subresource])].join('/');
  const scope = namespace === undefined ? 'cluster' : OWN.includes(namespace) ? namespace : 'tenant';
  return `${nameOf(user.username)} ${verb} ${what} ${scope}`;
}

function nameOf(user: string): string {
  return user.replace(/^system:serviceaccount:(?:kubevirt|kube-system):/, '');
}
