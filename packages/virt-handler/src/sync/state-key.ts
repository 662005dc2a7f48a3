/**
 * The key of one hibernated state, made of the installation's key, the state's identity and its namespace. The launcher
 * gets this one alone, the claim and the API none: who has only the claim cannot read the guest's memory, and a state
 * that was carried to another namespace cannot be woken there.
 */
import { hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  hibernatedStateOf,
  hibernationVolume,
  memorySnapshotVolume,
  type SyncOptions,
  type VirtualMachineInstance,
} from '@podvisor/api';

const KEY_BYTES = 32;

/** The installation's key; undefined where there is none, and states are not encrypted. */
export function readMasterKey(path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  let key: Buffer;
  try {
    key = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (key.length < KEY_BYTES) throw new Error(`${path} holds no key: it is shorter than ${KEY_BYTES} bytes`);
  return key;
}

/** Of the state that the VMI is written to or wakes from; nothing when it does neither. */
export function stateKeyOf(
  vmi: VirtualMachineInstance,
  master: Buffer | undefined,
): Pick<SyncOptions, 'stateKey'> {
  const { uid, namespace = '' } = vmi.metadata ?? {};
  const isWritten = (hibernationVolume(vmi.spec) ?? memorySnapshotVolume(vmi.spec)) !== undefined;
  const id = isWritten ? uid : hibernatedStateOf(vmi)?.id;
  if (master === undefined || id === undefined) return {};
  const key = hkdfSync('sha256', master, id, `podvisor hibernation ${namespace}`, KEY_BYTES);
  return { stateKey: Buffer.from(key).toString('base64') };
}
