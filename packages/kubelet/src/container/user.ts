/** Who a container runs as: numbers from the security context, names from the image's own passwd. Pure. */
import type { Container, Pod } from '@podvisor/api';

export interface ContainerUser {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  readonly home: string;
}

interface PasswdEntry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

interface GroupEntry {
  readonly name: string;
  readonly gid: number;
  readonly members: readonly string[];
}

/** The image asks for root, or for a name that its passwd lacks, although the Pod forbids it. */
export class ContainerUserError extends Error {
  override readonly name = 'ContainerUserError';
}

/** `imageUser` is the image's USER: `uid`, `name`, `uid:gid`, or empty. */
export function containerUser(
  pod: Pod,
  container: Container,
  imageUser: string,
  passwdText: string,
  groupText: string,
): ContainerUser {
  const passwd = parsePasswd(passwdText);
  const groups = parseGroup(groupText);
  const [userPart = '', groupPart = ''] = imageUser.split(':');
  const context = { ...pod.spec.securityContext, ...container.securityContext };
  const wanted = context.runAsUser ?? (userPart === '' ? 0 : lookUpUser(userPart, passwd));
  const entry = passwd.find((e) => e.uid === wanted);
  if (context.runAsNonRoot === true && wanted === 0) {
    throw new ContainerUserError(
      `container has runAsNonRoot and image will run as root (container: ${container.name})`,
    );
  }
  const imageGroup = groupPart === '' ? undefined : lookUpGroup(groupPart, groups);
  const gid =
    context.runAsGroup ?? (context.runAsUser === undefined ? imageGroup : undefined) ?? entry?.gid ?? 0;
  const memberOf = groups
    .filter((g) => entry !== undefined && g.members.includes(entry.name))
    .map((g) => g.gid);
  const { fsGroup, supplementalGroups = [] } = pod.spec.securityContext ?? {};
  const extra = new Set([...supplementalGroups, ...(fsGroup === undefined ? [] : [fsGroup]), ...memberOf]);
  extra.delete(gid);
  return { uid: wanted, gid, groups: [gid, ...extra], home: entry?.home || '/' };
}

function lookUpUser(name: string, passwd: readonly PasswdEntry[]): number {
  if (isId(name)) return Number(name);
  const found = passwd.find((entry) => entry.name === name);
  if (found === undefined) throw new ContainerUserError(`the image's user ${name} is not in its /etc/passwd`);
  return found.uid;
}

function lookUpGroup(name: string, groups: readonly GroupEntry[]): number {
  if (isId(name)) return Number(name);
  const found = groups.find((entry) => entry.name === name);
  if (found === undefined) throw new ContainerUserError(`the image's group ${name} is not in its /etc/group`);
  return found.gid;
}

/** The largest number means "no change" to the kernel. */
const MOST = 2 ** 32 - 2;

/** The image wrote it. What is no number would reach runc as null, which it reads as 0: root. */
function isId(text: string | undefined): boolean {
  return text !== undefined && /^\d{1,10}$/.test(text) && Number(text) <= MOST;
}

function parsePasswd(text: string): readonly PasswdEntry[] {
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([, , uid, gid, , home]) => isId(uid) && isId(gid) && home !== undefined)
    .map(([name = '', , uid, gid, , home = '/']) => ({ name, uid: Number(uid), gid: Number(gid), home }));
}

function parseGroup(text: string): readonly GroupEntry[] {
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([, , gid]) => isId(gid))
    .map(([name = '', , gid, members = '']) => ({
      name,
      gid: Number(gid),
      members: members.split(',').filter((m) => m !== ''),
    }));
}
