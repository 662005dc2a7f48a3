/** The nodes, and what runs on each. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { type NodeRow, nodeActions, nodeRows } from '../model/nodes.ts';
import { rowsOf } from '../model/rows.ts';
import { vmActions } from '../model/vm-actions.ts';
import { ActionBar, ActionButton } from './action-button.tsx';
import { Freshness, Problem, Status, Table } from './parts.tsx';

const migrate = vmActions.filter(({ id }) => id === 'migrate').map((action) => ({ ...action, label: 'Move guests away' }));

export function NodesPage(): JSX.Element {
  const collections = useCollections();
  const nodes = useCollection(collections.nodes);
  const vms = useCollection(collections.vms);
  const vmis = useCollection(collections.vmis);
  const [problem, setProblem] = useState<string>();
  const guests = rowsOf(vms.items, vmis.items);
  const movable = ({ name, isCordoned }: NodeRow) =>
    isCordoned ? guests.filter((row) => row.node === name && migrate.every(({ fits }) => fits(row))) : [];
  return (
    <>
      <h1>Nodes</h1>
      <Freshness snapshot={nodes} what="nodes" />
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <Table headings={['Name', 'Status', 'Room', 'Guests', 'Actions']}>
        {nodeRows(nodes.items, vmis.items).map((row) => (
          <tr key={row.name}>
            <td>{row.name}</td>
            <td>
              <Status text={row.status} tone={row.tone} />
              {row.isCordoned ? ' (cordoned)' : ''}
            </td>
            <td>
              {row.cpus} CPUs, {row.memory}
            </td>
            <td>
              {row.guests.map(({ namespace, name }) => (
                <a key={`${namespace}/${name}`} href={`#/vm/${namespace}/${name}`}>
                  {name}{' '}
                </a>
              ))}
            </td>
            <td>
              <ActionBar actions={nodeActions} row={row} onProblem={setProblem} />
              {movable(row).length === 0
                ? null
                : migrate.map((action) => (
                    <ActionButton key={action.id} action={action} rows={movable(row)} onProblem={setProblem} />
                  ))}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
