/** The snapshots of a VM: taking one, going back to one. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { snapshotActions, snapshotsOf, takeSnapshot } from '../model/snapshots.ts';
import { ActionBar } from './action-button.tsx';
import { Freshness, Problem, Status, Table } from './parts.tsx';

export function Snapshots({ namespace, name }: { namespace: string; name: string }): JSX.Element {
  const snapshots = useCollection(useCollections().snapshots);
  const [problem, setProblem] = useState<string>();
  return (
    <>
      <Freshness snapshot={snapshots} what="snapshots" />
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <ActionBar actions={[takeSnapshot]} row={{ namespace, name }} onProblem={setProblem} />
      <Table headings={['Name', 'Taken', 'State', 'Notes', 'Actions']}>
        {snapshotsOf(snapshots.items, { namespace, name }).map((row) => (
          <tr key={row.name}>
            <td>{row.name}</td>
            <td>{row.takenAt}</td>
            <td>
              <Status text={row.state} tone={row.tone} />
            </td>
            <td>{row.notes}</td>
            <td>
              <ActionBar actions={snapshotActions} row={row} onProblem={setProblem} />
            </td>
          </tr>
        ))}
      </Table>
      <p class="faint">A VM is stopped before a snapshot of it is restored.</p>
    </>
  );
}
