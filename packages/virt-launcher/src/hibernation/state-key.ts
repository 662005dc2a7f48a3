/** The key of a state, as virt-handler sent it. */
import type { SyncOptions } from '@podvisor/api';
import { LauncherError } from '../launcher-error.ts';
import type { StateKey } from '@podvisor/storage';

const KEY_BYTES = 32;

export function keyOf({ stateKey }: Pick<SyncOptions, 'stateKey'>): StateKey {
  if (stateKey === undefined) return undefined;
  const key = Buffer.from(stateKey, 'base64');
  if (key.length !== KEY_BYTES) throw new LauncherError('the key of the hibernated state is not one');
  return key;
}
