/** Exports of some sources, and their files to save. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useMayAll } from '../live/access.ts';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { deleteExport, type ExportRow, exportRows } from '../model/exports.ts';
import { ActionBar } from './action-button.tsx';
import { Freshness, Problem, Status, Table, When } from './parts.tsx';
import { exportsText } from '../texts/snapshots.ts';

export function Exports({ isWanted }: { isWanted: Parameters<typeof exportRows>[1] }): JSX.Element {
  const exports = useCollection(useCollections().exports);
  const [problem, setProblem] = useState<string>();
  const rows = exportRows(exports.items, isWanted);
  return (
    <>
      <h2>{exportsText.title}</h2>
      <Freshness snapshot={exports} what={exportsText.what} />
      {problem === undefined ? null : <Problem>{problem}</Problem>}
        <Table headings={exportsText.headings} state={exports.state}>
          {rows.map((row) => (
            <tr key={`${row.namespace}/${row.name}`}>
              <td>{row.name}</td>
              <td>{row.source}</td>
              <td>
                <Status text={row.state} tone={row.tone} />
              </td>
              <td>
                <When at={row.endsAt} />
              </td>
              <td>
                <Files row={row} />
              </td>
              <td>
                <ActionBar actions={[deleteExport]} row={row} onProblem={setProblem} />
              </td>
            </tr>
          ))}
        </Table>
    </>
  );
}

/** Saving a file needs the export's token, which is in a Secret, and the way through the API server. */
function Files({ row: { namespace, files } }: { row: ExportRow }): JSX.Element {
  const may = useMayAll([
    { verb: 'get', group: '', resource: 'secrets', namespace },
    { verb: 'get', group: '', resource: 'services', subresource: 'proxy', namespace },
  ]);
  if (may === false)
    return <span class="faint">{exportsText.mayNotSave(namespace)}</span>;
  return (
    <span class="list">
      {files.map(({ volume, format, href, command }) => (
        <a key={href} href={href} download title={command}>
          {volume} ({format})
        </a>
      ))}
    </span>
  );
}
