/** Events about one object, or of all, the newest first. */
import type { JSX } from 'preact';
import { type EventObject, useCollection, useCollections } from '../live/use-collection.ts';
import { eventAt, isAboutVm, vmOfEvent } from '../model/events.ts';
import { vmAddress } from '../model/route.ts';
import { Freshness, Status, Table, When } from './parts.tsx';
import { eventsText } from '../texts/common.ts';

const MOST = 100;

interface EventsProps {
  /** `''`: of all that the page looks at. */
  readonly namespace: string;
  /** A VM, with its VMI and its Pods. */
  readonly about?: string;
  readonly most?: number;
  /** It is the whole page. */
  readonly isPage?: boolean;
}

export function Events({ namespace, about, most = MOST, isPage = false }: EventsProps): JSX.Element {
  const collections = useCollections();
  const events = useCollection(collections.events);
  const shown = [...events.items.values()]
    .filter(
      ({ involvedObject: object }) =>
        (namespace === '' || object?.namespace === namespace) && (about === undefined || isAboutVm(object, about)),
    )
    .toSorted((a, b) => (eventAt(a) < eventAt(b) ? 1 : -1))
    .slice(0, most);
  return (
    <>
      {isPage ? <h1>{eventsText.title}</h1> : <h2>{eventsText.title}</h2>}
      <Freshness snapshot={events} what={eventsText.what} />
      <Table headings={eventsText.headings} state={events.state}>
        {shown.map((event) => (
          <tr key={event.metadata?.uid}>
            <td>
              <When at={eventAt(event)} />
            </td>
            <td class="object">
              <About event={event} />
            </td>
            <td>{event.type === 'Warning' ? <Status text={event.reason ?? ''} tone="bad" /> : event.reason}</td>
            <td class="long">
              {event.message}
              {(event.count ?? 1) > 1 ? <span class="faint"> {eventsText.times(event.count ?? 1)}</span> : null}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

/** What it is about; a VM, a VMI and a launcher lead to the VM. */
function About({ event: { involvedObject: object } }: { event: EventObject }): JSX.Element {
  const vm = vmOfEvent(object);
  const words = `${object?.kind ?? ''} ${object?.name ?? ''}`;
  return vm === undefined ? <>{words}</> : <a href={vmAddress(object?.namespace ?? '', vm)}>{words}</a>;
}
