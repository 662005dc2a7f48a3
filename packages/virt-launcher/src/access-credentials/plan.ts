/** What the guest agent is to set, from the declaration and the contents of the secrets. Pure. */
import type { AccessCredential } from '@podvisor/api';

export type DesiredCredential =
  /** All keys of the user: what else is in the file goes. */
  | { readonly kind: 'ssh-keys'; readonly user: string; readonly keys: readonly string[] }
  | { readonly kind: 'password'; readonly user: string; readonly password: string };

/** File name → content of the mounted secret. */
export type ReadSecret = (secretName: string) => Readonly<Record<string, string>>;

/** Names of the secrets that are brought in by the agent. */
export function agentSecrets(credentials: readonly AccessCredential[]): readonly string[] {
  const names = credentials.flatMap(({ sshPublicKey, userPassword }) => {
    const byAgent = [sshPublicKey, userPassword].filter(
      (credential) => credential?.propagationMethod.qemuGuestAgent !== undefined,
    );
    return byAgent.flatMap((credential) => credential?.source.secret?.secretName ?? []);
  });
  return [...new Set(names)];
}

/** One desired credential for each user and kind. A secret of passwords holds one user in each key. */
export function planCredentials(
  credentials: readonly AccessCredential[],
  read: ReadSecret,
): readonly DesiredCredential[] {
  const keys = new Map<string, string[]>();
  const passwords = new Map<string, string>();
  for (const { sshPublicKey, userPassword } of credentials) {
    const keySecret = sshPublicKey?.source.secret?.secretName;
    for (const user of sshPublicKey?.propagationMethod.qemuGuestAgent?.users ?? [])
      if (keySecret !== undefined)
        keys.set(user, [...(keys.get(user) ?? []), ...Object.values(read(keySecret)).flatMap(keyLines)]);
    const passwordSecret = userPassword?.source.secret?.secretName;
    if (userPassword?.propagationMethod.qemuGuestAgent !== undefined && passwordSecret !== undefined)
      for (const [user, password] of Object.entries(read(passwordSecret)))
        passwords.set(user, password.replace(/\r?\n$/, ''));
  }
  return [
    ...[...keys].map(([user, lines]) => ({ kind: 'ssh-keys' as const, user, keys: [...new Set(lines)] })),
    ...[...passwords].map(([user, password]) => ({ kind: 'password' as const, user, password })),
  ];
}

/** The agent's command for a desired credential, and its arguments. */
export function agentCommand(desired: DesiredCredential): {
  readonly execute: string;
  readonly arguments: Readonly<Record<string, unknown>>;
} {
  switch (desired.kind) {
    case 'ssh-keys':
      return {
        execute: 'guest-ssh-add-authorized-keys',
        arguments: { username: desired.user, keys: desired.keys, reset: true },
      };
    case 'password':
      return {
        execute: 'guest-set-user-password',
        arguments: {
          username: desired.user,
          password: Buffer.from(desired.password).toString('base64'),
          crypted: false,
        },
      };
  }
}

function keyLines(content: string): readonly string[] {
  return content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
