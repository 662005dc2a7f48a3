/** Cloud-init and access credentials of a generated VM. Pure. */
import { dump } from 'js-yaml';
import { flagError, parseParams, required } from './params.ts';
import type { Volume } from './volumes.ts';

export interface CloudInitFlags {
  readonly user?: string;
  /** Content of `--password-file`. */
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

/** The volume, or none when nothing asks for one. */
export function cloudInitVolume(flags: CloudInitFlags, credentials: readonly unknown[]): Volume | undefined {
  const type = flags.cloudInit ?? 'nocloud';
  const generated =
    flags.user !== undefined || flags.password !== undefined || flags.sshKey.length > 0 || flags.gaManageSsh;
  const given = flags.cloudInitUserData !== undefined || flags.cloudInitNetworkData !== undefined;
  if (type === 'none') {
    if (generated || given) throw flagError('cloud-init', 'none excludes the other cloud-init flags');
    return undefined;
  }
  const source = SOURCES[type];
  if (source === undefined)
    throw flagError(
      'cloud-init',
      `invalid cloud-init data source type "${type}", supported values are: nocloud, configdrive, none`,
    );
  if (generated && flags.cloudInitUserData !== undefined)
    throw flagError(
      'cloud-init-user-data',
      'excludes --user, --password-file, --ssh-key and --ga-manage-ssh',
    );
  if (!generated && !given && credentials.length === 0 && flags.cloudInit === undefined) return undefined;
  const data = {
    ...(flags.cloudInitUserData === undefined
      ? { userData: userData(flags) }
      : { userDataBase64: flags.cloudInitUserData }),
    ...(flags.cloudInitNetworkData === undefined ? {} : { networkDataBase64: flags.cloudInitNetworkData }),
  };
  return { name: 'cloudinitdisk', [source]: data };
}

function userData(flags: CloudInitFlags): string {
  const config = {
    ...(flags.user === undefined ? {} : { user: flags.user }),
    ...(flags.password === undefined ? {} : { password: flags.password, chpasswd: { expire: false } }),
    ...(flags.sshKey.length === 0 ? {} : { ssh_authorized_keys: flags.sshKey }),
    ...(flags.gaManageSsh ? { runcmd: [['setsebool', '-P', 'virt_qemu_ga_manage_ssh', 'on']] } : {}),
  };
  return `#cloud-config\n${Object.keys(config).length === 0 ? '' : dump(config, { lineWidth: -1 })}`;
}

const FLAG = 'access-cred';

/** `--access-cred type:ssh|password,src:SECRET,method:ga|nocloud|configdrive,user:NAME`. */
export function accessCredential(text: string, user: string | undefined): unknown {
  const params = parseParams(FLAG, text, ['type', 'src', 'method', 'user']);
  const secret = { secret: { secretName: required(FLAG, params, 'src') } };
  const type = params.get('type') ?? 'ssh';
  const method = params.get('method') ?? 'ga';
  const who = params.get('user') ?? user;
  if (type === 'password') {
    if (method !== 'ga') throw flagError(FLAG, 'method for type password must be ga');
    return { userPassword: { source: secret, propagationMethod: { qemuGuestAgent: {} } } };
  }
  if (type !== 'ssh')
    throw flagError(FLAG, `invalid access credential type "${type}", supported values are: ssh, password`);
  switch (method) {
    case 'ga':
      if (who === undefined) throw flagError(FLAG, 'user must be specified with method ga');
      return { sshPublicKey: { source: secret, propagationMethod: { qemuGuestAgent: { users: [who] } } } };
    case 'nocloud':
      return { sshPublicKey: { source: secret, propagationMethod: { noCloud: {} } } };
    case 'configdrive':
      return { sshPublicKey: { source: secret, propagationMethod: { configDrive: {} } } };
    default:
      throw flagError(FLAG, `invalid method "${method}", supported values are: ga, nocloud, configdrive`);
  }
}
