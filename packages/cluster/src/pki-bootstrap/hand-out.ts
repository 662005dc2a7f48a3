/**
 * Gives each part of the home that is not root the keys that it uses, and no others: copies below
 * `parts/<part>/pki`, which the part sees as `pki`. It reads them by its group and can write none. Whatever is
 * not named here is root's alone: the keys of the CAs, the admin's, the nodes'.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  componentUser,
  type InstanceConfig,
  type InstancePaths,
  UNPRIVILEGED,
  type UnprivilegedComponent,
} from '@podvisor/sys';

/** Files below `pki`. Of the identities that live in the control plane's process only certificates are needed. */
export const HANDED_OUT: Readonly<Record<UnprivilegedComponent, readonly string[]>> = {
  'control-plane': [
    'ca.crt',
    'front-proxy-ca.crt',
    'kubevirt-ca.crt',
    'apiserver.crt',
    'apiserver.key',
    'front-proxy-client.crt',
    'front-proxy-client.key',
    'upload-proxy.crt',
    'upload-proxy.key',
    'upload-token.key',
    'sa.key',
    'sa.pub',
    'encryption.yaml',
    'clients/admin.crt',
    'clients/controllers.crt',
    'clients/scheduler.crt',
    'clients/data-volumes.crt',
  ],
  'virt-api': [
    'virt-api.kubeconfig',
    'virt-api/server.crt',
    'virt-api/server.key',
    'virt-api/client.crt',
    'virt-api/client.key',
    'virt-api/ca.crt',
    'hibernation.key',
  ],
  'virt-controller': [
    'virt-controller.kubeconfig',
    'virt-controller/server.crt',
    'virt-controller/server.key',
  ],
  prometheus: ['ca.crt', 'kubevirt-ca.crt'],
  alertmanager: [],
};

/** Idempotent; called whenever keys may have been written. */
export function handOutKeys(paths: InstancePaths, { name }: Pick<InstanceConfig, 'name'>): void {
  for (const component of UNPRIVILEGED) {
    const group = componentUser(name, component);
    for (const file of HANDED_OUT[component]) {
      const from = join(paths.pki, file);
      const to = join(paths.part(component), 'pki', file);
      if (existsSync(from)) copyFor(group, from, to, paths.home);
      else rmSync(to, { force: true });
    }
  }
}

function copyFor(group: number, from: string, to: string, home: string): void {
  const text = readFileSync(from);
  if (existsSync(to) && readFileSync(to).equals(text)) return;
  directoryFor(group, dirname(to), home);
  writeFileSync(`${to}.new`, text, { mode: 0o600 });
  lend(`${to}.new`, group, 0o640);
  renameSync(`${to}.new`, to);
}

/** A directory below the home that root writes and the group reads; so are those above it, up to `parts`. */
export function directoryFor(group: number, directory: string, home: string): void {
  if (directory === join(home, 'parts')) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return;
  }
  directoryFor(group, dirname(directory), home);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  lend(directory, group, 0o750);
}

/** Only root can give a file to a group that is not its own; who is not root reads it anyway. */
export function lend(path: string, group: number, mode: number): void {
  if (process.getuid?.() !== 0) return;
  chownSync(path, 0, group);
  chmodSync(path, mode);
}
