/** guestfs: a shell with libguestfs on a claim, in a Pod that ends with the shell. */
import { messageOf } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import type { Command } from 'commander';
import { withOwnPod } from '../../guestfs/own-pod.ts';
import {
  CONTAINER,
  diskPlace,
  type GuestfsFlags,
  type GuestfsInfo,
  guestfsPod,
  imageOf,
  isClaimInUse,
  podName,
} from '../../guestfs/pod.ts';
import { openSession } from '../../kube-access.ts';
import { at, listOf, textOf } from '../../plain.ts';
import { deleteObject, findJson, getJson, nameOf, objectPath, post } from '../../requests.ts';
import { failure } from '../../run-program.ts';
import { say, type Shell, tell } from '../../shell.ts';
import { type Framing, relayTerminal } from '../../streams/terminal.ts';

const PULL_POLICIES = ['Always', 'Never', 'IfNotPresent'];
const START_TIMEOUT_MS = 500_000;
const LOOK_MS = 1_000;

export function addGuestfsCommand(program: Command, shell: Shell): void {
  program
    .command('guestfs <pvc>')
    .description(
      'Open a shell with libguestfs on a PVC: under /disk, or /dev/vda where it is a block device.',
    )
    .option('--image <image>', 'image with libguestfs (default: what the server says)')
    .option('--pull-policy <policy>', 'Always, Never or IfNotPresent', 'IfNotPresent')
    .option('--kvm', 'use KVM', true)
    .option('--no-kvm', 'emulate')
    .option('--root', 'as root', false)
    .option('--uid <id>', 'as this user')
    .option('--gid <id>', 'as this group; only with --uid')
    .option('--fsGroup <id>', "group of the claim's files")
    .option('--vm <name>', 'where this VM may run (node selector, affinity, tolerations)')
    .action(async (claim: string, flags: GuestfsFlags, self: Command) => {
      const { client, namespace } = openSession(self, shell);
      if (!PULL_POLICIES.includes(flags.pullPolicy))
        throw new Error(`Invalid pull policy: ${flags.pullPolicy}`);
      const image = flags.image || (await serversImage(client));
      say(shell, `Use image: ${image} `);
      const isBlock = await isBlockClaim(client, namespace, claim);
      const vm = flags.vm && (await getJson(client, vmPath(namespace, flags.vm)));
      const pod = guestfsPod(claim, image, isBlock, flags, vm);
      say(shell, `The PVC has been mounted at ${diskPlace(isBlock)} `);
      const path = objectPath('v1', namespace, 'pods', podName(claim));
      const ownPod = {
        create: () => post(client, objectPath('v1', namespace, 'pods'), pod),
        remove: () =>
          deleteObject(client, path, 'v1').catch((error: unknown) =>
            tell(shell, `the Pod ${podName(claim)} could not be deleted: ${messageOf(error)}`),
          ),
      };
      await withOwnPod(ownPod, async () => {
        await started(client, path, shell);
        await attach(client, path, shell);
      });
    });
}

function vmPath(namespace: string, name: string): string {
  return objectPath('kubevirt.io/v1', namespace, 'virtualmachines', name);
}

async function serversImage(client: KubeClient): Promise<string> {
  try {
    const group = await getJson(client, '/apis/subresources.kubevirt.io');
    const version = textOf(at(group, 'preferredVersion', 'version')) ?? 'v1';
    return imageOf(await getJson<GuestfsInfo>(client, `/apis/subresources.kubevirt.io/${version}/guestfs`));
  } catch (error) {
    throw failure('could not get guestfs image info:', error);
  }
}

/** Refuses a claim that is not there or that somebody has. */
async function isBlockClaim(client: KubeClient, namespace: string, claim: string): Promise<boolean> {
  const path = objectPath('v1', namespace, 'persistentvolumeclaims', claim);
  const found = await findJson(client, path);
  if (nameOf(found) === '') throw new Error(`The PVC ${claim} doesn't exist`);
  const pods = listOf(at(await getJson(client, objectPath('v1', namespace, 'pods')), 'items'));
  if (isClaimInUse(pods, claim)) throw new Error(`PVC ${claim} is used by another pod`);
  return at(found, 'spec', 'volumeMode') === 'Block';
}

/** Resolves when the Pod runs; tells what it waits for. */
async function started(client: KubeClient, path: string, shell: Shell): Promise<void> {
  const interrupted = shell.interrupted();
  const end = Date.now() + START_TIMEOUT_MS;
  let said = '';
  for (;;) {
    const pod = await getJson(client, path);
    const phase = textOf(at(pod, 'status', 'phase')) ?? 'Pending';
    if (phase === 'Running') return;
    if (phase !== 'Pending') throw new Error(`Pod is not in running state but got ${phase}`);
    for (const status of listOf(at(pod, 'status', 'containerStatuses'))) {
      const waiting = at(status, 'state', 'waiting');
      if (waiting === undefined) continue;
      const line = `Waiting for container ${textOf(at(status, 'name'))} still in pending, reason: ${textOf(at(waiting, 'reason')) ?? ''}, message: ${textOf(at(waiting, 'message')) ?? ''} `;
      if (line !== said) say(shell, line);
      said = line;
    }
    if (interrupted.aborted) throw new Error('interrupted');
    if (Date.now() > end)
      throw new Error(`timeout in waiting for the containers to be started in pod ${nameOf(pod)}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Messages of an attached container begin with their channel: 0 is its input, 1 its terminal. */
const CHANNELS: Framing = {
  wrap: (bytes) => Buffer.concat([Buffer.of(0), bytes]),
  unwrap: (message) => (message[0] === 1 || message[0] === 2 ? message.subarray(1) : Buffer.alloc(0)),
};

async function attach(client: KubeClient, path: string, shell: Shell): Promise<void> {
  const socket = await client.dial(`${path}/attach`, {
    protocols: ['v4.channel.k8s.io'],
    query: { container: CONTAINER, stdin: true, stdout: true, tty: true },
  });
  tell(shell, "If you don't see a command prompt, try pressing enter.");
  await relayTerminal(socket, shell, CHANNELS);
}
