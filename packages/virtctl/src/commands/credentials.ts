/** credentials add-ssh-key|remove-ssh-key|set-password: the secrets behind a VM's accessCredentials. */
import { isOwnedBy, type KubernetesObject, ownerKinds } from '@podvisor/api';
import { readFileSync } from 'node:fs';
import type { KubeClient } from '@podvisor/kube';
import type { Command } from 'commander';
import { passwordSecrets, sshSecretsOf, withoutKey } from '../credentials/secrets.ts';
import { openSession } from '../kube-access.ts';
import { at, nameIn, plainOf, textOf } from '../plain.ts';
import { findJson, getJson, nameOf, objectPath, patchJson, post, put } from '../requests.ts';
import { failure } from '../run-program.ts';
import { say, type Shell } from '../shell.ts';

interface KeyFlags {
  readonly user: string;
  readonly secret?: string;
  readonly file?: string;
  readonly value?: string;
  readonly force: boolean;
  readonly createSecret?: boolean;
  readonly updateSecret?: boolean;
}

interface Place {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly vm: unknown;
}

export function addCredentialsCommands(program: Command, shell: Shell): void {
  const credentials = program.command('credentials').description("Change a guest's ssh keys and passwords.");
  keyFlags(credentials.command('add-ssh-key <vm>').description('Add a public key for a user.'))
    .option('--create-secret', 'put the key into a new secret', false)
    .option('--update-secret', 'put the key into a secret that the VM uses already', false)
    .action(async (name: string, flags: KeyFlags, self: Command) => {
      if (flags.createSecret === true && flags.updateSecret === true)
        throw new Error('only one of --create-secret and --update-secret can be given');
      const key = keyOf(flags);
      const place = await placeOf(self, shell, name);
      const known = sshSecretsOf(place.vm, flags.user);
      if (flags.createSecret === true || (flags.updateSecret !== true && known.length === 0))
        await addSecret(place, shell, key, flags);
      else await extendSecret(place, shell, key, flags, known);
    });
  keyFlags(credentials.command('remove-ssh-key <vm>').description('Remove a public key of a user.')).action(
    async (name: string, flags: KeyFlags, self: Command) => {
      const key = keyOf(flags);
      await removeKey(await placeOf(self, shell, name), shell, key, flags);
    },
  );
  credentials
    .command('set-password <vm>')
    .description('Set the password of a user.')
    .requiredOption('-u, --user <name>', 'user of the guest')
    .requiredOption('-p, --password <password>', 'new password')
    .option('--secret <name>', 'secret to change')
    .option('--force', 'also a secret that does not belong to the VM', false)
    .action(async (name: string, flags: KeyFlags & { readonly password: string }, self: Command) =>
      setPassword(await placeOf(self, shell, name), shell, flags),
    );
}

function keyFlags(command: Command): Command {
  return command
    .requiredOption('-u, --user <name>', 'user of the guest')
    .option('--secret <name>', 'secret to change')
    .option('-f, --file <file>', 'file with the public key')
    .option('--value <key>', 'the public key itself')
    .option('--force', 'also a secret that does not belong to the VM, also while the VM runs', false);
}

function keyOf({ file, value }: KeyFlags): string {
  if ((file === undefined) === (value === undefined))
    throw new Error('error getting ssh key: give one of --file and --value');
  return (value ?? readFileSync(file ?? '', 'utf8')).trim();
}

async function placeOf(self: Command, shell: Shell, name: string): Promise<Place> {
  const { client, namespace } = openSession(self, shell);
  const vm = await getJson(client, objectPath('kubevirt.io/v1', namespace, 'virtualmachines', name)).catch(
    (error: unknown) => {
      throw failure('error getting virtual machine:', error);
    },
  );
  return { client, namespace, vm };
}

const CREDENTIALS = '/spec/template/spec/accessCredentials';

/** A new secret with the key, and a credential in the VM that names it. */
async function addSecret(
  { client, namespace, vm }: Place,
  shell: Shell,
  key: string,
  flags: KeyFlags,
): Promise<void> {
  const name = nameOf(vm);
  if (!flags.force) {
    const running = await findJson(
      client,
      objectPath('kubevirt.io/v1', namespace, 'virtualmachineinstances', name),
    );
    if (running !== undefined)
      throw new Error(
        `virtual machine ${name} is running. Use --force flag to update a running VM, it will take effect after restart`,
      );
  }
  const secret = await post(client, objectPath('v1', namespace, 'secrets'), {
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: {
      generateName: `${name}-ssh-key-`,
      namespace,
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachine',
          name,
          uid: textOf(at(vm, 'metadata', 'uid')) ?? '',
          controller: true,
        },
      ],
    },
    data: { [`ssh-key-${shell.random(6)}`]: Buffer.from(key).toString('base64') },
  });
  const value = {
    sshPublicKey: {
      source: { secret: { secretName: nameOf(secret) } },
      propagationMethod: { qemuGuestAgent: { users: [flags.user] } },
    },
  };
  const path = objectPath('kubevirt.io/v1', namespace, 'virtualmachines', name);
  const add = { op: 'add', path: `${CREDENTIALS}/-`, value };
  // The list may not be there yet; then it has to be made first.
  await patchJson(client, path, [add])
    .catch(() =>
      patchJson(client, path, [
        { op: 'test', path: CREDENTIALS, value: null },
        { op: 'add', path: CREDENTIALS, value: [] },
        add,
      ]),
    )
    .catch((error: unknown) => {
      throw failure('error patching virtual machine:', error);
    });
}

