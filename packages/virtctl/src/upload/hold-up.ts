/** What an upload waits for, in words of those who work on it: conditions of its DataVolume, events of that and its claim. */
import type { KubeClient } from '@podvisor/kube';
import { at, listOf, textOf } from '../plain.ts';
import { getJson, objectPath } from '../requests.ts';

/** Undefined where nobody says anything. `target`: the DataVolume, or a claim of its own. Pure. */
export function holdUpOf(target: unknown, events: readonly unknown[]): string | undefined {
  const conditions = listOf(at(target, 'status', 'conditions'));
  const messageOf = (type: string): string | undefined =>
    textOf(
      at(
        conditions.find((one) => at(one, 'type') === type && at(one, 'status') !== 'True'),
        'message',
      ),
    );
  return messageOf('Running') ?? newestWarning(events) ?? messageOf('Bound') ?? phaseOfClaim(target);
}

function newestWarning(events: readonly unknown[]): string | undefined {
  const timeOf = (event: unknown): string =>
    textOf(at(event, 'lastTimestamp')) ??
    textOf(at(event, 'eventTime')) ??
    textOf(at(event, 'metadata', 'creationTimestamp')) ??
    '';
  const warnings = events.filter((event) => at(event, 'type') === 'Warning');
  const [newest] = warnings.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)));
  return textOf(at(newest, 'message'));
}

function phaseOfClaim(target: unknown): string | undefined {
  const phase = textOf(at(target, 'status', 'phase'));
  return at(target, 'kind') === 'PersistentVolumeClaim' && phase !== 'Bound'
    ? `PVC ${textOf(at(target, 'metadata', 'name'))} ${phase ?? 'Pending'}`
    : undefined;
}

/** As above, with the events of DataVolume and claim, which share their name. */
export async function findHoldUp(
  client: KubeClient,
  namespace: string,
  name: string,
  target: unknown,
): Promise<string | undefined> {
  const selector = encodeURIComponent(`involvedObject.name=${name}`);
  const path = `${objectPath('v1', namespace, 'events')}?fieldSelector=${selector}`;
  // Not everybody who uploads may read events.
  const found = await getJson(client, path).catch(() => undefined);
  return holdUpOf(target, listOf(at(found, 'items')));
}
