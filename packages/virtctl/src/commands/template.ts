/** template process|convert|create: VirtualMachineTemplates, here and on servers that have them. */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { KubeClient } from '@podvisor/kube';
import { type Command, Option } from 'commander';
import { openSession } from '../kube-access.ts';
import { plainLines } from '../output/plain-text.ts';
import { fromYaml, toYaml } from '../output/yaml.ts';
import { at, plainOf, textOf } from '../plain.ts';
import { getJson, nameOf, objectPath, post } from '../requests.ts';
import { failure } from '../run-program.ts';
import { say, type Shell, tell } from '../shell.ts';
import { convertedTemplate } from '../template/convert.ts';
import { parametersOf, referenceProblems, withGivenValues } from '../template/parameters.ts';
import { type ProcessedTemplate, processTemplate } from '../template/process.ts';

interface SourceFlags {
  readonly name?: string;
  readonly file?: string;
  readonly output: string;
}

interface ProcessFlags extends SourceFlags {
  readonly param?: Readonly<Record<string, string>>;
  readonly paramsFile?: string;
  readonly local: boolean;
  readonly create: boolean;
  readonly printParams: boolean;
}

const GROUP = 'template.kubevirt.io';
const API_VERSION = `${GROUP}/v1beta1`;
const SUBRESOURCES = `subresources.${API_VERSION}`;
const PLURAL = 'virtualmachinetemplates';

export function addTemplateCommands(program: Command, shell: Shell): void {
  const template = program.command('template').description('Work with VirtualMachineTemplates.');
  addProcess(template, shell);
  addConvert(template, shell);
  addCreate(template, shell);
}

function addProcess(template: Command, shell: Shell): void {
  sourceFlags(template.command('process [name]').description('Make a VirtualMachine from a template.'))
    .addOption(
      new Option('-p, --param <key=value>', 'value of a parameter; may be repeated')
        .argParser(pairs)
        .conflicts('paramsFile'),
    )
    .option('--params-file <file>', 'values of parameters, as YAML or JSON')
    .addOption(
      new Option('--local', 'fill the template in here, not on the server').default(false).conflicts('file'),
    )
    .addOption(
      new Option('--create', 'let the server create the VM')
        .default(false)
        .conflicts(['file', 'local', 'printParams']),
    )
    .option('--print-params', 'print the parameters of the template', false)
    .action(async (given: string | undefined, flags: ProcessFlags, self: Command) => {
      const name = checkedName(given, flags);
      const { client, namespace } = openSession(self, shell);
      const read = (): Promise<unknown> =>
        name === undefined
          ? readManifest(flags.file ?? '', 'VirtualMachineTemplate', shell)
          : fetched(client, objectPath(API_VERSION, namespace, PLURAL, name), 'VirtualMachineTemplate');
      if (flags.printParams) {
        const template = await read().catch((error: unknown) => {
          throw failure('error printing template parameters:', error);
        });
        return printed(shell, at(template, 'spec', 'parameters') ?? null, flags.output);
      }
      const parameters = flags.paramsFile === undefined ? flags.param : fileParameters(flags.paramsFile);
      if (name === undefined || flags.local) {
        const { virtualMachine, message } = processedHere(await read(), parameters ?? {}, shell);
        return show(shell, virtualMachine, message, flags.output);
      }
      const verb = flags.create ? 'create' : 'process';
      const answer = await post(
        client,
        `${objectPath(SUBRESOURCES, namespace, PLURAL, name)}/${verb}`,
        parameters === undefined ? {} : { parameters },
      ).catch((error: unknown) => {
        const what = flags.create ? 'creating VirtualMachine from' : 'processing';
        throw failure(`error ${what} remote VirtualMachineTemplate ${namespace}/${name}:`, error);
      });
      const machine = at(answer, 'virtualMachine');
      if (flags.create) return say(shell, `${kindAndGroup(machine)}/${nameOf(machine)} created`);
      show(shell, machine, textOf(at(answer, 'message')) ?? '', flags.output);
    });
}

function addConvert(template: Command, shell: Shell): void {
  sourceFlags(template.command('convert [name]').description('Convert an OpenShift Template.')).action(
    async (given: string | undefined, flags: SourceFlags, self: Command) => {
      const name = checkedName(given, flags);
      const { client, namespace } = openSession(self, shell);
      const openShift =
        name === undefined
          ? await readManifest(flags.file ?? '', 'Template', shell)
          : await fetched(
              client,
              objectPath('template.openshift.io/v1', namespace, 'templates', name),
              'Template',
            );
      printed(shell, convertedTemplate(openShift), flags.output);
    },
  );
}

