/** The object of a VM: what a restart would bring, and its YAML, to be changed. Loaded when it is opened. */
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { dump, load } from 'js-yaml';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useMay } from '../live/access.ts';
import { Refusal } from '../live/refusal.ts';
import { send } from '../live/requests.ts';
import { type Difference, restartDifferences } from '../model/restart-diff.ts';
import { Command, Problem, Table } from './parts.tsx';
import { YamlEditor } from './yaml-editor.tsx';
import { commonText } from '../texts/common.ts';
import { objectText } from '../texts/object.ts';

interface ObjectProps {
  readonly vm: VirtualMachine | undefined;
  readonly vmi: VirtualMachineInstance | undefined;
}

/** Fields that the server keeps for itself, and that only stand in the way of who reads. */
function readable({ apiVersion, kind, metadata, spec, ...rest }: VirtualMachine): object {
  const { managedFields: _, ...kept } = { managedFields: undefined, ...metadata };
  return { apiVersion, kind, metadata: kept, spec, ...rest };
}

export default function ObjectView({ vm, vmi }: ObjectProps): JSX.Element {
  const differences =
    vm === undefined || vmi === undefined ? [] : restartDifferences(vm.spec.template?.spec, vmi.spec);
  return (
    <>
      {vmi === undefined || vm === undefined ? null : <RestartDiff differences={differences} />}
      {vm === undefined ? null : <Editor key={vm.metadata?.uid} vm={vm} />}
      <details>
        <summary>{objectText.asServerHas}</summary>
        <pre tabIndex={0}>{dump({ vm, vmi }, { noRefs: true })}</pre>
      </details>
    </>
  );
}

function RestartDiff({ differences }: { differences: readonly Difference[] }): JSX.Element {
  if (differences.length === 0) return <p class="faint">{objectText.nothingNew}</p>;
  return (
    <section aria-label={objectText.restartBrings}>
      <h2>{objectText.restartBrings}</h2>
      <Table headings={objectText.headings}>
        {differences.map(({ path, running = objectText.nothing, next = objectText.nothing }) => (
          <tr key={path}>
            <td>
              <code>{path}</code>
            </td>
            <td>{running}</td>
            <td>{next}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Editor({ vm }: { vm: VirtualMachine }): JSX.Element {
  const { namespace = '', name = '', resourceVersion } = vm.metadata ?? {};
  const [begun] = useState(() => ({ text: dump(readable(vm), { noRefs: true }), version: resourceVersion }));
  const [text, setText] = useState(begun.text);
  const [words, setWords] = useState<{ readonly problem?: string; readonly done?: string }>({});
  const may = useMay({ verb: 'update', group: 'kubevirt.io', resource: 'virtualmachines', namespace });
  const path = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines/${name}`;
  const save = async (query: string, done: string): Promise<void> => {
    try {
      const body = JSON.stringify(load(text));
      await send({ method: 'PUT', path: `${path}?fieldValidation=Strict${query}`, body });
      setWords({ done });
    } catch (error) {
      setWords({ problem: problemOf(error) });
    }
  };
  const isChanged = text !== begun.text;
  return (
    <>
      <h2>{objectText.yaml}</h2>
      {words.problem === undefined ? null : <Problem>{words.problem}</Problem>}
      {words.done === undefined ? null : <p role="status">{words.done}</p>}
      {resourceVersion !== begun.version && isChanged ? (
        <p class="notice" role="status">
          {objectText.changedMeanwhile}
        </p>
      ) : null}
      <YamlEditor text={begun.text} onText={setText} label={objectText.yamlOf(name)} />
      <div class="bar">
        <button type="button" disabled={!isChanged} onClick={() => void save('&dryRun=All', objectText.wouldTake)}>
          {objectText.check}
        </button>
        <button
          type="button"
          disabled={!isChanged || may !== true}
          title={may === false ? objectText.mayNotChange(namespace) : `kubectl replace -f ${name}.yaml`}
          onClick={() => void save('', objectText.saved)}
        >
          {objectText.save}
        </button>
        <span class="faint">
          {commonText.inTerminal} <Command text={`kubectl edit vm ${name} -n ${namespace}`} />
        </span>
      </div>
    </>
  );
}

function problemOf(error: unknown): string {
  if (error instanceof Refusal && error.code === 409)
    return objectText.conflict(error.message);
  if (error instanceof Refusal && error.fields.length > 0)
    return error.fields.map(({ field, message }) => `${field}: ${message}`).join(' · ');
  return error instanceof Error ? error.message : String(error);
}
