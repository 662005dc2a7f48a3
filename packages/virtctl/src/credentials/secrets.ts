/** Which secrets a VM's accessCredentials name, and keys inside them. Pure. */
import { at, listOf, textOf } from '../plain.ts';

const credentialsOf = (vm: unknown): readonly unknown[] =>
  listOf(at(vm, 'spec', 'template', 'spec', 'accessCredentials'));

/** Secrets with ssh keys that the guest agent puts into `user`'s account. */
export function sshSecretsOf(vm: unknown, user: string): readonly string[] {
  return credentialsOf(vm).flatMap((credential) => {
    const key = at(credential, 'sshPublicKey');
    const users = listOf(at(key, 'propagationMethod', 'qemuGuestAgent', 'users'));
    const name = textOf(at(key, 'source', 'secret', 'secretName'));
    return users.includes(user) && name !== undefined ? [name] : [];
  });
}

/** Secrets with passwords that the guest agent sets. */
export function passwordSecrets(vm: unknown): readonly string[] {
  return credentialsOf(vm).flatMap((credential) => {
    const password = at(credential, 'userPassword');
    const name = textOf(at(password, 'source', 'secret', 'secretName'));
    return name !== undefined && at(password, 'propagationMethod', 'qemuGuestAgent') !== undefined
      ? [name]
      : [];
  });
}

/** The lines that are not this key; empty lines go as well. Without a key only those. */
export function withoutKey(text: string, key: string | undefined): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && (key === undefined || !line.includes(key)))
    .join('\n');
}
