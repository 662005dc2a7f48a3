/** Cloud-init and access credentials of a generated VM. Pure. */
import { dump } from 'js-yaml';
import { exclusiveError, flagError, parseParams, prefixedName, required } from './params.ts';
import type { Volume } from './volumes.ts';

export interface CloudInitFlags {
  readonly user?: string;
  /** Content of `--password-file`, without white space around it. */
  readonly password?: string;
  readonly sshKey: readonly string[];
  readonly gaManageSsh: boolean;
  readonly cloudInit?: string;
  readonly cloudInitUserData?: string;
  readonly cloudInitNetworkData?: string;
}

const SOURCES: Readonly<Record<string, string>> = {
  nocloud: 'cloudInitNoCloud',
  configdrive: 'cloudInitConfigDrive',
};

const EXCLUDED_BY_USER_DATA = ['user', 'password-file', 'ssh-key', 'ga-manage-ssh'] as const;

/** The volume, or none when nothing asks for one. */
export function cloudInitVolume(flags: CloudInitFlags): Volume | undefined {
  const type = flags.cloudInit ?? 'nocloud';
  const given: Readonly<Record<(typeof EXCLUDED_BY_USER_DATA)[number], boolean>> = {
    user: flags.user !== undefined,
    'password-file': flags.password !== undefined,
    'ssh-key': flags.sshKey.length > 0,
    'ga-manage-ssh': flags.gaManageSsh,
  };
  const generated = EXCLUDED_BY_USER_DATA.some((flag) => given[flag]);
  const ready = flags.cloudInitUserData !== undefined || flags.cloudInitNetworkData !== undefined;
  if (type === 'none') {
    if (generated || ready) throw flagError('cloud-init', 'none excludes the other cloud-init flags');
    return undefined;
  }
  const source = SOURCES[type.toLowerCase()];
  if (source === undefined)
    throw flagError(
      'cloud-init',
      `invalid cloud-init data source type "${type}", supported values are: nocloud, configdrive, none`,
    );
  if (flags.cloudInitUserData !== undefined)
    for (const flag of EXCLUDED_BY_USER_DATA)
      if (given[flag]) throw exclusiveError(['cloud-init-user-data', flag], ['cloud-init-user-data', flag]);
  const text = userData(flags);
  const isEmpty = text === HEADER && !ready;
  if (isEmpty && flags.cloudInit === undefined) return undefined;
  const data = {
    ...(flags.cloudInitUserData === undefined
      ? { userData: text }
      : { userDataBase64: flags.cloudInitUserData }),
    ...(flags.cloudInitNetworkData === undefined ? {} : { networkDataBase64: flags.cloudInitNetworkData }),
  };
  return { name: 'cloudinitdisk', [source]: data };
}

const HEADER = '#cloud-config';

/** As KubeVirt's client writes it, but for values that YAML would read as something else: those are quoted. */
function userData({ user, password, sshKey, gaManageSsh }: CloudInitFlags): string {
  const scalar = (value: string): string => dump(value, { lineWidth: -1 }).trimEnd();
  return [
    HEADER,
    ...(user === undefined || user === '' ? [] : [`user: ${scalar(user)}`]),
    ...(password === undefined || password === ''
      ? []
      : [`password: ${scalar(password)}`, 'chpasswd: { expire: False }']),
    ...(sshKey.length === 0 ? [] : ['ssh_authorized_keys:', ...sshKey.map((key) => `  - ${scalar(key)}`)]),
    ...(gaManageSsh ? ['runcmd:', "  - [ setsebool, -P, 'virt_qemu_ga_manage_ssh', 'on' ]"] : []),
  ].join('\n');
}

const FLAG = 'access-cred';
const NO_USER = 'user cannot be specified with selected access credential type and method';

export interface AccessCredential {
  readonly credential: unknown;
  /** The guest agent must be allowed to write keys. */
  readonly gaManageSsh?: boolean;
  /** The data source that carries the keys. */
  readonly cloudInit?: string;
}

/** `--access-cred type:ssh|password,src:SECRET,method:ga|nocloud|configdrive,user:NAME`. */
export function accessCredential(text: string, user: string | undefined): AccessCredential {
  const params = parseParams(FLAG, text, ['type', 'src', 'method', 'user']);
  const { prefix, name } = prefixedName(FLAG, required(FLAG, params, 'src'));
  if (prefix !== undefined) throw flagError(FLAG, `not allowed to specify namespace of secret "${name}"`);
  const secret = { secret: { secretName: name } };
  const type = params.get('type') ?? 'ssh';
  const method = params.get('method') ?? 'ga';
  const own = params.get('user');
  if (type === 'password') {
    if (method !== 'ga')
      throw flagError(
        FLAG,
        `invalid access credentials password method "${method}", supported values are: ga`,
      );
    if (own !== undefined) throw flagError(FLAG, NO_USER);
    return { credential: { userPassword: { source: secret, propagationMethod: { qemuGuestAgent: {} } } } };
  }
  if (type !== 'ssh')
    throw flagError(FLAG, `invalid access credential type "${type}", supported values are: ssh, password`);
  const key = (propagationMethod: unknown): unknown => ({
    sshPublicKey: { source: secret, propagationMethod },
  });
  switch (method) {
    case 'ga': {
      const who = own ?? user;
      if (who === undefined)
        throw flagError(
          FLAG,
          'user must be specified with access credential ssh method ga ("--user" flag or param "user")',
        );
      return { credential: key({ qemuGuestAgent: { users: [who] } }), gaManageSsh: true };
    }
    case 'nocloud':
    case 'configdrive':
      if (own !== undefined) throw flagError(FLAG, NO_USER);
      return {
        credential: key(method === 'nocloud' ? { noCloud: {} } : { configDrive: {} }),
        cloudInit: method,
      };
    default:
      throw flagError(
        FLAG,
        `invalid access credentials ssh method "${method}", supported values are: ga, nocloud, configdrive`,
      );
  }
}

/** The flags with what the credentials ask for; a data source that was named must be the one they need. */
export function withCredentials<Flags extends CloudInitFlags>(
  flags: Flags,
  credentials: readonly AccessCredential[],
): Flags {
  let { cloudInit } = flags;
  for (const { cloudInit: needed } of credentials) {
    if (needed === undefined) continue;
    cloudInit ??= needed;
    if (cloudInit.toLowerCase() !== needed)
      throw flagError(
        FLAG,
        `method param and value passed to --cloud-init have to match: ${needed} vs ${cloudInit}`,
      );
  }
  return {
    ...flags,
    gaManageSsh: flags.gaManageSsh || credentials.some(({ gaManageSsh }) => gaManageSsh === true),
    ...(cloudInit === undefined ? {} : { cloudInit }),
  };
}
