/** The nodes, and what runs on each. */
import type { JSX } from 'preact';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { Freshness, Status } from './parts.tsx';

export function NodesPage(): JSX.Element {
  const collections = useCollections();
  const nodes = useCollection(collections.nodes);
  const vmis = useCollection(collections.vmis);
  return (
    <>
      <h1>Nodes</h1>
      <Freshness snapshot={nodes as never} what="nodes" />
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Status</th>
            <th scope="col">Room</th>
            <th scope="col">Guests</th>
          </tr>
        </thead>
        <tbody>
          {[...nodes.items.values()].map(({ metadata, spec, status }) => {
            const isReady = status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') === true;
            const guests = [...vmis.items.values()].filter((vmi) => vmi.status?.nodeName === metadata?.name);
            return (
              <tr key={metadata?.name}>
                <td>{metadata?.name}</td>
                <td>
                  <Status text={isReady ? 'Ready' : 'NotReady'} tone={isReady ? 'good' : 'bad'} />
                  {spec?.unschedulable === true ? ' (cordoned)' : ''}
                </td>
                <td>
                  {status?.allocatable?.['cpu']} CPUs, {status?.allocatable?.['memory']}
                </td>
                <td>
                  {guests.map((vmi) => (
                    <span key={vmi.metadata?.uid}>
                      <a href={`#/vm/${vmi.metadata?.namespace}/${vmi.metadata?.name}`}>{vmi.metadata?.name}</a>{' '}
                    </span>
                  ))}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