async function extendSecret(
  { client, namespace, vm }: Place,
  shell: Shell,
  key: string,
  flags: KeyFlags,
  known: readonly string[],
): Promise<void> {
  if (known.length === 0) throw new Error(`no secrets specified for user: ${flags.user}`);
  const name = nameIn(flags.secret, known);
  const secret = await readSecret({ client, namespace, vm }, name);
  const texts = Object.values(plainOf(at(secret, 'data'))).map((data) =>
    Buffer.from(String(data), 'base64').toString('utf8'),
  );
  if (texts.some((text) => withoutKey(text, key) !== withoutKey(text, undefined))) {
    shell.stdout.write(`Secret "${name}" already contains this SSH key.`);
    return;
  }
  if (!flags.force) demandOwner(secret, vm, name);
  await addToSecret({ client, namespace, vm }, name, `ssh-key-${shell.random(6)}`, key);
  shell.stdout.write(`Successfully added the key to secret "${name}"`);
}

async function removeKey(
  { client, namespace, vm }: Place,
  shell: Shell,
  key: string,
  flags: KeyFlags,
): Promise<void> {
  const known = sshSecretsOf(vm, flags.user);
  if (known.length === 0) {
    shell.stdout.write(`No secrets associated with user ${flags.user}`);
    return;
  }
  if (flags.secret !== undefined && !known.includes(flags.secret))
    throw new Error(`secret ${flags.secret} is not associated with user ${flags.user}`);
  for (const name of flags.secret === undefined ? known : [flags.secret]) {
    const secret = await findJson(client, objectPath('v1', namespace, 'secrets', name));
    if (secret === undefined) continue;
    if (!flags.force) demandOwner(secret, vm, name);
    const data = Object.entries(plainOf(at(secret, 'data'))).flatMap(([file, text]) => {
      const rest = withoutKey(Buffer.from(String(text), 'base64').toString('utf8'), key);
      return rest === '' ? [] : [[file, Buffer.from(rest).toString('base64')] as const];
    });
    await put(client, objectPath('v1', namespace, 'secrets', name), {
      ...plainOf(secret),
      data: Object.fromEntries(data),
    });
  }
}

async function setPassword(
  place: Place,
  shell: Shell,
  flags: KeyFlags & { readonly password: string },
): Promise<void> {
  const known = passwordSecrets(place.vm);
  if (known.length === 0) throw new Error('no secrets assigned to UserPassword AccessCredentials');
  const name = nameIn(flags.secret, known);
  if (!flags.force) demandOwner(await readSecret(place, name), place.vm, name);
  await addToSecret(place, name, flags.user, flags.password);
  say(shell, `Successfully set password in secret "${name}"`);
}

function readSecret({ client, namespace }: Place, name: string): Promise<unknown> {
  return getJson(client, objectPath('v1', namespace, 'secrets', name)).catch((error: unknown) => {
    throw failure(`error getting secret "${name}":`, error);
  });
}

/** A secret that the VM shares with other VMs must not change by accident. */
function demandOwner(secret: unknown, vm: unknown, name: string): void {
  if (!isOwnedBy(secret as KubernetesObject, vm as KubernetesObject, ownerKinds.vm))
    throw new Error(`secret ${name} does not have an owner reference pointing to VM ${nameOf(vm)}`);
}

async function addToSecret(
  { client, namespace }: Place,
  name: string,
  key: string,
  text: string,
): Promise<void> {
  const path = objectPath('v1', namespace, 'secrets', name);
  const add = { op: 'add', path: `/data/${key}`, value: Buffer.from(text).toString('base64') };
  await patchJson(client, path, [add])
    .catch(() =>
      patchJson(client, path, [
        { op: 'test', path: '/data', value: null },
        { op: 'add', path: '/data', value: {} },
        add,
      ]),
    )
    .catch((error: unknown) => {
      throw failure(`error patching secret "${name}":`, error);
    });
}
