/** The nodes, and what runs on each. */
import type { JSX } from 'preact';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { Freshness, Status, Table } from './parts.tsx';

export function NodesPage(): JSX.Element {
  const collections = useCollections();
  const nodes = useCollection(collections.nodes);
  const vmis = useCollection(collections.vmis);
  return (
    <>
      <h1>Nodes</h1>
      <Freshness snapshot={nodes} what="nodes" />
      <Table headings={['Name', 'Status', 'Room', 'Guests']}>
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
        </Table>
    </>
  );
}
