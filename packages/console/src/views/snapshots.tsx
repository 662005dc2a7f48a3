/** The snapshots of a VM: taking one, going back to one. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { exportAction } from '../model/exports.ts';
import { snapshotActions, type SnapshotRow, snapshotsOf, takeSnapshot } from '../model/snapshots.ts';
import { cloneAction } from '../model/vm-actions.ts';
import { ActionBar } from './action-button.tsx';
import { Exports } from './exports.tsx';
import { Freshness, Problem, Status, Table, When } from './parts.tsx';
import { exportsText, snapshotsText } from '../texts/snapshots.ts';

const exportVm = { ...exportAction('VirtualMachine'), label: exportsText.exportVm };
const cloneSnapshot = cloneAction<SnapshotRow>('VirtualMachineSnapshot', ({ isReady }) => isReady);
const exportSnapshot = exportAction<SnapshotRow>('VirtualMachineSnapshot', ({ isReady }) => isReady);

export function Snapshots({ namespace, name }: { namespace: string; name: string }): JSX.Element {
  const snapshots = useCollection(useCollections().snapshots);
  const [problem, setProblem] = useState<string>();
  const rows = snapshotsOf(snapshots.items, { namespace, name });
  const isOfThis = (where: string, kind: string, source: string): boolean =>
    where === namespace &&
    ((kind === 'VirtualMachine' && source === name) ||
      (kind === 'VirtualMachineSnapshot' && rows.some((row) => row.name === source)));
  return (
    <>
      <Freshness snapshot={snapshots} what={snapshotsText.what} />
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <ActionBar actions={[takeSnapshot, exportVm]} row={{ namespace, name }} onProblem={setProblem} />
      <Table headings={snapshotsText.headings} state={snapshots.state}>
        {rows.map((row) => (
          <tr key={row.name}>
            <td>{row.name}</td>
            <td>
              <When at={row.takenAt} />
            </td>
            <td>
              <Status text={row.state} tone={row.tone} />
            </td>
            <td>{row.notes}</td>
            <td>
              <ActionBar actions={[...snapshotActions, cloneSnapshot, exportSnapshot]} row={row} onProblem={setProblem} />
            </td>
          </tr>
        ))}
      </Table>
      <p class="faint">{snapshotsText.stoppedBefore}</p>
      <Exports isWanted={isOfThis} />
    </>
  );
}
