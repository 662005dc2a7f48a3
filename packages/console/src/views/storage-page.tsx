/** Claims, who uses them, and imports as they go. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { claimActions, type ClaimRow, claimRows, type Import, importAction } from '../model/claims.ts';
import { exportAction } from '../model/exports.ts';
import { vmAddress } from '../model/route.ts';
import { ActionBar, FormButton } from './action-button.tsx';
import { Exports } from './exports.tsx';
import { Freshness, Problem, Status, Table } from './parts.tsx';
import { UploadForm } from './upload-form.tsx';
import { commonText } from '../texts/common.ts';
import { storageText } from '../texts/storage.ts';

const exportClaim = exportAction<ClaimRow>('PersistentVolumeClaim', ({ state }) => state === 'Bound');

export function StoragePage(): JSX.Element {
  const collections = useCollections();
  const claims = useCollection(collections.claims);
  const dataVolumes = useCollection(collections.dataVolumes);
  const vms = useCollection(collections.vms);
  const [problem, setProblem] = useState<string>();
  return (
    <>
      <h1>{storageText.title}</h1>
      <Freshness snapshot={claims} what={storageText.what} />
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <h2>{storageText.claims}</h2>
      <Table headings={storageText.headings} state={claims.state}>
        {claimRows(claims.items, dataVolumes.items, vms.items).map((row) => (
          <tr key={`${row.namespace}/${row.name}`}>
            <td>{row.namespace}</td>
            <td>{row.name}</td>
            <td>
              <Status text={row.state} tone={row.tone} />
            </td>
            <td>{row.size}</td>
            <td>{row.storageClass}</td>
            <td class="list">
              {row.users.map((user) => (
                <a key={user} href={vmAddress(row.namespace, user)}>
                  {user}
                </a>
              ))}
            </td>
            <td>
              <ActionBar actions={[...claimActions, exportClaim]} row={row} onProblem={setProblem} />
            </td>
          </tr>
        ))}
      </Table>
      <Exports isWanted={(_, kind) => kind === 'PersistentVolumeClaim'} />
      <ImportForm onProblem={setProblem} />
      <UploadForm />
    </>
  );
}

const FIELDS: readonly (readonly [keyof Import, string])[] = [
  ['namespace', commonText.namespace],
  ['name', commonText.name],
  ['url', storageText.url],
  ['size', commonText.size],
];

function ImportForm({ onProblem }: { onProblem: (words: string | undefined) => void }): JSX.Element {
  const [form, setForm] = useState<Import>({ namespace: 'default', name: '', url: '', size: '10Gi' });
  return (
    <>
      <h2>{storageText.importTitle}</h2>
      <div class="bar">
        {FIELDS.map(([field, label]) => (
          <label key={field}>
            {label}{' '}
            <input
              value={form[field]}
              placeholder={storageText.examples[field]}
              onInput={(event) => setForm({ ...form, [field]: event.currentTarget.value.trim() })}
            />
          </label>
        ))}
        <FormButton action={importAction} row={form} onProblem={onProblem} />
      </div>
    </>
  );
}