function addCreate(template: Command, shell: Shell): void {
  template
    .command('create')
    .description('Make a template of a VM of the cluster.')
    .allowExcessArguments()
    .option('--vm-name <name>', 'VM to make a template of')
    .option('--vm-namespace <namespace>', "namespace of the VM (default: the command's)")
    .option('--name <name>', 'name of the template (default: one of chance)')
    .action(async (flags: { vmName?: string; vmNamespace?: string; name?: string }, self: Command) => {
      const [word] = self.args;
      if (word !== undefined) throw new Error(`unknown command "${word}" for "virtctl template create"`);
      const { vmName, vmNamespace, name } = flags;
      if (vmName === undefined) throw new Error('required flag(s) "vm-name" not set');
      const { client, namespace } = openSession(self, shell);
      const request = await post(
        client,
        objectPath(API_VERSION, namespace, 'virtualmachinetemplaterequests'),
        {
          kind: 'VirtualMachineTemplateRequest',
          apiVersion: API_VERSION,
          metadata: { generateName: `${vmName}-`, namespace },
          spec: {
            virtualMachineRef: { namespace: vmNamespace ?? namespace, name: vmName },
            ...(name !== undefined && { templateName: name }),
          },
        },
      ).catch((error: unknown) => {
        throw failure('error creating VirtualMachineTemplateRequest:', error);
      });
      say(shell, `virtualmachinetemplaterequest.${GROUP}/${nameOf(request)} created`);
    });
}

function sourceFlags(command: Command): Command {
  return command
    .option('--name <name>', 'template of the cluster')
    .addOption(new Option('-f, --file <file>', 'manifest; - is standard input').conflicts('name'))
    .option('-o, --output <format>', 'yaml or json', 'yaml');
}

/** The template's name in the cluster; undefined when it is in a file. */
function checkedName(given: string | undefined, { name, file, output }: SourceFlags): string | undefined {
  if (given !== undefined && file !== undefined) throw new Error('only one of name or file can be provided');
  if (given !== undefined && name !== undefined)
    throw new Error('provide name either from positional argument or from flag');
  if (given === undefined && name === undefined && file === undefined)
    throw new Error('name or file must be provided');
  if (output !== 'yaml' && output !== 'json') throw new Error(`not supported output format: ${output}`);
  return given ?? name;
}

/** `A=1,B=2`, and what was given before. */
function pairs(
  words: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const entries = words.split(',').map((pair) => {
    const at = pair.indexOf('=');
    if (at < 0) throw new Error(`${pair} must be formatted as key=value`);
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  return { ...before, ...Object.fromEntries(entries) };
}

function fileParameters(file: string): Readonly<Record<string, string>> {
  try {
    const values = Object.entries(plainOf(fromYaml(readFileSync(file, 'utf8'))));
    return Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
  } catch (error) {
    throw failure('error reading params file:', error);
  }
}

async function readManifest(file: string, kind: string, shell: Shell): Promise<unknown> {
  const manifest = file === '-' ? await text(shell.stdin) : opened(file);
  try {
    return fromYaml(manifest);
  } catch (error) {
    throw failure(`error decoding ${kind}:`, error);
  }
}

function opened(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw failure(`error opening file ${file}:`, error);
  }
}

function fetched(client: KubeClient, path: string, kind: string): Promise<unknown> {
  return getJson(client, path).catch((error: unknown) => {
    const [, namespace, , name] = /namespaces\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    throw failure(`error fetching remote ${kind} ${namespace}/${name}:`, error);
  });
}

function processedHere(
  template: unknown,
  given: Readonly<Record<string, string>>,
  shell: Shell,
): ProcessedTemplate {
  const parameters = attempt('error merging template parameters:', () =>
    withGivenValues(parametersOf(template), given),
  );
  const { warnings, errors } = referenceProblems(template, parameters);
  for (const warning of warnings) tell(shell, `Warning: ${warning}`);
  if (errors.length > 0) {
    const list = errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`;
    throw new Error(`error validating template parameters: ${list}`);
  }
  return attempt('error processing VirtualMachineTemplate locally:', () =>
    processTemplate(template, parameters, randomInt),
  );
}

function attempt<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failure(what, error);
  }
}

function kindAndGroup(machine: unknown): string {
  const group = (textOf(at(machine, 'apiVersion')) ?? '').split('/')[0];
  return `${textOf(at(machine, 'kind')) ?? ''}.${group}`.toLowerCase();
}

/** Whoever wrote the template has written the message. */
export function show(
  shell: Pick<Shell, 'stdout' | 'stderr'>,
  machine: unknown,
  message: string,
  format: string,
): void {
  if (message !== '') shell.stderr.write(plainLines(message));
  printed(shell, machine, format);
}

function printed(shell: Pick<Shell, 'stdout'>, value: unknown, format: string): void {
  shell.stdout.write(format === 'json' ? JSON.stringify(value, null, 1) : toYaml(value));
}
