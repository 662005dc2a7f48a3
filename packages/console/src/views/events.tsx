/** Events about one object, the newest first. */
import type { JSX } from 'preact';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { Freshness, Table } from './parts.tsx';
import { eventsText } from '../texts/common.ts';

const MOST = 100;

export function Events({
  namespace,
  about,
  most = MOST,
}: {
  namespace: string;
  about?: string;
  most?: number;
}): JSX.Element {
  const collections = useCollections();
  const events = useCollection(collections.events);
  const shown = [...events.items.values()]
    .filter(
      ({ involvedObject: object }) =>
        (namespace === '' || object?.namespace === namespace) &&
        (about === undefined || object?.name === about || object?.name?.startsWith(`virt-launcher-${about}-`)),
    )
    .map((event) => ({ event, at: event.lastTimestamp ?? event.eventTime ?? event.metadata?.creationTimestamp ?? '' }))
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, most);
  return (
    <>
      <h2>{eventsText.title}</h2>
      <Freshness snapshot={events} what={eventsText.what} />
      <Table headings={eventsText.headings}>
          {shown.map(({ event, at }) => (
            <tr key={event.metadata?.uid}>
              <td>{at.slice(0, 19).replace('T', ' ')}</td>
              <td>
                {event.involvedObject?.kind} {event.involvedObject?.name}
              </td>
              <td class={event.type === 'Warning' ? 'tone bad' : ''}>{event.reason}</td>
              <td>{event.message}</td>
            </tr>
          ))}
        </Table>
    </>
  );
}
